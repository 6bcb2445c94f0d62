import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What others commit is found by looking where there is no history.
@Suite(.seeded) struct FollowedTablesTests {
  let sample: ForeignSample
  var store: SQLiteStore { sample.store }

  init() throws {
    sample = try ForeignSample(history: false)
    for name in ["tag", "quake", "QUAKE_TAGS"] { store.foreignWatch?.follow(table: name) }
  }

  /// The reports on followed tables.
  private func told() throws -> String {
    guard var rows = try store.changesByOthers() else { return "" }
    rows.tables = rows.tables.filter { ["tag", "quake", "quake_tags"].contains($0.key) }
    return rows.line
  }

  @Test func rowsOfOthersAreToldByTheirKeys() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'), ('b'), ('c')")
    #expect(try told() == "tag +1,2,3")
    try sample.elsewhere(
      "UPDATE tag SET label = 'd' WHERE _pk = 2; DELETE FROM tag WHERE _pk = 1; UPDATE tag SET label = label")
    let rows = try #require(try store.changesByOthers())
    #expect(rows.tables["tag"]?.updated == [2] && rows.tables["tag"]?.deleted == [1])
    #expect(rows.tables["tag"]?.formerReferences == nil)
    #expect(try told() == "")
  }

  @Test func aTableThatNobodyFollowsIsUnknown() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    let rows = try #require(try store.changesByOthers())
    #expect(rows.isComplete && rows.isForeign && rows.author == nil)
    #expect(rows.tables["report"]?.isUnknown == true)
    #expect(rows.tables["report"]?.entity == sample.sample.entity("Report"))
    store.foreignWatch?.unfollow(table: "tag")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    #expect(try told() == "tag ?")
    store.foreignWatch?.follow(table: "tag")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try told() == "tag +3")
  }

  /// A result was read, others committed, and then the table was followed: their deletions were never reported.
  @Test func whatOthersCommittedBeforeATableWasFollowedIsNotMissed() throws {
    try sample.sample.sql("INSERT INTO report (text) VALUES ('a'), ('b')")
    _ = try told()
    try sample.elsewhere("DELETE FROM report WHERE _pk = 1")
    store.foreignWatch?.follow(table: "report")
    #expect(try store.changesByOthers()?.tables["report"]?.isUnknown == true)
    try sample.elsewhere("DELETE FROM report WHERE _pk = 2")
    #expect(try store.changesByOthers()?.tables["report"]?.deleted == [2])
  }

  @Test func aThousandRowsAreToldTogether() throws {
    try sample.elsewhere(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO tag (label) SELECT i FROM n")
    #expect(try store.changesByOthers()?.tables["tag"]?.inserted == (1...1000).map(Int64.init))
  }

  @Test func ownCommitsAreNotTold() throws {
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try told() == "tag +3")
    try sample.sample.sql("UPDATE tag SET label = 'd' WHERE _pk = 1; DELETE FROM tag WHERE _pk = 2")
    try sample.sample.sql("UPDATE tag SET label = 'f' WHERE _pk = 3")
    try sample.sample.sql("BEGIN; DELETE FROM tag; ROLLBACK")
    try sample.elsewhere("UPDATE tag SET label = 'e' WHERE _pk = 1")
    #expect(try told() == "tag ~1")
  }

  @Test func whatOthersDidToRowsIsToldThoughThisConnectionWroteThemSince() throws {
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b'), ('c')")
    _ = try told()
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('d'); UPDATE tag SET label = 'e' WHERE _pk = 1")
    try sample.elsewhere("DELETE FROM tag WHERE _pk = 3")
    try sample.sample.sql("UPDATE tag SET label = 'x' WHERE _pk IN (1, 4); INSERT INTO tag (_pk) VALUES (3)")
    let rows = try #require(try store.changesByOthers()?.tables["tag"])
    #expect(rows.inserted == [4] && rows.updated == [1, 3] && rows.deleted == [3])
    #expect(rows.formerReferences == nil)
    #expect(try told() == "")
  }

  @Test func whatAnUnseenRowReferredToIsUnknownOnceThisConnectionDeletedIt() throws {
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    _ = try told()
    try sample.elsewhere("UPDATE tag SET label = 'e' WHERE _pk = 1")
    try sample.sample.sql("DELETE FROM tag WHERE _pk = 1")
    let rows = try #require(try store.changesByOthers()?.tables["tag"])
    #expect(rows.formerReferences == nil)
  }

  @Test func pairsAreToldByWhomTheyReferTo() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'), ('b'); INSERT INTO quake (code) VALUES ('q')")
    _ = try told()
    try sample.elsewhere("INSERT INTO quake_tags (quake_pk, tag_pk) VALUES (1, 1)")
    #expect(try told() == "quake_tags quake_pk=1 tag_pk=1")
    try sample.elsewhere("UPDATE quake_tags SET tag_pk = 2")
    let pairs = try #require(try store.changesByOthers()?.tables["quake_tags"])
    #expect(pairs.formerReferences == ["quake_pk": [.int(1)], "tag_pk": [.int(1)]])
    #expect(pairs.presentReferences == ["quake_pk": [.int(1)], "tag_pk": [.int(2)]])
    try sample.sample.sql("DELETE FROM quake_tags")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try told() == "quake_tags ?; tag +3")
  }

  @Test func anotherSchemaMakesItIncompleteAndIsLookedAtAnew() throws {
    try sample.elsewhere("ALTER TABLE tag ADD COLUMN more; INSERT INTO tag (label, more) VALUES ('a', 1)")
    #expect(try told() == "quake ?; quake_tags ?; tag ?; everything")
    try sample.elsewhere("UPDATE tag SET more = 2")
    #expect(try told() == "tag ~1")
    try sample.elsewhere("DROP TABLE quake_tags; UPDATE tag SET more = 3")
    #expect(try told() == "quake ?; quake_tags ?; tag ?; everything")
  }

  @Test func aCheckpointOrVacuumOfOthersTellsNothing() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'); INSERT INTO quake (code) VALUES ('q')")
    _ = try told()
    try sample.elsewhere("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try told() == "")
    try sample.elsewhere("VACUUM")
    #expect(try told() == "")
  }

  @Test func rowsWithKeysOfColumnsAreToldByTheirNumbers() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "kv.sqlite",
      "CREATE TABLE kv (k TEXT, n INTEGER, v, PRIMARY KEY (n, k)) WITHOUT ROWID; INSERT INTO kv VALUES ('a', 1, 1);")
    let store = try SQLiteStore(StoreOptions(path: path))
    let other = try SQLiteStore(StoreOptions(path: path))
    let entity = try #require(store.model.entities.first)
    store.foreignWatch?.follow(table: "kv")
    try other.connection.execute("INSERT INTO kv VALUES ('b', 1, 2); UPDATE kv SET v = 3 WHERE k = 'a'")
    let table = try #require(try store.changesByOthers()?.tables["kv"])
    #expect(table.inserted.map { store.keyValues(of: entity, key: $0) } == [[.int(1), .string("b")]])
    #expect(table.updated.map { store.keyValues(of: entity, key: $0) } == [[.int(1), .string("a")]])
    _ = try store.sql("UPDATE kv SET v = 4 WHERE k = 'b'")
    try other.connection.execute("DELETE FROM kv WHERE k = 'a'")
    let later = try #require(try store.changesByOthers()?.tables["kv"])
    #expect(later.updated.isEmpty && later.inserted.isEmpty)
    #expect(later.deleted == table.updated)
  }

  /// Random writes of both sides: every row that differs from its last report is reported, and no other.
  @Test(arguments: 0..<20) func everyRowIsToldExactlyOnce(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func write() -> String {
      let key = Int.random(in: 1...12, using: &random)
      return switch Int.random(in: 0...3, using: &random) {
      case 0: "INSERT OR IGNORE INTO tag (_pk, label) VALUES (\(key), \(key))"
      case 1: "INSERT OR REPLACE INTO tag (_pk, label) VALUES (\(key), \(Int.random(in: 0...3, using: &random)))"
      case 2: "UPDATE tag SET label = \(Int.random(in: 0...3, using: &random)) WHERE _pk >= \(key)"
      default: "DELETE FROM tag WHERE _pk = \(key)"
      }
    }
    func rows() throws -> [Value: Value] {
      let rows = try store.connection.all("SELECT _pk, label FROM tag")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 0...3, using: &random) { try sample.sample.sql(write()) }
      let before = try rows()
      for _ in 0..<Int.random(in: 0...3, using: &random) { try sample.elsewhere(write()) }
      let after = try rows()
      let told = try store.changesByOthers()?.tables["tag"]
      let expected = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      let keys = (told?.inserted ?? []) + (told?.updated ?? []) + (told?.deleted ?? [])
      #expect(Set(keys.map(Value.int)) == expected && keys.count == expected.count)
    }
  }
}
