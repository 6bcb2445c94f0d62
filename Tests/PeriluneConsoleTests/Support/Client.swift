import Foundation
import Glibc
import Modeling
import RemoteConsole

/// A client of a console that speaks its protocol, well or badly.
final class Client {
  let descriptor: Int32
  private var reader = FrameReader()
  private var lastID: Int64 = 0
  /// What results and messages were shown since the last request.
  private(set) var text = ""
  private(set) var messages = ""
  private(set) var welcome: ServerEvent.Welcome?
  /// The full screens that came while a line ran to its end.
  private(set) var screens: [ScreenContent] = []

  struct Lost: Error {
    var reason: String
  }

  init(_ path: String) throws { descriptor = try ConsoleSocket.connect(to: path) }

  /// A client that the console has welcomed.
  static func attached(to path: String, isInteractive: Bool = false) throws -> Client {
    let client = try Client(path)
    var hello = ClientRequest.Hello()
    hello.isInteractive = isInteractive
    try client.greet(hello)
    return client
  }

  /// A person at a prompt, who would go on with the sessions of tokens; and the token that the console gives.
  static func person(at path: String, _ tokens: [String] = []) throws -> (client: Client, token: String) {
    let client = try Client(path)
    var hello = ClientRequest.Hello()
    (hello.isInteractive, hello.tokens) = (true, tokens)
    try client.greet(hello)
    guard let token = client.welcome?.token else { throw Lost(reason: "no token") }
    return (client, token)
  }

  /// A person at a terminal of this size, which can show full screens.
  static func atScreen(of path: String, _ columns: Int = 80, _ rows: Int = 20, tokens: [String] = []) throws -> Client {
    let client = try Client(path)
    var hello = ClientRequest.Hello()
    (hello.isInteractive, hello.isTerminal, hello.showsScreens) = (true, true, true)
    (hello.width, hello.height, hello.tokens) = (columns, rows, tokens)
    try client.greet(hello)
    return client
  }

  /// Types keys on a full screen.
  func type(_ keys: String) { send(.keys(Array(keys.utf8))) }

  func greet(_ hello: ClientRequest.Hello) throws {
    send(.hello(hello))
    guard case .welcome(let welcome) = try next() else { throw Lost(reason: "no welcome") }
    self.welcome = welcome
  }

  deinit { close(descriptor) }

  func send(_ request: ClientRequest) { send(Frame.bytes(of: request.message)) }

  /// Sends bytes as they are.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { ConsoleSocket.send(bytes, to: descriptor, patience: 120) }

  /// The next event, within two minutes.
  func next() throws -> ServerEvent {
    while true {
      if let message = try reader.next() {
        guard let event = ServerEvent(message) else { throw Lost(reason: "\(message)") }
        return event
      }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 120_000) == 1 else { throw Lost(reason: "nothing came") }
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &room, room.count, 0)
      guard count > 0 else { throw Lost(reason: "the connection has ended") }
      room.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Runs a line and returns its ending; questions are answered with yes.
  @discardableResult
  func run(_ line: String) throws -> ServerEvent.Ending {
    lastID += 1
    send(.evaluate(id: lastID, line))
    return try end()
  }

  /// Begins to run a line.
  func begin(_ line: String) {
    lastID += 1
    send(.evaluate(id: lastID, line))
  }

  /// Waits for the end of the line that runs.
  func end() throws -> ServerEvent.Ending {
    (text, messages) = ("", "")
    while true {
      switch try next() {
      case .text(let piece, let isMessage): if isMessage { messages += piece } else { text += piece }
      case .question: send(.answer(true))
      case .end(lastID, let ending): return ending
      case .end, .reply, .welcome, .reasonAsked, .screenEnd: continue
      case .screen(let content): screens.append(content)
      case .refused(let reason): throw Lost(reason: reason)
      }
    }
  }

  /// Reads until a full screen shows this in one of its lines; returns its lines without colours.
  @discardableResult
  func screen(showing text: String) throws -> [String] {
    while true {
      switch try next() {
      case .screen(let content):
        let lines = content.lines.map { $0.text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        if lines.contains(where: { $0.contains(text) }) { return lines }
      case .end(_, let ending): throw Lost(reason: "the line ended with \(ending.status)")
      case .refused(let reason): throw Lost(reason: reason)
      default: continue
      }
    }
  }

  /// The next full screen.
  func nextScreen() throws -> ScreenContent {
    while true { if case .screen(let content) = try next() { return content } }
  }

  func reply(_ request: (Int64) -> ClientRequest) throws -> JSON {
    lastID += 1
    send(request(lastID))
    while true {
      if case .reply(lastID, let value) = try next() { return value }
    }
  }

  /// The reason with which the console ends the connection.
  func refusal() throws -> String {
    while true {
      if case .refused(let reason) = try next() { return reason }
    }
  }
}
