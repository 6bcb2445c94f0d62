internal import Glibc
internal import Modeling
internal import Presentation
internal import RemoteConsole
internal import Session
internal import Terminal

/// A session in another program, over a socket: what it shows goes to the surroundings.
final class RemoteSession {
  private let descriptor: Int32
  private let surroundings: Surroundings
  private var reader = FrameReader()
  private var lastID: Int64 = 0
  private(set) var welcome = ServerEvent.Welcome(banner: "", prompt: "")
  /// What the last request left.
  private(set) var ending = ServerEvent.Ending(status: 0, prompt: "", unsavedCount: 0)
  /// Why the connection has ended; nil while there is one.
  private(set) var loss: String?
  /// The window of which the console knows.
  private var window: TerminalSize?

  /// Connects to the socket at a path, and waits for the welcome.
  ///
  /// - Throws: AttachFailure.
  convenience init(
    _ path: String, _ surroundings: Surroundings, mode: String?, reason: String?, tokens: [String]
  ) throws(AttachFailure) {
    let descriptor: Int32
    do { descriptor = try ConsoleSocket.connect(to: path) } catch { throw AttachFailure(path, error) }
    try self.init(descriptor, path, surroundings, mode: mode, reason: reason, tokens: tokens)
  }

  /// Waits for the welcome at the other end of a connection, which this closes.
  ///
  /// - Throws: AttachFailure.
  init(
    _ descriptor: Int32, _ path: String, _ surroundings: Surroundings, mode: String?, reason: String? = nil,
    tokens: [String] = []
  ) throws(AttachFailure) {
    (self.descriptor, self.surroundings) = (descriptor, surroundings)
    var hello = ClientRequest.Hello()
    hello.isInteractive = surroundings.isInteractive
    (hello.isTerminal, hello.mode) = (surroundings.outputIsTerminal, mode)
    (hello.tokens, hello.reason) = (tokens, reason)
    window = surroundings.window
    (hello.width, hello.height) = (window?.columns, window?.rows)
    hello.showsScreens = surroundings.isInteractive && surroundings.showsFullScreens
    (hello.hasColours, hello.hasMessageColours) = (
      surroundings.outputStyle.isEnabled, surroundings.messageStyle.isEnabled
    )
    hello.isASCII = surroundings.charset == .ascii
    send(.hello(hello))
    while loss == nil {
      guard let event = wait(seconds: 60) else { break }
      if case .welcome(let welcome) = event {
        self.welcome = welcome
        (ending.prompt, ending.unsavedCount) = (welcome.prompt, welcome.unsavedCount)
        return
      }
      if case .reasonAsked = event {
        guard let said = askReason(path) else {
          let hint = "perilune attach --reason 'why' \(path)"
          throw AttachFailure("'\(path)': the console asks for a reason: \(hint)", ExitStatus.usage)
        }
        hello.reason = said
        send(.hello(hello))
        continue
      }
      show(event)
    }
    throw AttachFailure("'\(path)': \(loss ?? "the console does not answer")", ExitStatus.unavailable)
  }

  deinit { close(descriptor) }

  /// The descriptor to watch at the prompt; none once the connection has ended.
  var watched: [Int32] { loss == nil ? [descriptor] : [] }

  // MARK: Requests

  /// Runs a block, and returns its status when it has ended.
  func evaluate(_ text: String) -> Int32 { run { .evaluate(id: $0, text) } }

  /// Saves the unsaved changes; false if that failed.
  func save() -> Bool { run { .save(id: $0) } == 0 }

  /// Says that this client does not come back.
  func leave() { send(.leave) }

  private func run(_ request: (Int64) -> ClientRequest) -> Int32 {
    lastID += 1
    resizeIfNeeded()
    send(request(lastID))
    while loss == nil {
      guard let event = wait(seconds: nil) else {
        if TerminalSignals.take(.interrupt) { send(.interrupt) }
        continue
      }
      if case .end(lastID, let ending) = event {
        self.ending = ending
        surroundings.flushOutput()
        return ending.status
      }
      show(event)
    }
    return ExitStatus.unavailable
  }

