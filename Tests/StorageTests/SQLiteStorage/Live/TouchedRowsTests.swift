import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct TouchedRowsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// What the transactions of `body` touch.
  private func touched(_ store: SQLiteStore, _ body: () throws -> Void) throws -> TouchedRows {
    var touched = TouchedRows()
    let subscription = store.onCommit { touched.formUnion(TouchedRows($0, of: store)) }
    defer { subscription?.cancel() }
    try body()
    return touched
  }

  private func foreign(_ sql: String) throws -> SQLiteStore {
    try SQLiteStore(StoreOptions(path: folder.database("f.sqlite", sql)))
  }

  @Test func rowsAreToldByTheirKeysAndKinds() throws {
    let sample = try Sample()
    let report = try touched(sample.store) {
      _ = try sample.store.sql("INSERT INTO quake(code) VALUES ('a'), ('b')")
      _ = try sample.store.sql("UPDATE quake SET place = 'x', magnitude = 1 WHERE code = 'a'")
      _ = try sample.store.sql("DELETE FROM quake WHERE code = 'b'")
    }
    let table = try #require(report.tables["quake"])
    #expect(report.tables.count == 1)
    #expect(report.isComplete && !report.isForeign)
    #expect(table.entity == sample.entity("Quake"))
    #expect(table.inserted == [1, 2])
    #expect(table.updated == [1])
    #expect(table.deleted == [2])
    #expect(table.updatedColumns == ["place", "magnitude"])
  }

  @Test func whatReferencesHeldBeforeIsKnown() throws {
    let sample = try Sample()
    _ = try sample.store.sql("INSERT INTO quake(code) VALUES ('a'), ('b'), ('c')")
    _ = try sample.store.sql("INSERT INTO report(quake_pk, text) VALUES (1, 'x'), (2, 'y'), (NULL, 'z'), (3, 'w')")
    let moved = try touched(sample.store) {
      _ = try sample.store.sql("UPDATE report SET quake_pk = 3 WHERE _pk < 3; UPDATE report SET text = 'v'")
    }
    #expect(moved.tables["report"]?.formerReferences == ["quake_pk": [.int(1), .int(2)]])
    let gone = try touched(sample.store) { _ = try sample.store.sql("DELETE FROM report WHERE _pk > 2") }
    #expect(gone.tables["report"]?.formerReferences == ["quake_pk": [.int(3)]])
    #expect(gone.tables["report"]?.deleted == [3, 4])
  }

  @Test func pairsTellWhatTheyHoldAndHeld() throws {
    let sample = try Sample()
    _ = try sample.store.sql("INSERT INTO quake(code) VALUES ('a'), ('b'); INSERT INTO tag(label) VALUES ('t'), ('u')")
    let made = try touched(sample.store) {
      _ = try sample.store.sql("INSERT INTO quake_tags(quake_pk, tag_pk) VALUES (1, 2), (2, 2)")
    }
    let pairs = try #require(made.tables["quake_tags"])
    #expect(pairs.inserted.isEmpty)
    #expect(pairs.entity == nil)
    #expect(pairs.presentReferences == ["quake_pk": [.int(1), .int(2)], "tag_pk": [.int(2), .int(2)]])
    #expect(pairs.formerReferences == [:])
    let changed = try touched(sample.store) {
      _ = try sample.store.sql("UPDATE quake_tags SET tag_pk = 1 WHERE quake_pk = 1")
    }
    #expect(changed.tables["quake_tags"]?.presentReferences == ["quake_pk": [.int(1)], "tag_pk": [.int(1)]])
    #expect(changed.tables["quake_tags"]?.formerReferences == ["quake_pk": [.int(1)], "tag_pk": [.int(2)]])
  }

  @Test func pairsWithARowIDAreRead() throws {
    let store = try foreign(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY, x TEXT); CREATE TABLE b(id INTEGER PRIMARY KEY, y TEXT);
      CREATE TABLE a_b(a_id INTEGER REFERENCES a(id), b_id INTEGER REFERENCES b(id));
      INSERT INTO a VALUES (1, 'x'), (2, 'y'); INSERT INTO b VALUES (7, 'x'), (8, 'y'); INSERT INTO a_b VALUES (1, 7);
      """)
    let made = try touched(store) {
      _ = try store.sql("INSERT INTO a_b VALUES (2, 8); UPDATE a_b SET b_id = 8 WHERE a_id = 1")
    }
    let pairs = try #require(made.tables["a_b"])
    #expect(pairs.presentReferences.mapValues(Set.init) == ["a_id": [.int(1), .int(2)], "b_id": [.int(8)]])
    #expect(pairs.formerReferences == ["b_id": [.int(7)]])
  }

  @Test func aKeyOfColumnsThatChangesIsADeletionAndAnInsertion() throws {
    let store = try foreign(
      """
      CREATE TABLE s(net TEXT, code TEXT, name TEXT, PRIMARY KEY (code, net)) WITHOUT ROWID;
      CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT, c TEXT, FOREIGN KEY (n, c) REFERENCES s(net, code));
      INSERT INTO s VALUES ('us', 'a', 'A'); INSERT INTO p VALUES (1, 'us', 'a');
      """)
    let entity = try #require(store.model.entities.first { store.layout(of: $0).table == "s" })
    let before = try store.keys(FetchRequest(entity))
    let changes = try touched(store) {
      _ = try store.sql("PRAGMA foreign_keys = OFF")
      _ = try store.sql("UPDATE s SET code = 'b'; UPDATE p SET c = 'b'")
    }
    let after = try store.keys(FetchRequest(entity))
    #expect(before != after)
    #expect(changes.tables["s"]?.deleted == before)
    #expect(changes.tables["s"]?.inserted == after)
    // The other column of the reference was the same, and is not reported.
    #expect(changes.tables["p"]?.formerReferences == ["c": [.string("a")]])
    #expect(changes.tables["p"]?.formerCombinations == [["n", "c"]: [[nil, .string("a")]]])
  }

  @Test func unionsKnowLessThanTheirParts() {
    func rows(_ change: (inout TouchedRows.Table) -> Void) -> TouchedRows {
      var (rows, table) = (TouchedRows(), TouchedRows.Table(name: "T", entity: nil))
      change(&table)
      rows.tables["t"] = table
      rows.author = "me"
      return rows
    }
    var union = TouchedRows()
    union.formUnion(
      rows {
        $0.updated = [1]
        $0.updatedColumns = ["a"]
        $0.formerReferences = ["r": [.int(1)]]
      })
    union.formUnion(rows { $0.inserted = [2] })
    #expect(union.tables["t"]?.updatedColumns == ["a"])
    union.formUnion(
      rows {
        $0.updated = [3]
        $0.updatedColumns = ["b"]
        $0.formerReferences = ["r": [.int(2)]]
      })
    #expect(union.tables["t"]?.updated == [1, 3])
    #expect(union.tables["t"]?.updatedColumns == ["a", "b"])
    #expect(union.tables["t"]?.formerReferences == ["r": [.int(1), .int(2)]])
    #expect(union.author == "me")
    var other = rows { $0.updated = [4] }
    other.tables["t"]?.formerReferences = nil
    other.author = "you"
    other.isForeign = true
    union.formUnion(other)
    #expect(union.tables["t"]?.updatedColumns == nil)
    #expect(union.tables["t"]?.formerReferences == nil)
    #expect(union.author == nil)
    #expect(union.isForeign && union.isComplete)
    var lost = TouchedRows()
    lost.isComplete = false
    union.formUnion(lost)
    #expect(!union.isComplete)
  }

  @Test func aTransactionThatIsTooLargeIsNotComplete() throws {
    let store = try foreign("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
    let rows = ChangeCapture.rowLimit + 1
    let report = try touched(store) {
      _ = try store.sql(
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) INSERT INTO t SELECT i, i FROM n")
    }
    #expect(!report.isComplete)
  }
}
