import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct UndoSaveTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }
  let folder: TemporaryFolder
  init() throws {
    sample = try Sample()
    folder = try TemporaryFolder()
  }

  private func count(_ name: String) throws -> Int { try store.count(sample.request(name)) }

  /// A file of its own for a store that other programs write to as well.
  private func file() throws -> StoreOptions {
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Sample.model()
    return options
  }

  private func other(_ sql: String) throws -> (TemporaryFolder, SQLiteStore) {
    let folder = try TemporaryFolder()
    return (folder, try SQLiteStore(StoreOptions(path: try folder.database("o.sqlite", sql))))
  }

  @Test func withoutASaveThereIsNothingToUndo() throws {
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
    #expect(fact { try store.reverseSave(.redo) } == .nothingTo(.redo))
    _ = try store.sql("DELETE FROM quake; UPDATE tag SET label = 'x'")
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
  }

  @Test func whatWasDoneIsCounted() throws {
    let quake = try sample.insert("Quake", ["code": "a".value])
    try store.transaction {
      _ = try store.update(sample.entity("Quake"), key: quake, [(0, "b".value)])
      let tag = try sample.insert("Tag", ["label": "t".value])
      try store.link(
        sample.index("Quake", "tags"), in: sample.entity("Quake"), owner: quake, member: tag, order: nil)
    }
    let undone = try store.reverseSave(.undo)
    #expect((undone.inserted, undone.updated, undone.deleted, undone.links) == (0, 1, 1, 1))
    let redone = try store.reverseSave(.redo)
    #expect((redone.inserted, redone.updated, redone.deleted, redone.links) == (1, 1, 0, 1))
    #expect(redone.time == undone.time)
  }

  @Test func aNewSaveForgetsWhatCouldBeRedone() throws {
    try sample.insert("Tag", ["label": "a".value])
    _ = try store.reverseSave(.undo)
    try sample.insert("Tag", ["label": "b".value])
    #expect(fact { try store.reverseSave(.redo) } == .nothingTo(.redo))
  }

  @Test func onlyTheLastSavesAreKept() throws {
    for _ in 0..<SaveJournal.saveLimit + 5 { try sample.insert("Tag", ["label": "a".value]) }
    for _ in 0..<SaveJournal.saveLimit { _ = try store.reverseSave(.undo) }
    #expect(try count("Tag") == 5)
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
  }

  @Test func onlyTheLastSavesOfALimitedSizeAreKept() throws {
    for _ in 0..<6 { _ = try store.sql("INSERT INTO quake(raw) VALUES (zeroblob(\(SaveJournal.byteLimit / 5)))") }
    for key in 1...6 { _ = try store.sql("DELETE FROM quake WHERE _pk = \(key)") }
    for _ in 0..<4 { _ = try store.reverseSave(.undo) }
    #expect(try count("Quake") == 4)
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
  }

  @Test func savesOfEarlierRunsAreUndoneAndRedone() throws {
    let options = try file()
    var store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO tag(label) VALUES ('a')")
    store.close()
    store = try SQLiteStore(StoreOptions(path: options.path))
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store)["tag"] == [])
    store.close()
    store = try SQLiteStore(StoreOptions(path: options.path))
    _ = try store.reverseSave(.redo)
    #expect(try snapshot(store)["tag"]?.count == 1)
  }

  // MARK: What others did

  @Test func rowsThatOthersChangedAreListedAndNothingIsUndone() throws {
    let options = try file()
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO tag(label) VALUES ('kept'), ('changed'), ('deleted')")
    _ = try store.sql(
      """
      BEGIN; UPDATE tag SET label = label || '!'; INSERT INTO tag(label) VALUES ('new');
      DELETE FROM tag WHERE _pk = 1; COMMIT
      """)
    _ = try sqlite3(
      options.path,
      """
      UPDATE tag SET label = 'x' WHERE _pk = 2; DELETE FROM tag WHERE _pk = 3; INSERT INTO tag(_pk) VALUES (1);
      UPDATE tag SET label = 'y' WHERE _pk = 4;
      """)
    let before = try snapshot(store)
    let conflicts = [
      ReversalConflict(entity: "Tag", key: "1", reason: .insertedAgain),
      ReversalConflict(entity: "Tag", key: "2", reason: .changed(["label"])),
      ReversalConflict(entity: "Tag", key: "3", reason: .deleted),
      ReversalConflict(entity: "Tag", key: "4", reason: .changed([])),
    ]
    #expect(fact { try store.reverseSave(.undo) } == .changedSince(.undo, conflicts))
    #expect(try snapshot(store) == before)
  }

  @Test func whatOthersHaveChangedIsNamedAsInTheModel() throws {
    let options = try file()
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO quake(code) VALUES ('a'), ('b'), ('c'); INSERT INTO report(quake_pk) VALUES (1)")
    _ = try store.sql("UPDATE report SET quake_pk = 2")
    _ = try sqlite3(options.path, "UPDATE report SET quake_pk = 3")
    let expected = ReversalConflict(entity: "Report", key: "1", reason: .changed(["quake"]))
    #expect(fact { try store.reverseSave(.undo) } == .changedSince(.undo, [expected]))
  }

  @Test func othersChangesOfOtherColumnsStay() throws {
    let key = try sample.insert("Report", ["text": "a".value, "score": .int(1)])
    _ = try store.sql("UPDATE report SET text = 'b'")
    // As another connection would: nothing of it is recorded.
    store.commits?.capture.stop()
    try store.connection.execute("UPDATE report SET score = 2")
    _ = try store.reverseSave(.undo)
    #expect(try store.connection.all("SELECT _pk, text, score FROM report") == [[.int(key), "a".value, .int(2)]])
  }

  @Test func aRowThatOthersReferToDoesNotGo() throws {
    let options = try file()
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO quake(code) VALUES ('a')")
    _ = try sqlite3(options.path, "INSERT INTO report(quake_pk) VALUES (1)")
    let expected = ReversalConflict(entity: "Quake", key: "1", reason: .referredTo(by: "Report 1"))
    #expect(fact { try store.reverseSave(.undo) } == .changedSince(.undo, [expected]))
    _ = try sqlite3(options.path, "DELETE FROM report")
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store)["quake"] == [])
  }

  @Test func aRowDoesNotComeBackWithoutWhatItRefersTo() throws {
    let options = try file()
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO quake(code) VALUES ('a'); INSERT INTO report(quake_pk) VALUES (1)")
    _ = try store.sql("DELETE FROM report")
    _ = try sqlite3(options.path, "DELETE FROM quake")
    let expected = ReversalConflict(entity: "Report", key: "1", reason: .leadsNowhere(to: "Quake 1"))
    #expect(fact { try store.reverseSave(.undo) } == .changedSince(.undo, [expected]))
  }

  @Test func aUniqueValueThatOthersTookIsNamed() throws {
    let options = try file()
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO quake(code) VALUES ('a')")
    _ = try store.sql("UPDATE quake SET code = 'b'")
    _ = try sqlite3(options.path, "INSERT INTO quake(code) VALUES ('a')")
    #expect(
      fact { try store.reverseSave(.undo) } == .notUnique(entity: "Quake", properties: ["code"], values: []))
    #expect(try store.connection.all("SELECT code FROM quake ORDER BY _pk") == [["b".value], ["a".value]])
    #expect(try store.connection.first("PRAGMA foreign_keys") == .int(1))
  }

  // MARK: What cannot be undone

  @Test func aTransactionThatIsOpenIsInTheWay() throws {
    try sample.insert("Tag", ["label": "a".value])
    try store.transaction { #expect(fact { try store.reverseSave(.undo) } == .openTransaction) }
    try store.beginDryRun()
    #expect(fact { try store.reverseSave(.undo) } == .openTransaction)
    try store.endDryRun(keeping: false)
    _ = try store.reverseSave(.undo)
    #expect(try count("Tag") == 0)
  }

  @Test func aDryRunThatIsKeptIsOneSave() throws {
    try store.beginDryRun()
    try sample.insert("Tag", ["label": "a".value])
    try sample.insert("Tag", ["label": "b".value])
    try store.endDryRun(keeping: true)
    _ = try store.reverseSave(.undo)
    #expect(try count("Tag") == 0)
  }

  @Test func aTransactionThatIsTooLargeSaysSo() throws {
    try sample.insert("Tag", ["label": "a".value])
    _ = try store.sql(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(ChangeCapture.rowLimit + 1))
      INSERT INTO tag(label) SELECT i FROM n
      """)
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
    try sample.insert("Tag", ["label": "b".value])
    _ = try store.reverseSave(.undo)
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
  }

  @Test func aValueThatIsTooLargeSaysSo() throws {
    _ = try store.sql("INSERT INTO quake(code, raw) VALUES ('a', zeroblob(\(ChangeCapture.byteLimit + 1)))")
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
    _ = try store.sql("UPDATE quake SET raw = NULL")
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.tooLarge))
    _ = try store.sql("UPDATE quake SET raw = x'00'")
    _ = try store.reverseSave(.undo)
    #expect(try store.connection.first("SELECT raw FROM quake") == .null)
  }

  @Test func valuesThatChangedPlacesDoSoAgain() throws {
    for code in ["a", "b", "c"] { try sample.insert("Quake", ["code": code.value]) }
    let before = try snapshot(store)
    _ = try store.sql("BEGIN; UPDATE quake SET code = '-' || code")
    for (key, code) in [(1, "b"), (2, "c"), (3, "a")] {
      _ = try store.sql("UPDATE quake SET code = '\(code)' WHERE _pk = \(key)")
    }
    _ = try store.sql("COMMIT")
    let after = try snapshot(store)
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store) == before)
    _ = try store.reverseSave(.redo)
    #expect(try snapshot(store) == after)
  }

  @Test func aChangeOfTheSchemaEndsWhatCanBeUndone() throws {
    let (folder, store) = try other("CREATE TABLE t(id INTEGER PRIMARY KEY, a); CREATE TABLE u(id INTEGER PRIMARY KEY)")
    defer { withExtendedLifetime(folder) {} }
    _ = try store.sql("INSERT INTO t(a) VALUES (1)")
    _ = try store.sql("ALTER TABLE t ADD COLUMN b DEFAULT 3")
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.schemaChanged(table: "t")))
    _ = try store.sql("BEGIN; INSERT INTO u DEFAULT VALUES; CREATE TABLE v(a); INSERT INTO v VALUES (1); COMMIT")
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.schemaChanged(table: nil)))
    _ = try store.sql("CREATE INDEX i ON t(a); INSERT INTO t(a) VALUES (2); CREATE INDEX j ON t(b)")
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store)["t"]?.count == 1)
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `text is taken back in each encoding that a file may have`(encoding: String) throws {
    // The hook does not report the rows of a table with a default as they are; these are read by a query.
    let (folder, store) = try other(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE TABLE u(id INTEGER PRIMARY KEY, a TEXT, b TEXT DEFAULT 'x');
      CREATE TABLE k(a TEXT PRIMARY KEY, b TEXT) WITHOUT ROWID;
      INSERT INTO t(a, b) VALUES ('Ōsaka', ''), ('a' || char(0) || 'b', NULL), (printf('%.5000c', '√'), '🌋'), (x'00ff', 1);
      INSERT INTO u SELECT * FROM t;
      INSERT INTO k SELECT a, b FROM t WHERE typeof(a) = 'text';
      """)
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.connection.first("PRAGMA encoding") == encoding.value)
    let before = try snapshot(store)
    for change in ["a = a || 'é'", "b = coalesce(b, '') || 'é'"] {
      _ = try store.sql("BEGIN; UPDATE t SET \(change); UPDATE u SET \(change); UPDATE k SET \(change); COMMIT")
      let after = try snapshot(store)
      #expect(after["t"] != before["t"] && after["u"] != before["u"] && after["k"] != before["k"])
      _ = try store.reverseSave(.undo)
      #expect(try snapshot(store) == before)
      _ = try store.reverseSave(.redo)
      #expect(try snapshot(store) == after)
      _ = try store.reverseSave(.undo)
    }
    _ = try store.sql("BEGIN; DELETE FROM t; DELETE FROM u; DELETE FROM k; COMMIT")
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store) == before)
  }

  @Test func virtualTablesCannotBeUndone() throws {
    let (folder, store) = try other("CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE t(a)")
    defer { withExtendedLifetime(folder) {} }
    _ = try store.sql("INSERT INTO t VALUES (1)")
    _ = try store.sql("INSERT INTO f VALUES ('some text')")
    guard case .notUndoable(.virtualTable)? = fact({ try store.reverseSave(.undo) }) else {
      Issue.record("a virtual table was undone")
      return
    }
  }

  @Test func aFullTextTableBesideTheEntitiesHidesNoChanges() throws {
    let store = try SQLiteStore(try file())
    _ = try store.sql(
      """
      CREATE VIRTUAL TABLE f USING fts5(a);
      CREATE TRIGGER t AFTER INSERT ON tag BEGIN INSERT INTO f VALUES (NEW.label); END
      """)
    var told: [ChangeSet] = []
    let subscription = store.onCommit { told.append($0) }
    defer { subscription?.cancel() }
    for label in ["a", "b"] {
      _ = try store.sql("INSERT INTO tag(label) VALUES ('\(label)')")
      #expect(told.last?.isComplete == true && told.last?.tables.map(\.name) == ["tag"])
      #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.virtualTable("f")))
    }
    _ = try store.sql("DELETE FROM quake")
    _ = try store.sql("INSERT INTO f VALUES ('c')")
    #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.virtualTable("f")))
  }

  @Test func aMigrationForgetsSaves() throws {
    var options = try file()
    var store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO tag(label) VALUES ('a')")
    store.close()
    options.model = try Model(
      Sample.model().entities.map(\.description) + [EntityDescription("More", properties: [])])
    store = try SQLiteStore(options)
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
    _ = try store.sql("DELETE FROM tag")
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store)["tag"]?.count == 1)
  }

  @Test(arguments: 0..<64)
  func rubbishInTheRecordIsAnError(seed: Int) throws {
    try sample.insert("Quake", ["code": "a".value, "magnitude": .double(1)])
    _ = try store.sql("UPDATE quake SET code = 'b', magnitude = 3; INSERT INTO tag(label) VALUES ('t')")
    guard case .data(var bytes)? = try store.connection.first("SELECT changes FROM _perilune_undo ORDER BY number DESC")
    else { return }
    var random = SplitMix(seed: UInt64(seed + 1))
    for _ in 0..<3 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      default: bytes.insert(.random(in: 0...255, using: &random), at: Int.random(in: bytes.indices, using: &random))
      }
      if bytes.isEmpty { break }
    }
    store.commits?.capture.stop()
    try store.connection.run(
      "UPDATE _perilune_undo SET changes = ? WHERE number = (SELECT max(number) FROM _perilune_undo)", [.data(bytes)])
    let before = try snapshot(store)
    if fact({ try store.reverseSave(.undo) }) != nil { #expect(try snapshot(store) == before) }
  }

  @Test func theMakingOfAStoreIsNoStepOfLaterSessions() throws {
    var options = try file()
    options.isMaking = true
    var maker: SQLiteStore? = try SQLiteStore(options)
    let tag = try #require(maker?.model.entity(named: "Tag"))
    for _ in 0..<2 { _ = try maker?.insert(tag, maker!.layout(of: tag).columns.map { _ in .null }) }
    _ = try maker?.reverseSave(.undo)
    _ = try maker?.reverseSave(.redo)
    maker?.close()
    maker = nil
    // The writes of a script to an existing store can be undone.
    let later = try SQLiteStore(options)
    #expect(fact { try later.reverseSave(.undo) } == .nothingTo(.undo))
    _ = try later.sql("DELETE FROM tag")
    later.close()
    #expect(try SQLiteStore(options).reverseSave(.undo).inserted == 2)
  }

  @Test func aJournalOfAFormerVersionGetsAuthors() throws {
    let options = try file()
    let former = try SQLiteStore(options)
    _ = try former.sql("INSERT INTO tag(label) VALUES ('a')")
    try former.connection.execute(
      "ALTER TABLE _perilune_undo DROP COLUMN author; ALTER TABLE _perilune_undo DROP COLUMN process")
    former.close()
    let store = try SQLiteStore(options)
    let save = try store.saveToReverse(.undo)
    #expect(save.author == nil && !save.isOwn && save.deleted.count == 1)
    try store.attributing(TransactionInfo(author: "ann")) { _ = try store.sql("UPDATE tag SET label = 'b'") }
    #expect(try store.saveToReverse(.undo).author == "ann")
    _ = try store.reverseSave(.undo)
    _ = try store.reverseSave(.undo)
    #expect(fact { try store.reverseSave(.undo) } == .nothingTo(.undo))
  }

  @Test func aTableOfRubbishIsAnError() throws {
    try sample.insert("Tag", ["label": "a".value])
    try store.connection.execute("UPDATE _perilune_undo SET role = 'x', changes = 'text', time = 'now'")
    guard case .corrupt? = fact({ try store.reverseSave(.undo) }) else {
      Issue.record("rubbish was undone")
      return
    }
  }

  @Test func theHistoryTellsOfAnUndo() throws {
    try store.setHistoryEnabled(true)
    try sample.insert("Tag", ["label": "a".value])
    _ = try store.sql("UPDATE tag SET label = 'b'")
    _ = try store.sql("INSERT INTO quake(_pk, code) VALUES (55, 'a')")
    let answers = try store.sql("SELECT last_insert_rowid(), changes()")
    #expect(try answers.step())
    #expect((0..<2).map(answers.value) == [.int(55), .int(1)])
    answers.close()
    _ = try store.reverseSave(.undo)
    _ = try store.reverseSave(.undo)
    #expect(
      try store.history().map { $0.changes.map(\.kind) } == [[.insert], [.update], [.insert], [.delete], [.update]])
  }

  // MARK: Triggers

  @Test func whatTriggersChangeWhileASaveIsTakenBackIsPutRight() throws {
    let (folder, store) = try other(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a, n DEFAULT 0);
      CREATE TRIGGER counting AFTER UPDATE ON t WHEN old.n = new.n BEGIN UPDATE t SET n = n + 1 WHERE id = new.id; END;
      CREATE TRIGGER shouting AFTER UPDATE ON t WHEN new.n > 0 BEGIN UPDATE t SET a = upper(a) WHERE id = new.id; END;
      INSERT INTO t(a) VALUES ('x');
      """)
    defer { withExtendedLifetime(folder) {} }
    func row() throws -> [Value]? { try store.connection.all("SELECT a, n FROM t").first }
    let before = try row()
    _ = try store.sql("UPDATE t SET a = 'y'")
    let after = try row()
    #expect(before == ["x".value, .int(0)] && after?[1] != .int(0))
    _ = try store.reverseSave(.undo)
    #expect(try row() == before)
    _ = try store.reverseSave(.redo)
    #expect(try row() == after)
  }

  @Test func aRowThatATriggerDeletesWhileASaveIsTakenBackIsThereAgain() throws {
    let (folder, store) = try other(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a);
      CREATE TRIGGER leaving AFTER UPDATE ON t WHEN new.a = 'x' BEGIN DELETE FROM t WHERE id = new.id; END;
      INSERT INTO t(a) VALUES ('x'), ('z');
      """)
    defer { withExtendedLifetime(folder) {} }
    func rows() throws -> [[Value]] { try store.connection.all("SELECT id, a FROM t ORDER BY id") }
    let before = try rows()
    _ = try store.sql("UPDATE t SET a = 'y'")
    _ = try store.reverseSave(.undo)
    #expect(try rows() == before)
  }

  @Test func triggersOfTheUserDoNotRunTwice() throws {
    _ = try store.sql(
      """
      CREATE TABLE audit(what);
      CREATE TRIGGER audited AFTER UPDATE ON tag BEGIN INSERT INTO audit VALUES (new.label); END;
      CREATE TRIGGER shouting AFTER INSERT ON tag BEGIN UPDATE tag SET label = upper(label) WHERE _pk = new._pk; END;
      """)
    let empty = try snapshot(store)
    try sample.insert("Tag", ["label": "a".value])
    let inserted = try snapshot(store)
    _ = try store.sql("UPDATE tag SET label = 'b'")
    let updated = try snapshot(store)
    _ = try store.sql("DELETE FROM tag")
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store) == updated)
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store) == inserted)
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store) == empty)
    _ = try store.reverseSave(.redo)
    #expect(try snapshot(store) == inserted)
  }

  @Test func derivedAttributesFollowWhatOthersDid() throws {
    var total = Attribute("total", .integer64)
    total.derivation = "reports.@count"
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([
      EntityDescription(
        "Quake",
        properties: [.attribute(total), .relationship(Relationship(toMany: "reports", "Report", inverse: "quake"))]),
      EntityDescription(
        "Report", properties: [.relationship(Relationship(toOne: "quake", "Quake", inverse: "reports"))]),
    ])
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO quake DEFAULT VALUES; INSERT INTO report(quake_pk) VALUES (1), (1)")
    _ = try store.sql("DELETE FROM report WHERE _pk = 1")
    store.commits?.capture.stop()
    try store.connection.execute("INSERT INTO report(_pk, quake_pk) VALUES (9, 1)")
    _ = try store.reverseSave(.undo)
    #expect(try store.connection.first("SELECT total FROM quake") == .int(3))
  }
}