  /// Asks while a line is typed; nil if the answer takes longer than a person waits: half a second between two keys.
  func ask(patience seconds: Double = 0.5, _ request: (Int64) -> ClientRequest) -> JSON? {
    lastID += 1
    send(request(lastID))
    let deadline = monotonicSeconds() + seconds
    while loss == nil {
      let rest = deadline - monotonicSeconds()
      guard rest > 0, let event = wait(seconds: rest) else { return nil }
      if case .reply(let id, let value) = event {
        if id == lastID { return value }
      } else {
        show(event)
      }
    }
    return nil
  }

  /// Tells the console of another size of the window.
  func resizeIfNeeded() {
    let now = surroundings.window
    guard now != window else { return }
    window = now
    if let now { send(.resize(width: now.columns, height: now.rows)) }
  }

  // MARK: Events

  /// Shows what has come while a line is typed.
  func showArrived() {
    while let event = wait(seconds: 0) { show(event) }
    surroundings.flushOutput()
  }

  func show(_ event: ServerEvent) {
    switch event {
    case .screen(let content): RemoteScreen(self, surroundings).run(content)
    case .text(let text, let isMessage):
      if isMessage { surroundings.say(text) } else { surroundings.output.write(text) }
    case .question(let question): send(.answer(answer(to: question)))
    case .refused(let reason): lose("the console refuses: \(reason)")
    // The session has changed, as at a pause.
    case .welcome(let welcome): (ending.prompt, ending.unsavedCount) = (welcome.prompt, welcome.unsavedCount)
    // Late replies, for which nothing waits any more.
    case .reply, .end, .screenEnd, .reasonAsked: break
    }
  }

  /// What a person at a terminal says of why they attach; nil for nothing.
  private func askReason(_ path: String) -> String? {
    guard surroundings.isInteractive else { return nil }
    surroundings.say(surroundings.wrapped("Why do you attach to \(path)? "))
    let answer = surroundings.answer { TerminalSignals.isPending(.interrupt) }
    return answer.allSatisfy(\.isWhitespace) ? nil : answer
  }

  private func answer(to question: String) -> Bool {
    surroundings.say(surroundings.wrapped(surroundings.messageStyle(.warning, question) + "; go on? [y/N] "))
    let answer = surroundings.answer { TerminalSignals.isPending(.interrupt) }
    return ["y", "yes"].contains(answer.lowercased())
  }

  /// Waits for an event; nil after the time, or for a signal.
  func wait(seconds: Double?) -> ServerEvent? {
    let deadline = seconds.map { monotonicSeconds() + $0 }
    while true {
      do throws(FrameReader.Fault) {
        if let message = try reader.next() {
          if let event = ServerEvent(message) { return event }
          continue
        }
      } catch {
        lose("the console sends what is no message")
        return nil
      }
      let rest = deadline.map { max($0 - monotonicSeconds(), 0) }
      let ready = DescriptorWait.wait(
        for: [descriptor], seconds: rest, isInterrupted: { TerminalSignals.isPending(.interrupt) })
      guard let ready, !ready.isEmpty, receive() else { return nil }
    }
  }

  /// Reads what is there; false if the other end is gone.
  private func receive() -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &room, room.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return true }
    guard count > 0 else {
      lose("the connection to the console is lost")
      return false
    }
    room.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    return true
  }

  func send(_ request: ClientRequest) {
    guard loss == nil else { return }
    if !ConsoleSocket.send(Frame.bytes(of: request.message), to: descriptor, patience: 10) {
      // A reason that was sent before the end is read first.
      while loss == nil, receive() {}
      showReason()
    }
  }

  private func showReason() {
    while let message = try? reader.next() {
      if case .refused(let reason)? = ServerEvent(message) { return loss = "the console refuses: \(reason)" }
    }
  }

  private func lose(_ reason: String) { if loss == nil { loss = reason } }
}

/// Why nothing is attached.
struct AttachFailure: Error {
  var message: String
  var status: Int32

  init(_ message: String, _ status: Int32) { (self.message, self.status) = (message, status) }

  fileprivate init(_ path: String, _ failure: ConsoleSocket.Failure) {
    let reason =
      switch failure {
      case .system(ENOENT): "there is no such socket; the program listens with console.listen"
      case .system(ECONNREFUSED): "no program listens there any more"
      case .system(let number): String(cString: strerror(number))
      case .longPath(let limit): "expected a path of at most \(limit) bytes, got \(path.utf8.count)"
      case .taken, .openFolder: "it cannot be used"
      }
    self.init("'\(path)': \(reason)", ExitStatus.noStore)
  }
}
