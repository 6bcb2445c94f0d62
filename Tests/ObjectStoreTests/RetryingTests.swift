import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import PostgresTestSupport
import Queries
import Stores
import TestSupport
import Testing
import Transfer

/// Saves and batch requests that a server cannot put in order with others are done again, whole, or not at all.
@Suite(.seeded, .enabled(if: PostgresServer.isInstalled)) struct RetryingTests {
  private let server: PostgresServer
  private let database: String
  private let proxy: StrictProxy
  private let shop: Bookshop

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "retrying")
    proxy = try StrictProxy(server, as: ServerProfile(engine: .postgres))
    var options = PostgresOptions(try PostgresAddress(proxy.address(of: database)))
    (options.model, options.create) = (try Bookshop.model(), true)
    shop = Bookshop(in: try PostgresStore(options))
  }

  private func fail(_ seed: UInt64, _ change: (inout StrictProxy.Faults) -> Void) {
    var faults = StrictProxy.Faults(random: SplitMix(seed: seed))
    change(&faults)
    proxy.set(faults)
  }

  private func labels() throws -> [String] {
    let found = try server.psql(database, "SELECT label FROM tag ORDER BY _pk")
    return found.split(separator: "\n").map(String.init)
  }

  @Test func aSaveIsDoneAgainWhole() throws {
    let context = ObjectContext(store: shop.store)
    let (tag, label) = (shop.entity("Tag"), shop.index("Tag", "label"))
    var random = SplitMix(seed: 51)
    var tags: [ManagedObject] = []
    for round in 0..<Effort.rounds(40) {
      for number in 0..<(1 + random.below(40)) {
        if tags.isEmpty || random.chance(oneIn: 3) { tags.append(try context.insert(tag)) }
        try random.pick(tags).setAttribute(at: label, .string("\(round).\(number)"))
      }
      for object in tags where try object.attribute(at: label).isNull {
        try object.setAttribute(at: label, .string("new"))
      }
      fail(52 + UInt64(round)) { $0.serializationFailures = 20 }
      try context.save()
      proxy.set(nil)
    }
    #expect(proxy.tally.serializationFailures > 1)
    let expected = try tags.map { try $0.attribute(at: label).displayText }
    #expect(try labels().sorted() == expected.sorted())
  }

  @Test func aBatchRequestIsDoneAgainWhole() throws {
    for number in 0..<40 { try shop.insert("Tag", ["label": .string("\(number % 4)")]) }
    let context = ObjectContext(store: shop.store)
    fail(53) { $0.serializationFailures = 30 }
    for number in 0..<Effort.rounds(20) {
      let change = (property: shop.index("Tag", "label"), value: Value.string("n\(number)"))
      let result = try context.batchUpdate(try shop.request("Tag", "label != '3'"), [change])
      #expect(result.count == 30)
    }
    #expect(proxy.tally.serializationFailures > 1)
    #expect(try context.batchDelete(try shop.request("Tag", "label == '3'")).count == 10)
    proxy.set(nil)
    #expect(try labels().count == 30)
  }

  @Test func anImportIsDoneAgainWholeWhereItsRowsCanBeReadAgain() throws {
    let rows = (0..<100).map { "{\"label\": \"\($0)\"}" }.joined(separator: "\n")
    let label = shop.index("Tag", "label")
    let store = try #require(shop.store as? PostgresStore)
    let columns = [ImportColumn(field: 0, .attribute(label))]
    func source() -> JSONImportSource { JSONImportSource(JSONRowsReader(bytes: Array(rows.utf8)), names: ["label"]) }
    func run(again: (() throws -> any ImportSource)?) throws -> ImportReport {
      try store.importRows(into: shop.entity("Tag"), from: source(), mapping: columns, again: again)
    }
    var imported = 0
    for seed in 57..<(57 + UInt64(Effort.rounds(10))) {
      fail(seed) { $0.serializationFailures = 4 }
      let before = proxy.tally.serializationFailures
      let report = try run(again: source)
      #expect(report.inserted == 100)
      imported += 100
      if proxy.tally.serializationFailures > before { break }
    }
    proxy.set(nil)
    #expect(proxy.tally.serializationFailures > 0)
    #expect(try labels().count == imported)
    fail(54) { $0.serializationFailures = 1 }
    #expect(fact { _ = try run(again: nil) } == .notSerialized(attempts: 1))
    proxy.set(nil)
    #expect(try labels().count == imported)
  }

  @Test func aBatchInsertIsDoneAgainWholeWhereItsRowsComeAgain() throws {
    let context = ObjectContext(store: shop.store)
    let label = shop.index("Tag", "label")
    var (next, restarts) = (0, 0)
    func row() -> [(property: Int, value: Value)]? {
      next += 1
      return next > 50 ? nil : [(property: label, value: .string("\(next)"))]
    }
    func restart() { (next, restarts) = (0, restarts + 1) }
    func run(_ restart: (() -> Void)?) throws -> BatchResult {
      next = 0
      return try context.batchInsert(shop.entity("Tag"), expecting: 50, resultType: .objectIDs, restart: restart, row)
    }
    fail(58) { $0.serializationFailures = 1 }
    #expect(fact { _ = try run(nil) } == .notSerialized(attempts: 1))
    var inserted = 0
    for seed in 59..<(59 + UInt64(Effort.rounds(10))) where restarts == 0 {
      fail(seed) { $0.serializationFailures = 30 }
      // The result is of the attempt that was committed.
      #expect(try run(restart).objectIDs.count == 50)
      inserted += 50
    }
    proxy.set(nil)
    #expect(restarts > 0)
    #expect(try labels().count == inserted)
  }

  @Test func aRowThatOthersChangeMeanwhileIsNotOverwritten() throws {
    let key = try shop.insert("Tag", ["label": .string("first")])
    let change = [(column: shop.column("Tag", "label"), value: Value.string("mine"))]
    var attempts = 0
    func write() throws {
      try shop.store.transaction {
        attempts += 1
        _ = try shop.keys("Tag")
        if attempts < 3 { try server.psql(database, "UPDATE tag SET label = 'theirs \(attempts)'") }
        _ = try shop.store.update(shop.entity("Tag"), key: key, change)
      }
    }
    let refusal = fact { try write() }
    #expect(refusal == .notSerialized(attempts: 1))
    #expect(try labels() == ["theirs 1"])
    try shop.store.retrying(write)
    #expect(try labels() == ["mine"] && attempts == 3)
  }

  @Test func whatNeverFitsIsGivenUp() throws {
    fail(54) { $0.serializationFailures = 1 }
    let refusal = fact { try shop.store.retrying { _ = try shop.insert("Tag") } }
    guard case .notSerialized(let attempts)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(attempts > 3 && proxy.tally.serializationFailures == attempts)
    #expect(try labels().isEmpty)
  }

  @Test func aPauseIsInterrupted() throws {
    let store = try #require(shop.store as? PostgresStore)
    fail(55) { $0.serializationFailures = 1 }
    store.isInterrupted = { [proxy] in proxy.tally.serializationFailures > 1 }
    let refusal = fact { try store.retrying { _ = try shop.insert("Tag") } }
    #expect(refusal == .interrupted)
    #expect(proxy.tally.serializationFailures == 2)
  }

  @Test func aCommitThatMayHaveBeenDoneIsNotDoneAgain() throws {
    let context = ObjectContext(store: shop.store)
    let object = try context.insert(shop.entity("Tag"))
    try object.setAttribute(at: shop.index("Tag", "label"), .string("once"))
    fail(56) { $0.lostCommits = 1 }
    let refusal = fact { try context.save() }
    guard case .commitUnknown? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(proxy.tally.cuts == 1 && context.hasChanges)
    proxy.set(nil)
    #expect(try labels().count <= 1)
    // The store goes on with a new connection.
    #expect(try shop.store.count(try shop.request("Tag")) <= 1)
  }

  /// Citus says of a node that it lost during the commit: an internal error.
  @Test func aCommitThatANodeMayHaveDoneIsUnknown() throws {
    let others = try server.makeDatabase(for: "nodes")
    try server.psql(others, Conformance.citusCatalog)
    let proxy = try StrictProxy(server, as: ServerProfile(engine: .citus))
    var options = PostgresOptions(try PostgresAddress(proxy.address(of: others)))
    (options.model, options.create) = (try Bookshop.model(), true)
    let shop = Bookshop(in: try PostgresStore(options))
    let lost = "could not commit transaction for shard 102039 on at least one active node"
    try server.psql(
      others,
      """
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION '\(lost)' USING ERRCODE = 'XX000';
      END $$;
      CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON tag DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION lose();
      """)
    let context = ObjectContext(store: shop.store)
    try context.insert(shop.entity("Tag")).setAttribute(at: shop.index("Tag", "label"), .string("once"))
    #expect(fact { try context.save() } == .commitUnknown(lost))
    #expect(context.hasChanges)
  }

  @Test func aConnectionThatIsCutWhileRowsAreCopiedLosesNothing() throws {
    let context = ObjectContext(store: shop.store)
    for number in 0..<3000 {
      try context.insert(shop.entity("Tag")).setAttribute(at: shop.index("Tag", "label"), .string("\(number)"))
    }
    // The statements of a save in their order; each is cut once.
    for seed in 60..<66 as Range<UInt64> {
      fail(seed) { $0.cuts = 6 }
      let refusal = fact { try context.save() }
      proxy.set(nil)
      guard let refusal else { break }
      switch refusal {
      case .connectionLost, .commitUnknown: break
      default: Issue.record("\(refusal)")
      }
      #expect(context.hasChanges)
      let there = try labels().count
      #expect(there == 0 || there == 3000)
      if there == 3000 { return }
    }
    if context.hasChanges { try context.save() }
    #expect(try labels().count == 3000)
  }

  @Test func aNodeThatTheServerLostIsTriedAgain() throws {
    let others = try server.makeDatabase(for: "lost")
    func lose(
      _ times: Int, _ name: String, _ message: String = "connection to the remote node failed",
      _ state: String = "08006"
    ) throws {
      try server.psql(
        name,
        """
        CREATE SEQUENCE IF NOT EXISTS losses;
        SELECT setval('losses', 1, false);
        CREATE OR REPLACE FUNCTION is_lost() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('losses') <= \(times) THEN
            RAISE EXCEPTION E'\(message)\n\tIs it running?' USING ERRCODE = '\(state)';
          END IF;
          RETURN true;
        END $$
        """)
    }
    try lose(3, database)
    try server.psql(
      database,
      """
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM is_lost(); RETURN NEW; END $$;
      CREATE TRIGGER lose BEFORE INSERT ON tag FOR EACH ROW EXECUTE FUNCTION lose();
      """)
    let context = ObjectContext(store: shop.store)
    let (tag, label) = (shop.entity("Tag"), shop.index("Tag", "label"))
    func insert(_ text: String) throws { try context.insert(tag).setAttribute(at: label, .string(text)) }
    try insert("a")
    try context.save()
    #expect(try labels() == ["a"])

    // A definite loss is reported as it is, nothing is written, and the connection to the server is still there.
    try lose(1_000_000, database)
    try insert("b")
    #expect(fact { try context.save() } == .connectionLost("connection to the remote node failed"))
    #expect(try shop.keys("Tag").count == 1)
    try lose(0, database)
    try context.save()
    #expect(try labels() == ["a", "b"])

    // A statement that reads is tried again once.
    try lose(1, others)
    try server.psql(others, "CREATE VIEW whole AS SELECT n AS id FROM generate_series(1, 2) AS n WHERE is_lost()")
    let store = try PostgresStore(PostgresOptions(try PostgresAddress(server.address(of: others))))
    let view = try #require(store.model.entity(named: "Whole"))
    #expect(try store.count(FetchRequest(view)) == 2)
    try lose(1, others, "server closed the connection unexpectedly", "XX000")
    let cursor = try store.cursor(FetchRequest(view), keysOnly: false)
    var rows = 0
    while try cursor.step() { rows += 1 }
    #expect(rows == 2)
    try lose(1_000_000, others)
    #expect(fact { _ = try store.count(FetchRequest(view)) } == .connectionLost("connection to the remote node failed"))
  }
}
