import Foundation
import Modeling
import PeriluneConsole
import PeriluneKit
import RemoteConsole
import Synchronization
import TestSupport
import Testing

/// Clients at a socket run scripts in the program and beside it.
@Suite struct ListeningTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  var path: String { sockets.file("console") }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "console")
  }

  private func listen(_ access: ConsoleAccess = .full, limits: ConsoleLimits? = nil) throws -> ConsoleListener {
    try workshop.console.listen(on: .socket(path), access: access, limits: limits)
  }

  @Test func clientsHaveTheStoreTheFunctionsAndAStateEach() throws {
    try workshop.console.define("twice", "twice(n)", "Doubles.") { (n: Int) in 2 * n }
    let listener = try listen()
    let (first, second) = (try Client.attached(to: path), try Client.attached(to: path))
    #expect(try first.run("Order:count()").status == 0)
    #expect(first.text == "3\n")
    try first.run("x = twice(21)")
    try first.run("x")
    #expect(first.text == "42\n")
    try second.run("x")
    #expect(second.text == "nil\n")
    #expect(listener.clientCount == 2)
  }

  @Test func functionsTakeObjectsAndBatchesDeleteThem() throws {
    try workshop.console.define("half", "half(order)", "The half of its total.") { (order: Order) in order.total / 2 }
    let listener = try listen()
    let client = try Client.attached(to: path)
    try client.run("half(Order:where('number == 2'):first())")
    #expect(client.text == "10.0\n")
    #expect(try client.run("Order:where('number > 1'):delete()").status == 0)
    try client.run("Order:count()")
    #expect(client.text == "1\n")
    withExtendedLifetime(listener) {}
  }

  @Test func aReasonIsAskedBeforeTheSessionBegins() throws {
    let entries = Mutex<[TranscriptEntry]>([])
    let listener = try workshop.console.listen(on: .socket(path), access: .readOnly, asksReason: true) { entry in
      entries.withLock { $0.append(entry) }
    }
    let client = try Client(path)
    var hello = ClientRequest.Hello()
    for reason in [nil, "", " \n"] {
      hello.reason = reason
      client.send(.hello(hello))
      #expect(try client.next() == .reasonAsked)
    }
    #expect(listener.clientCount == 0)
    hello.reason = " order 7 is late\n"
    try client.greet(hello)
    #expect(try client.run("Order:count()").status == 0)
    #expect(entries.withLock { $0.map(\.reason) } == ["order 7 is late", "order 7 is late"])
    #expect(entries.withLock { $0[0].json }.contains(#""reason":"order 7 is late""#))

    // Who gives none has no session, and neither has one that writes a book.
    let other = try Client(path)
    other.send(.hello(ClientRequest.Hello()))
    #expect(try other.next() == .reasonAsked)
    other.send(.evaluate(id: 1, "Order:count()"))
    #expect(try other.next() == .refused("expected 'hello' first"))
    let third = try Client(path)
    hello.reason = String(repeating: "so ", count: 400)
    third.send(.hello(hello))
    #expect(try third.next() == .refused("a reason of 1199 bytes: expected at most 1000"))
  }

  @Test func eachSideSeesWhatTheOtherCommits() throws {
    let listener = try listen()
    let client = try Client.attached(to: path)
    let order = Order(context: workshop.container.viewContext)
    (order.number, order.total) = (4, 40)
    try workshop.container.viewContext.save()
    try client.run("Order:count()")
    #expect(client.text == "4\n")
    #expect(try client.run("Order:where('number == 1'):first().total = 11 save()").status == 0)
    try workshop.container.viewContext.processPendingChanges()
    #expect(try workshop.orders[0].total == 11)
    #expect(listener.clientCount == 1)
  }

  @Test(arguments: [
    "Order { number = 9, total = 1 } save()", "Order:first().total = 1 save()", "Order:first():delete() save()",
    "Order:all():delete()", "Order:batchInsert { { number = 9, total = 1 } }",
    "Order:all():update { total = 1 }", "store:undoSave()", "store:sql 'DELETE FROM \"order\"'",
    "open('/tmp/other.sqlite', { create = true })", "store:migrate(store.model)", "store:close()",
    "context:newChild().entities.Order { number = 9, total = 1 } save()",
    "debug.getregistry().x = 1", "io.open('/tmp/x', 'w'):write 'x'", "os.execute 'true'", ".sql DELETE FROM \"order\"",
    ".import /etc/passwd", ".export Order /tmp/x.csv", ".open /tmp/other.sqlite", ".undosave",
  ])
  func readOnlyIsTheConnections(line: String) throws {
    let listener = try listen(.readOnly)
    let client = try Client.attached(to: path)
    #expect(try client.run(line).status != 0, "\(client.text)")
    #expect(try workshop.orders.map(\.total) == [10, 20, 30])
    try client.run("Order:count()")
    #expect(client.text == "3\n")
    #expect(listener.clientCount == 1)
  }

  @Test func aScriptThatNeverEndsHoldsUpNothing() throws {
    let listener = try listen(limits: Self.patient)
    let (runaway, other) = (try Client.attached(to: path), try Client.attached(to: path))
    runaway.begin("while true do pcall(error) end")
    try other.run("Order:count()")
    #expect(other.text == "3\n")
    let order = try #require(try workshop.orders.first)
    order.total = 12
    try workshop.container.viewContext.save()
    runaway.send(.interrupt)
    #expect(try runaway.end().status == 130)
    #expect(try runaway.run("1 + 1").status == 0)
    #expect(runaway.text == "2\n")
    #expect(listener.clientCount == 2)
  }

  @Test func anInterruptionThatComesBeforeItsLineBeginsStopsIt() throws {
    let listener = try listen(limits: Self.patient)
    let client = try Client.attached(to: path)
    for _ in 0..<20 {
      client.begin("while true do end")
      client.send(.interrupt)
      #expect(try client.end().status == 130)
    }
    client.send(.interrupt)
    #expect(try client.run("1").status == 0)
    #expect(listener.clientCount == 1)
  }

  /// Limits that no test reaches, also on a machine that does much else.
  private static var patient: ConsoleLimits {
    var limits = ConsoleLimits()
    limits.seconds = 600
    return limits
  }

  @Test func aLimitStopsALine() throws {
    var limits = ConsoleLimits()
    limits.seconds = 0.2
    let listener = try listen(limits: limits)
    let client = try Client.attached(to: path)
    #expect(try client.run("while true do end").status == 124)
    #expect(try client.run("1").status == 0)
    #expect(listener.clientCount == 1)
  }

  @Test func aClientThatLeavesEndsWhatItRuns() throws {
    let listener = try listen()
    do {
      let client = try Client.attached(to: path)
      client.begin("while true do end")
    }
    try expectEventually { listener.clientCount == 0 }
    try Client.attached(to: path).run("1")
  }

  @Test func closingEndsAllClientsAndRemovesTheSocket() throws {
    let listener = try listen()
    let client = try Client.attached(to: path)
    client.begin("while true do end")
    listener.close()
    try expectEventually { listener.clientCount == 0 }
    #expect(throws: (any Error).self) { while true { _ = try client.next() } }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func completionAndHelpCrossTheSocket() throws {
    try workshop.console.define("twice", "twice(n)", "Doubles a number.") { (n: Int) in 2 * n }
    let listener = try listen()
    let client = try Client.attached(to: path, isInteractive: true)
    #expect(try client.reply { .complete(id: $0, "twi", offset: 3) }.text.contains("twice"))
    #expect(try client.reply { .complete(id: $0, #"Order:where("tot"#, offset: 16) }.text.contains("total"))
    #expect(try client.reply { .complete(id: $0, ".ent", offset: 4) }.text.contains(".entities"))
    #expect(try client.reply { .arguments(id: $0, "twice(") } == .string("n)"))
    #expect(try client.reply { .isComplete(id: $0, "for i = 1, 2 do") } == .bool(false))
    #expect(try client.reply { .colours(id: $0, "local x = 1", offset: 0) }.text.contains("keyword"))
    try client.run("?twice")
    #expect(client.text.contains("Doubles a number."))
    #expect(listener.clientCount == 1)
  }

  @Test func timersAndObserversRunBetweenLines() throws {
    let listener = try listen()
    let client = try Client.attached(to: path)
    try client.run("Order:on('insert', function() print('new order') end)")
    let order = Order(context: workshop.container.viewContext)
    (order.number, order.total) = (4, 40)
    try workshop.container.viewContext.save()
    guard case .text("new order\n", isMessage: false) = try client.next() else { throw Client.Lost(reason: "no text") }
    #expect(listener.clientCount == 1)
  }

  @Test func theHistorySaysWho() throws {
    let store = try PersistentContainer(
      sockets.file("history.sqlite"), for: OrdersSchema.self, options: Self.recording)
    let console = Console(store)
    let listener = try console.listen(on: .socket(path), access: .full)
    let client = try Client.attached(to: path)
    #expect(try client.run("Order { number = 1, total = 1 } save()").status == 0)
    let user = NSUserName()
    try client.run("for t in store:history():each() do print(t.author) end")
    #expect(client.text.contains("console:\(user)"), "\(client.text) \(client.messages)")
    #expect(listener.clientCount == 1)
  }

  private static var recording: PersistentContainer.Options {
    var options = PersistentContainer.Options()
    options.recordsHistory = true
    return options
  }

  // MARK: The transcript

  @Test func theTranscriptHasEachLineBeforeItsAnswer() throws {
    let entries = Mutex<[TranscriptEntry]>([])
    let listener = try workshop.console.listen(on: .socket(path), access: .full) { entry in
      entries.withLock { $0.append(entry) }
    }
    let client = try Client.attached(to: path)
    try client.run("Order:where('number == 1'):first().total = 11 save()")
    try client.run("show(Order:all(), { mode = 'table' })")
    try client.run("error 'x'")
    let seen = entries.withLock { $0 }
    #expect(seen.map(\.moment) == [.begun, .ended, .begun, .ended, .begun, .ended])
    #expect(seen[1].diff == "~ Order 1: total 10.0 → 11.0\n" || seen[1].diff?.contains("total 10") == true)
    #expect(seen[3].rows == 3 && seen[3].status == 0 && seen[5].status == 1)
    #expect(seen[5].line == "error 'x'" && seen[5].user.id == geteuid() && seen[5].process == getpid())
    #expect(listener.clientCount == 1)
  }

  @Test func aLineThatTheTranscriptDoesNotTakeDoesNotRun() throws {
    let listener = try workshop.console.listen(on: .socket(path), access: .full) { _ in throw WorkerError.stopped("w") }
    let client = try Client.attached(to: path)
    #expect(try client.run("Order:all():delete()").status == 74)
    #expect(try workshop.orders.count == 3)
    #expect(client.text.isEmpty)
    #expect(listener.clientCount == 1)
  }

  @Test func withoutAClosureTheTranscriptIsAFileBesideTheSocket() throws {
    let listener = try listen()
    try Client.attached(to: path).run("Order:count()")
    let lines = try String(contentsOfFile: path + ".transcript", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains("\"line\":\"Order:count()\""))
    #expect(try mode(path + ".transcript") == 0o600)
    #expect(listener.clientCount <= 1)
  }

  // MARK: The socket

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func onlyTheUserCanOpenTheSocket() throws {
    let folder = sockets.file("made")
    let listener = try workshop.console.listen(on: .socket(folder + "/console"), access: .readOnly)
    #expect(try mode(folder) == 0o700 && mode(folder + "/console") == 0o600)
    listener.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(throws: ConsoleError.self) {
      try workshop.console.listen(on: .socket(folder + "/console"), access: .readOnly)
    }
    #expect(throws: ConsoleError.self) {
      try workshop.console.listen(on: .socket("/tmp/" + String(repeating: "x", count: 120)), access: .readOnly)
    }
  }

  @Test func aSocketIsTakenOnlyFromTheDead() throws {
    let listener = try listen()
    #expect(throws: ConsoleError.self) { try listen() }
    listener.close()
    try Data("text".utf8).write(to: URL(filePath: path))
    #expect(throws: ConsoleError.self) { try listen() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
  }

  @Test func aStoreInMemoryHasNoSecondConnection() throws {
    let workshop = try Workshop(inMemory: true)
    let error = #expect(throws: ConsoleError.self) {
      try workshop.console.listen(on: .socket(path), access: .readOnly)
    }
    #expect(error?.message == "a store in memory has no second connection, which listening needs")
  }
}

/// Waits until something is so, two minutes at most.
func expectEventually(_ isSo: () -> Bool) throws {
  for _ in 0..<12_000 {
    if isSo() { return }
    usleep(10_000)
  }
  Issue.record("it was not so within two minutes")
}
