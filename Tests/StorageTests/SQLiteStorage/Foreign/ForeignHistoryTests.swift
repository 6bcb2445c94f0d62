import Foundation
import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The history reports remote commits, if there is one.
@Suite struct ForeignHistoryTests {
  let sample: ForeignSample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try ForeignSample(history: true) }

  @Test func aRowOfAnotherConnectionIsToldByItsKey() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'), ('b')")
    #expect(try sample.told() == "tag +1,2")
    try sample.elsewhere("UPDATE tag SET label = 'c' WHERE _pk = 2")
    #expect(try sample.told() == "tag ~2")
    try sample.elsewhere("DELETE FROM tag WHERE _pk = 1")
    #expect(try sample.told() == "tag -1")
    #expect(try sample.told() == "")
  }

  @Test func aRowIsToldOnceHoweverOftenItWasWritten() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'), ('b'), ('c')")
    _ = try sample.told()
    try sample.elsewhere(
      """
      INSERT INTO tag (label) VALUES ('d'); UPDATE tag SET label = 'x'; DELETE FROM tag WHERE _pk IN (2, 4);
      DELETE FROM tag WHERE _pk = 3; INSERT INTO tag (_pk, label) VALUES (3, 'y')
      """)
    #expect(try sample.told() == "tag ~1,3 -2")
  }

  @Test func aThousandRowsAreToldTogether() throws {
    try sample.elsewhere(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO tag (label) SELECT i FROM n")
    let rows = try #require(try store.changesByOthers())
    #expect(rows.tables["tag"]?.inserted == (1...1000).map(Int64.init))
    #expect(rows.isComplete && rows.isForeign)
  }

  @Test func ownCommitsAreNotTold() throws {
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a')")
    #expect(try sample.told() == "")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('c')")
    try sample.sample.sql("UPDATE tag SET label = 'd' WHERE _pk = 1")
    try sample.elsewhere("UPDATE tag SET label = 'e' WHERE _pk = 3")
    try sample.sample.sql("DELETE FROM tag WHERE _pk = 1")
    #expect(try sample.told() == "tag +2 ~3")
    #expect(try sample.told() == "")
  }

  @Test func numbersThatAnUndoneTransactionGaveBackAreOthersThen() throws {
    try sample.sample.sql("BEGIN; SAVEPOINT a; INSERT INTO tag (label) VALUES ('a'), ('b')")
    try store.transaction { try sample.sample.sql("INSERT INTO tag (label) VALUES ('c')") }
    try sample.sample.sql("ROLLBACK TO a; INSERT INTO tag (label) VALUES ('d'); COMMIT")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('e')")
    #expect(try sample.told() == "tag +2")
    try store.beginDryRun()
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('f'), ('g')")
    try store.endDryRun(keeping: false)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('h')")
    try store.beginDryRun()
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('i')")
    try store.endDryRun(keeping: true)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('j')")
    #expect(try sample.told() == "tag +3,5")
  }

  @Test func whatOthersTakeBackIsNotTold() throws {
    try sample.elsewhere("BEGIN; INSERT INTO tag (label) VALUES ('a'); ROLLBACK")
    #expect(try sample.told() == "")
    try sample.elsewhere("BEGIN; INSERT INTO tag (label) VALUES ('a')")
    #expect(try sample.told() == "")
    try sample.elsewhere("COMMIT")
    #expect(try sample.told() == "tag +1")
  }

  @Test func theAuthorIsToldWhereThereIsOne() throws {
    sample.other.transactionInfo = TransactionInfo(author: "import")
    _ = try sample.other.sql("INSERT INTO tag (label) VALUES ('a')")
    #expect(try store.changesByOthers()?.author == "import")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    #expect(try store.changesByOthers()?.author == nil)
    _ = try sample.other.sql("INSERT INTO tag (label) VALUES ('c')")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('d')")
    #expect(try store.changesByOthers()?.author == nil)
  }

  @Test func pairsAreToldByTheirOwners() throws {
    try sample.elsewhere(
      "INSERT INTO tag (label) VALUES ('a'), ('b'); INSERT INTO quake (code) VALUES ('q'); INSERT INTO quake_tags (quake_pk, tag_pk) VALUES (1, 2)"
    )
    #expect(try sample.told() == "quake +1; quake_tags quake_pk=1 tag_pk=2; tag +1,2")
    try sample.elsewhere("DELETE FROM quake_tags")
    #expect(try sample.told() == "quake ~1; quake_tags quake_pk=1 tag_pk=2; tag ~2")
  }

  @Test func anOwnerThatARowLeftIsTouched() throws {
    try sample.elsewhere(
      """
      INSERT INTO quake (code) VALUES ('q'), ('r'); INSERT INTO report (quake_pk) VALUES (1), (1), (2)
      """)
    _ = try sample.told()
    // What others write in one millisecond is one transaction of the history.
    usleep(2_000)
    try sample.elsewhere("DELETE FROM report WHERE _pk = 1")
    #expect(try sample.told() == "quake ~1; report -1")
    try sample.elsewhere("UPDATE report SET quake_pk = 2 WHERE _pk = 2")
    let rows = try #require(try store.changesByOthers())
    #expect(rows.line == "quake ~1; report ~2")
    #expect(rows.tables["report"]?.formerReferences == [:])
    try sample.elsewhere("UPDATE report SET quake_pk = 2, text = 'x' WHERE _pk = 2")
    #expect(try sample.told() == "report ~2")
    let told = try store.history().flatMap(\.changes).filter { $0.kind == .update }
    #expect(Set(told.map(\.entityName)) == ["Report"])
  }

  @Test func aRowThatGivesWayToAnotherIsToldAsDeleted() throws {
    try sample.elsewhere(
      """
      INSERT INTO quake (code) VALUES ('a'), ('b'), ('c')
      """)
    _ = try sample.told()
    try sample.elsewhere("INSERT OR REPLACE INTO quake (code, magnitude) VALUES ('b', 5)")
    #expect(try sample.told() == "quake +4 -2")
    try sample.elsewhere("UPDATE OR REPLACE quake SET code = 'c' WHERE _pk = 4")
    #expect(try sample.told() == "quake ~4 -3")
    try sample.elsewhere("INSERT OR REPLACE INTO quake (_pk, code) VALUES (4, 'd')")
    #expect(try sample.told() == "quake ~4")
    try sample.elsewhere("UPDATE OR REPLACE quake SET _pk = 4 WHERE _pk = 1")
    #expect(try sample.told() == "quake ~4 -1")
  }

  @Test func aRowThatStaysInTheWayIsNotToldAsDeleted() throws {
    try sample.elsewhere("INSERT INTO quake (code) VALUES ('a'), ('b')")
    _ = try sample.told()
    try sample.elsewhere("INSERT OR IGNORE INTO quake (code) VALUES ('a')")
    #expect(try sample.told() == "quake ~1")
    try sample.elsewhere("INSERT INTO quake (code) VALUES ('b') ON CONFLICT (code) DO UPDATE SET magnitude = 3")
    #expect(try sample.told() == "quake ~2")
    #expect(try store.history().flatMap(\.changes).filter { $0.kind == .delete }.isEmpty)
    try sample.elsewhere("INSERT OR REPLACE INTO quake (code) VALUES ('c'); DELETE FROM quake WHERE code = 'c'")
    #expect(try sample.told() == "")
  }

  @Test func theOwnerOfARowThatGaveWayIsTouched() throws {
    try sample.elsewhere(
      "INSERT INTO quake (code) VALUES ('a'), ('b'); INSERT INTO report (quake_pk) VALUES (1), (2)")
    _ = try sample.told()
    try sample.elsewhere("INSERT OR REPLACE INTO report (_pk, quake_pk) VALUES (1, 2)")
    #expect(try sample.told() == "quake ~1; report ~1")
    try sample.elsewhere("UPDATE OR REPLACE report SET _pk = 1 WHERE _pk = 2")
    #expect(try sample.told() == "quake ~2; report ~1 -2")
  }

  @Test func aStoreWhoseHistoryKnowsNoOwnersSaysSo() throws {
    try sample.elsewhere("INSERT INTO quake (code) VALUES ('q')")
    _ = try sample.told()
    let touches = "SELECT name FROM sqlite_schema WHERE name LIKE '%history\\_touch%' ESCAPE '\\'"
    for row in try sample.other.connection.all(touches) {
      if case .string(let name) = row[0] { try sample.elsewhere("DROP TRIGGER \"\(name)\"") }
    }
    try sample.elsewhere("INSERT INTO report (quake_pk) VALUES (1)")
    #expect(try sample.told() == "report +1; everything")
    try sample.elsewhere("INSERT INTO report (quake_pk) VALUES (1)")
    #expect(try store.changesByOthers()?.tables["report"]?.formerReferences == [:])
    try sample.elsewhere("UPDATE report SET text = 'x'")
    #expect(try store.changesByOthers()?.tables["report"]?.formerReferences == [:])
    try sample.elsewhere("UPDATE report SET quake_pk = NULL WHERE _pk = 1")
    #expect(try store.changesByOthers()?.tables["report"]?.formerReferences == nil)
    try sample.elsewhere("DELETE FROM report WHERE _pk = 1")
    #expect(try store.changesByOthers()?.tables["report"]?.formerReferences == nil)
  }

  @Test func purgedChangesMakeItIncomplete() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    _ = try sample.other.deleteHistory()
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    #expect(try sample.told() == "everything")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try sample.told() == "tag +3")
    _ = try sample.other.deleteHistory()
    #expect(try sample.told() == "")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('d')")
    #expect(try sample.told() == "tag +4")
  }

  @Test func aTimeWithoutHistoryMakesItIncomplete() throws {
    try sample.other.setHistoryEnabled(false)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    try sample.other.setHistoryEnabled(true)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    #expect(try sample.told().hasSuffix("everything"))
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try sample.told() == "tag +3")
    try sample.other.setHistoryEnabled(false)
    #expect(try sample.told().hasSuffix("everything"))
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('d')")
    #expect(try store.changesByOthers()?.tables["tag"]?.isUnknown == true)
    try sample.other.setHistoryEnabled(true)
    #expect(try sample.told().hasSuffix("everything"))
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('e')")
    #expect(try sample.told() == "tag +5")
  }

  @Test func anotherTableMakesItIncompleteAndAnIndexDoesNot() throws {
    try sample.elsewhere("CREATE INDEX more ON tag(label); INSERT INTO tag (label) VALUES ('a')")
    #expect(try sample.told() == "tag +1")
    try sample.elsewhere("ALTER TABLE tag ADD COLUMN more; INSERT INTO tag (label) VALUES ('b')")
    #expect(try sample.told() == "tag +2; everything")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try sample.told() == "tag +3")
  }

  @Test func aCheckpointOrVacuumOfOthersTellsNothing() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    _ = try sample.told()
    try sample.elsewhere("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try sample.told() == "")
    try sample.elsewhere("VACUUM")
    #expect(try sample.told() == "")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('b')")
    #expect(try sample.told() == "tag +2")
  }

  @Test func anOlderStatePutBackMakesItIncomplete() throws {
    let copy = sample.sample.folder.file("copy.sqlite")
    try store.backup(to: copy)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a'), ('b')")
    #expect(try sample.told() == "tag +1,2")
    let source = try SQLiteStore(StoreOptions(path: copy))
    try sample.elsewhere(
      "DELETE FROM tag; DELETE FROM _perilune_change WHERE id > 1; DELETE FROM _perilune_transaction")
    source.close()
    #expect(try sample.told() == "everything")
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    #expect(try sample.told() == "tag +1")
  }

  @Test func nothingIsToldWithinATransactionOfOnesOwn() throws {
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    try store.transaction {
      try sample.sample.sql("INSERT INTO tag (label) VALUES ('b')")
      #expect(try sample.told() == "")
    }
    #expect(try sample.told() == "tag +1")
  }
}
