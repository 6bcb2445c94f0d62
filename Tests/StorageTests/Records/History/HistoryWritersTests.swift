import Foundation
import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Each writer of the file is recorded.
@Suite struct HistoryWritersTests {
  let sample: HistorySample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try HistorySample() }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "sqlite3 is not installed"))
  func theCommandLineOfSQLiteIsRecorded() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('ours')")
    let token = try store.currentHistoryToken
    let output = try sqlite3(
      sample.path,
      """
      BEGIN;
      INSERT INTO quake (code, magnitude) VALUES ('us1', 5), ('us2', 6);
      UPDATE quake SET magnitude = magnitude + 1 WHERE code = 'us2';
      COMMIT;
      BEGIN; DELETE FROM quake; ROLLBACK;
      INSERT INTO quake_tags (quake_pk, tag_pk) VALUES (2, 1);
      DELETE FROM quake WHERE code = 'us1';
      """)
    #expect(output == "")
    let transactions = try store.history { $0.since = token }
    // Statements within one millisecond are reported together.
    #expect((1...4).contains(transactions.count))
    for transaction in transactions {
      #expect((transaction.author, transaction.contextName) == (nil, nil))
      #expect(transaction.processID == nil)
    }
    var merged: [String: Set<String>] = [:]
    for change in transactions.flatMap(\.changes) {
      merged["\(change.entityName)/\(change.key)", default: []].insert(change.kind.rawValue)
    }
    #expect(merged["Quake/2"]?.contains("insert") == true)
    #expect(merged["Tag/1"] == ["update"])
    #expect(merged["Quake/1"]?.contains("update") != true)
    #expect(try store.deleteHistory(before: #require(transactions.last).token) > 0)
    #expect(try store.history().count == 1)
  }

  @Test func anotherConnectionIsRecordedUnderItsOwnName() throws {
    let other = try sample.another()
    other.transactionInfo = TransactionInfo(author: "other")
    store.transactionInfo = TransactionInfo(author: "first")
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    try other.transaction { try other.connection.execute("INSERT INTO tag (label) VALUES ('b'), ('c')") }
    try sample.sql("UPDATE tag SET label = 'd'")
    #expect(try other.history().map(\.author) == ["first", "other", "first"])
    #expect(try sample.told { $0.author = "other" } == ["insert Tag/2; insert Tag/3"])
  }

  @Test func aConnectionNoticesThatAnotherTurnedTheHistoryOn() throws {
    let plain = try HistorySample(history: nil)
    plain.store.transactionInfo = TransactionInfo(author: "early")
    try plain.sql("INSERT INTO tag (label) VALUES ('a')")
    let other = try plain.another { $0.history = true }
    try plain.sql("INSERT INTO tag (label) VALUES ('b')")
    #expect(try other.history().map(\.author) == ["early"])
    try other.setHistoryEnabled(false)
    try plain.sql("INSERT INTO tag (label) VALUES ('c')")
    #expect(try plain.told() == ["insert Tag/2"])
  }

  @Test func transactionsThatSQLBeginsAreOurs() throws {
    store.transactionInfo = TransactionInfo(author: "me")
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    try sample.sql("BEGIN")
    try sample.sql("INSERT INTO tag (label) VALUES ('b')")
    try sample.sql("SAVEPOINT s; INSERT INTO tag (label) VALUES ('x')")
    try sample.sql("ROLLBACK TO s")
    try sample.sql("UPDATE tag SET label = 'c' WHERE _pk = 2; INSERT INTO tag (label) VALUES ('d')")
    try store.transaction { try sample.sql("INSERT INTO network (name) VALUES ('n')") }
    try sample.sql("COMMIT")
    try sample.sql("INSERT INTO tag (label) VALUES ('e')")
    try sample.sql("BEGIN; INSERT INTO tag (label) VALUES ('f')")
    try sample.sql("ROLLBACK")
    try sample.sql("BEGIN; INSERT INTO tag (label) VALUES ('g'); COMMIT")
    let transactions = try store.history()
    #expect(
      transactions.map { $0.changes.map(\.line).joined(separator: "; ") } == [
        "insert Tag/1", "insert Tag/2; insert Tag/3; insert Network/1", "insert Tag/4", "insert Tag/5",
      ])
    #expect(transactions.allSatisfy { $0.author == "me" })
  }

  @Test func batchRequestsAndImportsAreOneTransactionEach() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b'), ('c')")
    store.transactionInfo = TransactionInfo(author: "batch")
    var request = FetchRequest(sample.entity("Tag"))
    let label = try #require(sample.entity("Tag").index(of: "label"))
    _ = try store.batchUpdate(request, [(label, .string("z"))])
    request.predicate = try Predicate.parse("label == 'z'")
    _ = try store.batchDelete(request)
    #expect(
      try sample.told { $0.author = "batch" } == [
        "update Tag/1: label; update Tag/2: label; update Tag/3: label", "delete Tag/1; delete Tag/2; delete Tag/3",
      ])
  }

  @Test func aDryRunRecordsNothing() throws {
    try store.beginDryRun()
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    #expect(try sample.told() == ["insert Tag/1"])
    try store.endDryRun(keeping: false)
    #expect(try sample.told() == [])
  }

  @Test func rowsOfTheHistoryAreNobodysChanges() throws {
    let before = store.changeCount
    try sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    #expect(store.changeCount - before == 2)
    try sample.sql("INSERT INTO quake (code) VALUES ('a')")
    try sample.sql("DELETE FROM quake")
    #expect(store.changeCount - before == 4)
  }
}

extension SQLiteStore {
  fileprivate func history(_ change: (inout HistoryRequest) -> Void) throws -> [HistoryTransaction] {
    var request = HistoryRequest()
    change(&request)
    return try history(request)
  }
}
