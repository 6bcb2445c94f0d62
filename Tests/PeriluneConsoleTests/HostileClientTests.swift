import Foundation
import Modeling
import PeriluneConsole
import RemoteConsole
import TestSupport
import Testing

/// The console and the program go on, regardless of what a client sends.
@Suite struct HostileClientTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  let listener: ConsoleListener
  var path: String { sockets.file("console") }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "hostile")
    listener = try workshop.console.listen(on: .socket(sockets.file("console")), access: .full)
  }

  private func expectService() throws {
    var attached: Client?
    // Clients that have left may be counted for a moment.
    try expectEventually {
      attached = try? Client.attached(to: path)
      return attached != nil
    }
    let client = try #require(attached)
    try client.run("Order:count()")
    #expect(client.text == "3\n")
    #expect(try workshop.orders.count == 3)
  }

  @Test(arguments: [
    (#"{"do":"evaluate","id":1,"text":"1"}"#, "expected 'hello' first"),
    (#"{"do":"hello","version":99}"#, "the console speaks version 1, the client 99"),
    (#"{"do":"dance"}"#, "the message is none of these"),
    ("[1]", "the message is none of these"),
    ("{", "a message is no JSON"),
    ("", "a message is no JSON"),
    (String(repeating: "[", count: 100_000), "a message is no JSON"),
  ])
  func aWrongMessageEndsTheConnection(text: String, reason: String) throws {
    let client = try Client(path)
    client.send([UInt8](repeating: 0, count: 1) + Self.length(text.utf8.count).dropFirst() + Array(text.utf8))
    #expect(try client.refusal() == reason)
    try expectService()
  }

  private static func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

  @Test func aMessageThatIsTooLongIsRefusedBeforeItComes() throws {
    let client = try Client(path)
    client.send([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try client.refusal() == "a message of 4294967295 bytes: expected at most 1048576")
    try expectService()
  }

  @Test func messagesMayComeInPieces() throws {
    let client = try Client(path)
    for byte in Frame.bytes(of: ClientRequest.hello(.init()).message) { client.send([byte]) }
    guard case .welcome = try client.next() else { throw Client.Lost(reason: "no welcome") }
    try expectService()
  }

  @Test func halfAMessageHoldsUpNothing() throws {
    let half = try Client(path)
    half.send([0, 0, 1])
    try expectService()
  }

  @Test func moreClientsThanThereIsRoomForAreRefused() throws {
    let clients = try (0..<16).map { _ in try Client.attached(to: path) }
    let last = try Client(path)
    last.send(.hello(.init()))
    #expect(try last.refusal() == "16 clients are attached already")
    withExtendedLifetime(clients) {}
  }

  @Test func hundredSilentClientsKeepNoneOut() throws {
    let clients = try (0..<100).map { _ in try Client(path) }
    try expectService()
    withExtendedLifetime(clients) {}
  }

  @Test func hundredClientsInTurnLeaveNothingBehind() throws {
    let before = try Self.descriptorCount()
    for _ in 0..<100 { _ = try Client(path).send([1, 2, 3]) }
    try expectEventually { (try? Self.descriptorCount()).map { $0 <= before + 2 } ?? false }
    try expectService()
  }

  private static func descriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  @Test func aClientThatNeverReadsIsDropped() throws {
    let deaf = try Client.attached(to: path)
    deaf.begin("while true do print(('x'):rep(1e5)) end")
    try expectService()
    // The time limit of the line, or the patience of the console, ends it.
    try expectEventually { listener.clientCount == 0 }
  }

  @Test func floodsOfRequestsEndTheConnection() throws {
    let client = try Client.attached(to: path)
    client.begin("while true do end")
    for _ in 0..<1000 where !client.send(Frame.bytes(of: ClientRequest.evaluate(id: 1, "1").message)) { break }
    try expectService()
  }

  @Test(.seeded) func bytesOfAnyKindEndNothing() throws {
    var generator = SplitMix(seed: 49)
    for _ in 0..<200 {
      let client = try Client(path)
      if Bool.random(using: &generator) { client.send(.hello(.init())) }
      var bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { bytes = Self.length(bytes.count) + bytes }
      client.send(bytes)
    }
    try expectEventually { listener.clientCount == 0 }
    try expectService()
  }
}
