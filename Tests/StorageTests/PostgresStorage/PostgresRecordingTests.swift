import Glibc
import Modeling
import Postgres
import Queries
import Stores
import TestSupport
import Testing

@testable import PostgresStorage

/// What a database records of its changes, by any writer.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresRecordingTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "recording")
  }

  private func open(_ sql: String = "", _ change: (inout PostgresOptions) throws -> Void = { _ in }) throws
    -> PostgresStore
  {
    try server.open(database, after: sql, change)
  }

  private func note() throws -> PostgresStore {
    let model = try Model([EntityDescription("Note", properties: [.attribute(Attribute("text", .string))])])
    return try open { ($0.model, $0.create) = (model, true) }
  }

  private static let shop = """
    CREATE SCHEMA archive;
    CREATE TABLE customer (id serial PRIMARY KEY, name text, mail text UNIQUE);
    CREATE TABLE line (order_id int, number int, sku text, data json, PRIMARY KEY (order_id, number));
    CREATE TABLE label (id uuid PRIMARY KEY, text text);
    CREATE TABLE customer_label (customer_id int REFERENCES customer, label_id uuid REFERENCES label,
      PRIMARY KEY (customer_id, label_id));
    CREATE TABLE keyless (x int);
    CREATE TABLE archive.orders (id int PRIMARY KEY, customer_id int REFERENCES customer ON DELETE CASCADE);
    CREATE VIEW names AS SELECT name FROM customer;
    INSERT INTO customer (name) VALUES ('Ann'), ('Bob');
    INSERT INTO line VALUES (1, 1, 'x', '{}');
    """

  private func told(_ store: PostgresStore, _ sql: String) throws -> TouchedRows? {
    try server.psql(database, sql)
    return try store.changesByOthers()
  }

  private func fact(_ body: () throws -> Void) -> StoreError.Fact? {
    do {
      try body()
      return nil
    } catch { return (error as? StoreError)?.fact }
  }

  @Test func aReaderNumbersTransactionsAsTheNextWriterWill() throws {
    let store = try note()
    try store.setHistoryEnabled(true)
    let reader = try open { $0.isReadOnly = true }
    func tokens(_ store: PostgresStore, since: HistoryToken? = nil) throws -> [Int64] {
      var request = HistoryRequest()
      request.since = since
      return try store.history(request).map(\.token.number)
    }
    // Transactions of other databases of the server hold the reader back, too.
    func awaited(_ wanted: [Int64], since: HistoryToken? = nil) throws -> Bool {
      for _ in 0..<1_000 {
        if try tokens(reader, since: since) == wanted { return true }
        usleep(10_000)
      }
      return false
    }
    #expect(try tokens(reader) == [])
    try server.psql(database, "INSERT INTO note (text) VALUES ('a'), ('b')")
    try server.psql(database, "INSERT INTO note (text) VALUES ('c')")
    #expect(try awaited([2, 3]))
    let first = try reader.currentHistoryToken
    #expect(first.number == 3)
    // A transaction that began before others and still runs may get a smaller number.
    let entity = store.model.entity(named: "Note")!
    try store.transaction {
      _ = try store.insert(entity, [.string("d")], key: nil)
      try store.flush()
      try server.psql(database, "INSERT INTO note (text) VALUES ('e')")
      #expect(try tokens(reader, since: first) == [])
    }
    #expect(try awaited([4, 5], since: first))
    #expect(try tokens(store) == [2, 3, 4, 5])
    #expect(try tokens(reader) == [2, 3, 4, 5] && reader.currentHistoryToken.number == 5)
  }

  @Test func tablesOfOthersAreRecordedWhenSomebodyAsksForIt() throws {
    let store = try open(Self.shop)
    #expect(fact { _ = try store.history(HistoryRequest()) } == .noHistory)
    _ = try store.changesByOthers()
    #expect(try told(store, "UPDATE customer SET name = 'Eve'")?.isComplete == false)
    #expect(store.changeSource(of: ["customer"]) == .polling(seconds: 0.25))
    try store.setHistoryEnabled(true)
    _ = try store.changesByOthers()
    let customers = try #require(try told(store, "UPDATE customer SET name = 'Ada' WHERE id = 1")).tables["customer"]
    #expect(customers?.updated == [1] && customers?.updatedColumns == ["name"])
    #expect(store.changeSource(of: ["customer"]) == .historyAndNotifications)
    #expect(store.changeSource(of: ["keyless"]) == .polling(seconds: 0.25))
    // Another program sees that it is so, and the tables of the record are no entities.
    let other = try open()
    #expect(other.isHistoryEnabled && other.model.entities.count == store.model.entities.count)
  }

  @Test func rowsAreToldByKeysOfAnyKind() throws {
    let store = try open(Self.shop) { $0.history = true }
    _ = try store.changesByOthers()
    let line = store.model.entity(named: "Line")!
    let first = try #require(try store.key(of: line, fromKeyValues: [.int(1), .int(1)]))
    let touched = try #require(
      try told(store, "UPDATE line SET data = '{\"a\": 1}'; INSERT INTO line VALUES (1, 2, 'y', NULL)"))
    let second = try #require(try store.key(of: line, fromKeyValues: [.int(1), .int(2)]))
    #expect(touched.tables["line"]?.updated == [first] && touched.tables["line"]?.inserted == [second])
    #expect(touched.tables["line"]?.updatedColumns == ["data"])
    let label = "11111111-2222-3333-4444-55555555aaaa"
    let pairs = try #require(
      try told(store, "INSERT INTO label VALUES ('\(label)', 't'); INSERT INTO customer_label VALUES (1, '\(label)')"))
    #expect(pairs.tables["label"]?.inserted.count == 1)
    #expect(
      pairs.tables["customer_label"]?.presentReferences == [
        "customer_id": [.int(1)], "label_id": [.string(label.uppercased())],
      ])
    // A key that changes is another row.
    let moved = try #require(try told(store, "UPDATE line SET number = 9 WHERE number = 2"))
    #expect(moved.tables["line"]?.deleted == [second] && moved.tables["line"]?.inserted.count == 1)
    let orders = try #require(try told(store, "INSERT INTO archive.orders VALUES (5, 2)"))
    #expect(orders.tables["archive.orders"]?.inserted == [5])
    let gone = try #require(
      try told(store, "DELETE FROM customer WHERE id = 2")
    ).tables["archive.orders"]
    #expect(gone?.deleted == [5] && gone?.formerReferences == ["customer_id": [.int(2)]])
  }

  @Test func aRowThatCameAgainMayHaveOtherValuesInAnyColumn() throws {
    let store = try open(Self.shop) { $0.history = true }
    _ = try store.changesByOthers()
    let again = "DELETE FROM customer WHERE id = 2; INSERT INTO customer (id, name) VALUES (2, 'Zoe')"
    for sql in ["BEGIN; \(again); COMMIT", again] {
      let customers = try #require(try told(store, sql)).tables["customer"]
      #expect(customers?.updated == [2] && customers?.updatedColumns == nil)
    }
  }

  @Test func whatIsNotKnownRowByRowIsToldByTable() throws {
    let store = try open(Self.shop) { $0.history = true }
    _ = try store.changesByOthers()
    let touched = try #require(try told(store, "INSERT INTO keyless VALUES (1)"))
    #expect(touched.isComplete && touched.tables["keyless"]?.isUnknown == true)
    #expect(try told(store, "TRUNCATE line")?.tables["line"]?.isUnknown == true)
    let own = try toldOfMany("INSERT INTO note (text) SELECT 'x' FROM generate_series(1, 30000)")
    #expect(own.tables["note"]?.isUnknown == true && own.isComplete)
    let parts = try toldOfMany(
      """
      BEGIN;
      INSERT INTO note (text) SELECT 'x' FROM generate_series(1, 15000);
      SAVEPOINT part;
      INSERT INTO note (text) SELECT 'x' FROM generate_series(1, 15000);
      ROLLBACK TO part;
      COMMIT
      """)
    #expect(parts.tables["note"]?.isUnknown == false && parts.tables["note"]?.inserted.count == 15_000)
    let whole = try toldOfMany(
      "BEGIN; INSERT INTO note (text) SELECT 'x' FROM generate_series(1, 15000); UPDATE note SET text = 'y'; COMMIT")
    #expect(whole.tables["note"]?.isUnknown == true && whole.isComplete)
  }

  private func toldOfMany(_ sql: String) throws -> TouchedRows {
    let database = try server.makeDatabase(for: "many")
    let model = try Model([EntityDescription("Note", properties: [.attribute(Attribute("text", .string))])])
    var options = PostgresOptions(try PostgresAddress(server.address(of: database)))
    (options.model, options.create) = (model, true)
    let store = try PostgresStore(options)
    try server.psql(database, sql)
    return try #require(try store.changesByOthers())
  }

  @Test func aTransactionOfOthersIsOneInTheHistory() throws {
    let store = try open(Self.shop) { $0.history = true }
    try server.psql(
      database, "BEGIN; INSERT INTO customer (name) VALUES ('x'); UPDATE customer SET mail = name; COMMIT")
    let history = try store.history(HistoryRequest())
    #expect(history.count == 1 && history[0].author == nil && history[0].processID == nil)
    #expect(history[0].changes.map(\.kind) == [.insert, .update, .update])
    #expect(history[0].changes.last?.updatedProperties == ["mail"])
  }

  @Test func whatComesBehindAndWhatIsUndoneIsNotRecorded() throws {
    let store = try note()
    _ = try store.changesByOthers()
    #expect(try told(store, "BEGIN; INSERT INTO note (text) VALUES ('x'); ROLLBACK") == nil)
    #expect(try told(store, "UPDATE note SET text = text") == nil)
    #expect(try told(store, "CREATE TABLE other (id int); INSERT INTO other VALUES (1)") == nil)
    #expect(try told(store, "BEGIN; SAVEPOINT a; INSERT INTO note (text) VALUES ('x'); COMMIT")?.tables["note"] != nil)
  }

  @Test func sqlByHandIsToldRowByRow() throws {
    let store = try note()
    _ = try store.sql("INSERT INTO note (text) VALUES ('a'), ('b')", [])
    var commits: [(TouchedRows, ReplacedValues)] = []
    let entity = store.model.entity(named: "Note")!
    let subscription = store.onOwnCommit { commits.append(($0.touched, $0.replacedValues(of: entity))) }
    defer { subscription?.cancel() }
    let rows = try store.sql("UPDATE note SET text = ? WHERE text = 'a' RETURNING text", [.string("é\\'")])
    #expect(try rows.step())
    #expect(rows.value(0) == .string("é\\'"))
    #expect(commits.count == 1 && commits[0].0.isComplete && !commits[0].0.isForeign)
    #expect(commits[0].0.tables["note"]?.updated == [1])
    #expect(commits[0].1()[1]?["text"]?.old == .string("a") && commits[0].1()[1]?["text"]?.new == .string("é\\'"))
    #expect(try store.changesByOthers() == nil)
    #expect(throws: StoreError.self) { _ = try store.sql("UPDATE note SET _pk = 1", []) }
    #expect(commits.count == 1)
    _ = try store.sql("SELECT 1", [])
    _ = try store.sql("WITH gone AS (DELETE FROM note RETURNING 1) SELECT count(*) FROM gone", [])
    #expect(commits.count == 2 && commits[1].0.tables["note"]?.deleted == [1, 2])
    _ = try store.reverseSave(.undo)
    #expect(try store.count(FetchRequest(entity)) == 2)
  }

  @Test(arguments: ["Line", "Point", "Name", "Money", "Text", "Json", "Interval", "Record"])
  func aTableMayBeCalledLikeATypeOfTheServer(_ name: String) throws {
    let label = Property.attribute(Attribute("label", .string))
    let model = try Model([EntityDescription(name, properties: [label])])
    let store = try open { ($0.model, $0.create) = (model, true) }
    let entity = store.model.entity(named: name)!
    func labels() throws -> String {
      try server.psql(database, "SELECT string_agg(label, ',' ORDER BY _pk) FROM public.\"\(name.lowercased())\"")
    }
    try store.transaction { for text in ["a", "b"] { try store.insert(entity, [.string(text)], key: nil) } }
    try store.transaction {
      _ = try store.update(entity, key: 1, [(0, .string("c"))])
      _ = try store.delete(entity, key: 2)
      try store.insert(entity, [.string("d")], key: nil)
    }
    #expect(try store.reverseSave(.undo).updated == 1)
    #expect(try labels() == "a,b")
    #expect(try store.reverseSave(.redo).updated == 1)
    #expect(try labels() == "c,d")

    var old: Value?
    let subscription = store.onOwnCommit { old = $0.replacedValues(of: entity)()[1]?["label"]?.old }
    defer { subscription?.cancel() }
    _ = try store.sql("UPDATE public.\"\(name.lowercased())\" SET label = 'e' WHERE label = 'c'", [])
    #expect(old == .string("c"))
  }

  @Test func aSessionOfItsOwnIsWokenOnceATransaction() throws {
    let store = try note()
    _ = try store.changesByOthers()
    let watch = try #require(store.commitWatch)
    let descriptor = try #require(watch.descriptor)
    watch.drain()
    _ = watch.check()
    let listener = try PostgresConnection(PostgresAddress(server.address(of: database))) { false }
    _ = try listener.run("LISTEN _perilune")
    try server.psql(
      database, "BEGIN; INSERT INTO note (text) VALUES ('x'); INSERT INTO note (text) VALUES ('y'); COMMIT")
    var count = 0
    for _ in 0..<200 where count == 0 {
      let notifications = try listener.notifications()
      #expect(notifications.allSatisfy { $0.channel == "_perilune" && $0.payload.isEmpty })
      count += notifications.count
      if count == 0 { usleep(10_000) }
    }
    #expect(count == 1 && descriptor >= 0)
    for _ in 0..<200 where watch.pollInterval != 0 {
      watch.drain()
      if watch.pollInterval != 0 { usleep(10_000) }
    }
    #expect(watch.pollInterval == 0)
    #expect(watch.check())
    #expect(try store.changesByOthers()?.tables["note"]?.inserted.count == 2)
    let interval = try #require(watch.pollInterval)
    #expect(interval > 1)
  }

  @Test func aCommitOfItsOwnWakesNobody() throws {
    let store = try note()
    _ = try store.changesByOthers()
    let watch = try #require(store.commitWatch)
    _ = try #require(watch.descriptor)
    watch.drain()
    _ = watch.check()
    let listener = try PostgresConnection(PostgresAddress(server.address(of: database))) { false }
    _ = try listener.run("LISTEN _perilune")
    _ = try store.sql("INSERT INTO note (text) VALUES ('x')", [])
    for _ in 0..<200 where try listener.notifications().isEmpty { usleep(10_000) }
    watch.drain()
    #expect(watch.pollInterval != 0)
    #expect(!watch.check())
  }

  @Test func afterAReconnectWhatWasMissedIsToldOnce() throws {
    let store = try note()
    _ = try store.changesByOthers()
    let end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()"
    try server.psql(database, end)
    try server.psql(database, "INSERT INTO note (text) VALUES ('missed')")
    try server.psql(database, "INSERT INTO note (text) VALUES ('also')")
    #expect(try store.changesByOthers()?.tables["note"]?.inserted == [1, 2])
    #expect(try store.changesByOthers() == nil)
  }

  @Test func afterAHistoryIsCutOffEverythingIsReadAgain() throws {
    let store = try note()
    try store.setHistoryEnabled(true)
    let other = try open()
    _ = try other.changesByOthers()
    try server.psql(database, "INSERT INTO note (text) VALUES ('x')")
    _ = try store.deleteHistory()
    #expect(try other.changesByOthers()?.isComplete == false)
    #expect(try told(other, "INSERT INTO note (text) VALUES ('y')")?.isComplete == true)
  }

  @Test func aStoreOfAnEarlierVersionRecordsFromItsNextOpening() throws {
    try note().close()
    try server.psql(
      database,
      "DROP FUNCTION _perilune_on_1() CASCADE; DROP TABLE _perilune_change, _perilune_image, _perilune_undo, _perilune_history"
    )
    let reader = try open { $0.isReadOnly = true }
    #expect(reader.changeSource(of: ["note"]) == .polling(seconds: 0.25))
    reader.close()
    let store = try open()
    #expect(try told(store, "INSERT INTO note (text) VALUES ('x')")?.tables["note"]?.inserted == [1])
  }

  @Test func othersNeedNoRightsOnTheRecord() throws {
    let store = try note()
    _ = try store.changesByOthers()
    let role = "writer_\(database)"
    try server.psql(
      database,
      "CREATE ROLE \(role) LOGIN; GRANT SELECT, INSERT, UPDATE ON note TO \(role); GRANT USAGE ON SCHEMA public TO \(role)"
    )
    let connection = try PostgresConnection(PostgresAddress(server.address(of: database, user: role))) { false }
    _ = try connection.run("INSERT INTO note (text) VALUES ('x')")
    #expect(throws: StoreError.self) { _ = try connection.run("SELECT * FROM _perilune_change") }
    #expect(try store.changesByOthers()?.tables["note"]?.inserted == [1])
  }

  @Test func whatWasRecordedForNobodyIsForgotten() throws {
    let store = try note()
    try server.psql(database, "INSERT INTO note (text) VALUES ('x')")
    try server.psql(database, "UPDATE _perilune_transaction SET time = time - interval '2 hours'")
    for _ in 0..<RecordedSaves.count {
      _ = try store.insert(store.model.entity(named: "Note")!, [.string("y")])
    }
    try server.psql(database, "SELECT _perilune_prune()")
    #expect(
      try server.psql(database, "SELECT count(*) FROM _perilune_transaction WHERE time < now() - interval '1 hour'")
        == "0")
    #expect(try server.psql(database, "SELECT count(*) FROM _perilune_undo") == "20")
    #expect(try server.psql(database, "SELECT count(*) FROM _perilune_image") == "20")
    #expect(try store.changesByOthers()?.isComplete != nil)
  }

  @Test func theMakingOfAStoreIsNoStepOfLaterSessions() throws {
    let model = try Model([EntityDescription("Note", properties: [.attribute(Attribute("text", .string))])])
    let maker = try open { ($0.model, $0.create, $0.isMaking) = (model, true, true) }
    let entity = try #require(maker.model.entity(named: "Note"))
    for _ in 0..<2 { _ = try maker.insert(entity, [.string("x")]) }
    _ = try maker.reverseSave(.undo)
    _ = try maker.reverseSave(.redo)
    let later = try open { ($0.model, $0.isMaking) = (model, true) }
    #expect(fact { _ = try later.saveToReverse(.undo) } == .nothingTo(.undo))
    _ = try maker.reverseSave(.undo)
    #expect(fact { _ = try later.reverseSave(.undo) } == .nothingTo(.undo))
    let own = try #require(later.model.entity(named: "Note"))
    try later.attributing(TransactionInfo(author: "ann")) { _ = try later.insert(own, [.string("y")]) }
    #expect(fact { _ = try maker.reverseSave(.redo) } == .nothingTo(.redo))
    let save = try open { $0.model = model }.saveToReverse(.undo)
    #expect(save.author == "ann" && !save.isOwn)
    _ = try later.reverseSave(.undo)
    #expect(fact { _ = try later.reverseSave(.undo) } == .nothingTo(.undo))
  }

  private enum RecordedSaves { static let count = 25 }

  @Test func whereThereAreNoTriggersSavesWriteTheRecord() throws {
    var weak = ServerProfile(engine: .yugabyte)
    weak.version = "PostgreSQL"
    let model = try Model([
      EntityDescription(
        "Note",
        properties: [
          .attribute(Attribute("text", .string)), .attribute(Attribute("size", .double)),
          .relationship(Relationship(toMany: "tags", "Tag", inverse: "notes")),
        ]),
      EntityDescription("Tag", properties: [.relationship(Relationship(toMany: "notes", "Note", inverse: "tags"))]),
    ])
    let store = try open { ($0.model, $0.create, $0.profile) = (model, true, weak) }
    #expect(fact { _ = try store.history(HistoryRequest()) } == .noHistory)
    try store.setHistoryEnabled(true)
    let (note, tag) = (store.model.entity(named: "Note")!, store.model.entity(named: "Tag")!)
    var key: Int64 = 0
    try store.attributing(TransactionInfo(author: "ann")) {
      try store.transaction {
        key = try store.insert(note, [.string("a"), .null])
        try store.link(note.index(of: "tags")!, in: note, owner: key, member: try store.insert(tag, []), order: nil)
      }
    }
    _ = try store.update(note, key: key, [(1, .double(2))])
    // Others' writes are not in it, so that live results ask whether other connections have written.
    _ = try store.changesByOthers()
    usleep(300_000)
    #expect(try told(store, "UPDATE note SET text = 'b'")?.isComplete == false)
    #expect(store.changeSource(of: ["note"]) == .polling(seconds: 0.25))
    _ = try store.delete(note, key: key)
    let history = try store.history(HistoryRequest())
    let kinds = history.map { $0.changes.map { "\($0.kind) \($0.entityName)" }.sorted() }
    #expect(kinds == [["insert Note", "insert Tag"], ["update Note"], ["delete Note", "update Tag"]])
    #expect(history[0].author == "ann" && history[2].author == nil)
    #expect(history[1].changes[0].updatedProperties == ["size"])
    let undo = StoreError.Fact.lacking(server: "YugabyteDB", feature: "triggers that record what a save has changed")
    #expect(fact { _ = try store.reverseSave(.undo) } == undo)
  }

  @Test func aBulkInsertIsTakenBackWithWhatBecameOfItsRowsMeanwhile() throws {
    let store = try note()
    let entity = store.model.entity(named: "Note")!
    func texts() throws -> String {
      try server.psql(database, "SELECT text, count(*) FROM note GROUP BY text ORDER BY text")
    }
    func refuse() -> StoreError.Fact? { fact { _ = try store.reverseSave(.undo) } }
    func insert(_ then: (Int64) throws -> Void) throws {
      try store.bulkInsert(into: entity, expecting: 90_000) {
        var last: Int64 = 0
        for number in 0..<5000 { last = try store.insert(entity, [.string(number < 10 ? "a" : "b")], key: nil) }
        try then(last)
      }
    }
    try insert { key in _ = try store.update(entity, key: key, [(0, .string("c"))]) }
    let there = try texts()
    #expect(there == "a|10\nb|4989\nc|1")
    #expect(try store.reverseSave(.undo).deleted == 5000)
    #expect(try texts() == "")
    #expect(try store.reverseSave(.redo).inserted == 5000)
    #expect(try texts() == there)
    // What others have changed since is found.
    try insert { _ in }
    try server.psql(database, "UPDATE note SET text = 'd' WHERE _pk = (SELECT max(_pk) FROM note)")
    guard case .changedSince(_, let conflicts)? = refuse() else {
      Issue.record("a row that others changed is taken back")
      return
    }
    #expect(conflicts.count == 1)
    // A row that is gone before the end was never there; nothing distinguishes it from a deleted one.
    try insert { key in _ = try store.delete(entity, key: key) }
    #expect(refuse() == .notUndoable(.tooLarge))
  }

  @Test func columnsMayBearTheNamesThatTheTriggersUse() throws {
    let store = try open("CREATE TABLE thing (id int PRIMARY KEY, r text, o text, d text)") { $0.history = true }
    _ = try store.sql("INSERT INTO thing VALUES (1, 'red', 'old', 'deep')", [])
    func things() throws -> String { try server.psql(database, "SELECT * FROM thing") }
    let before = try things()
    for change in ["UPDATE thing SET d = 'flat'", "UPDATE thing SET id = 2, r = NULL", "DELETE FROM thing"] {
      _ = try store.sql(change, [])
      #expect(try things() != before)
      _ = try store.reverseSave(.undo)
      #expect(try things() == before)
    }
  }

  @Test func tooMuchCannotBeTakenBack() throws {
    let store = try note()
    // The statements of a transaction count together, and so do those that copy the rows of an import.
    try store.transaction {
      for _ in 0..<2 {
        _ = try store.sql("INSERT INTO note (text) SELECT 'x' FROM generate_series(1, 60000)", [])
      }
    }
    #expect(fact { _ = try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
    let entity = store.model.entity(named: "Note")!
    try store.bulkInsert(into: entity, expecting: 100_001) {
      for _ in 0..<100_001 { try store.insert(entity, [.string("x")], key: nil) }
    }
    #expect(fact { _ = try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
    // None of its rows was kept.
    let kept =
      "SELECT count(*) FROM _perilune_image WHERE new IS NOT NULL AND tx = (SELECT max(tx) FROM _perilune_undo)"
    #expect(try server.psql(database, kept) == "0")
    _ = try store.sql("UPDATE note SET text = 'y' WHERE _pk = 1", [])
    try server.psql(database, "ALTER TABLE note ADD COLUMN more text")
    #expect(fact { _ = try store.reverseSave(.undo) } == .notUndoable(.schemaChanged(table: "note")))
  }
}
