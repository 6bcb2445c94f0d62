import Modeling
import Queries
import TestSupport
import Testing

@testable import Records
@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct ChangeCaptureTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try Sample() }

  /// What commits tell while `body` runs.
  private func told(_ body: () throws -> Void) throws -> [ChangeSet] {
    var told: [ChangeSet] = []
    let subscription = store.onCommit { told.append($0) }
    defer { subscription?.cancel() }
    try body()
    return told
  }

  private func rows(_ changes: ChangeSet?, _ table: String) throws -> [RowChange] {
    try changes?.tables.first { $0.name == table }?.rows() ?? []
  }

  @Test func aCommitTellsRowsWithOldAndNewValues() throws {
    let first = try told { try sample.insert("Tag", ["label": "a".value]) }
    #expect(first.count == 1)
    #expect(first[0].tables.map(\.entity) == [sample.entity("Tag")])
    #expect(try rows(first.first, "tag") == [RowChange(key: [.int(1)], kind: .inserted)])
    let second = try told { _ = try store.sql("UPDATE tag SET label = 'b'") }
    let change = RowChange.ColumnChange(column: 0, old: "a".value, new: "b".value)
    #expect(try rows(second.first, "tag") == [RowChange(key: [.int(1)], kind: .updated([change]))])
    let third = try told { _ = try store.sql("DELETE FROM tag") }
    #expect(try rows(third.first, "tag") == [RowChange(key: [.int(1)], kind: .deleted(["b".value]))])
  }

  /// The number of different columns takes more than one byte of the record.
  @Test(arguments: [1, 127, 128, 300]) func eachColumnOfAWideTableIsTold(count: Int) throws {
    let columns = (0..<300).map { "c\($0)" }
    _ = try store.sql("CREATE TABLE wide (\(columns.joined(separator: ", ")))")
    _ = try store.sql("INSERT INTO wide DEFAULT VALUES")
    let settings = columns.prefix(count).map { "\($0) = 1.5" }.joined(separator: ", ")
    let changes = try told { _ = try store.sql("UPDATE wide SET \(settings)") }
    let expected = (0..<count).map { RowChange.ColumnChange(column: $0, old: .null, new: .double(1.5)) }
    #expect(try rows(changes.first, "wide") == [RowChange(key: [.int(1)], kind: .updated(expected))])
    _ = try store.reverseSave(.undo)
    #expect(try store.connection.first("SELECT count(*) FROM wide WHERE c0 IS NULL") == .int(1))
  }

  @Test func aTransactionIsToldOnceAfterItsCommit() throws {
    let changes = try told {
      try store.transaction {
        try sample.insert("Tag", ["label": "a".value])
        try store.transaction { try sample.insert("Tag", ["label": "b".value]) }
      }
    }
    #expect(try changes.map { try rows($0, "tag").count } == [2])
  }

  @Test func whatIsTakenBackIsNotTold() throws {
    try sample.insert("Tag", ["label": "a".value])
    struct Stop: Error {}
    let changes = try told {
      try? store.transaction {
        try sample.insert("Tag", ["label": "b".value])
        throw Stop()
      }
      _ = try store.sql("BEGIN; DELETE FROM tag; ROLLBACK")
      _ = try store.sql("BEGIN; SAVEPOINT s; DELETE FROM tag; ROLLBACK TO s; COMMIT")
      _ = try? store.sql("INSERT INTO quake(code) VALUES ('a'), ('b'), ('a')")
      _ = try store.sql("UPDATE tag SET label = label")
    }
    #expect(changes.isEmpty)
    try store.transaction {
      _ = try? store.sql("INSERT INTO quake(code) VALUES ('a'), ('b'), ('a')")
      _ = try? store.transaction {
        _ = try store.sql("UPDATE tag SET label = 'x'")
        throw Stop()
      }
      try sample.insert("Network", ["name": "n".value])
    }
    #expect(try SaveReverser(store: store).changes(.undo).tables.map(\.name) == ["network"])
  }

  @Test func theUsersOwnTransactionsAreRecorded() throws {
    let changes = try told {
      _ = try store.sql("BEGIN")
      _ = try store.sql("INSERT INTO tag(label) VALUES ('a')")
      try store.transaction { try sample.insert("Tag", ["label": "b".value]) }
      _ = try store.sql("COMMIT")
      _ = try store.sql("BEGIN IMMEDIATE; INSERT INTO tag(label) VALUES ('c'); END")
      _ = try store.sql("SAVEPOINT \"One\"; INSERT INTO tag(label) VALUES ('d'); SAVEPOINT two")
      _ = try store.sql("INSERT INTO tag(label) VALUES ('e'); RELEASE two; RELEASE SAVEPOINT one")
    }
    #expect(try changes.map { try rows($0, "tag").count } == [2, 1, 2])
    #expect(!store.connection.isInTransaction)
    for left in [3, 2, 0] {
      _ = try store.reverseSave(.undo)
      #expect(try store.connection.first("SELECT count(*) FROM tag") == .int(Int64(left)))
    }
  }

  @Test func aCommitThatFailsLeavesNoRecord() throws {
    _ = try store.sql("BEGIN; INSERT INTO report(quake_pk) VALUES (77)")
    #expect(fact { try store.sql("COMMIT") } != nil)
    _ = try store.sql("INSERT INTO quake(_pk, code) VALUES (77, 'a'); COMMIT")
    #expect(try store.connection.first("SELECT count(*) FROM _perilune_undo") == .int(1))
    _ = try store.reverseSave(.undo)
    #expect(try snapshot(store)["report"] == [])
  }

  @Test func anObserverMayWrite() throws {
    var rounds = 0
    let subscription = store.onCommit { [store, sample] _ in
      rounds += 1
      if rounds < 3 { _ = try? store.insert(sample.entity("Tag"), ["x".value]) }
    }
    defer { subscription?.cancel() }
    try sample.insert("Tag", ["label": "a".value])
    #expect(rounds == 3)
    #expect(try store.count(sample.request("Tag")) == 3)
  }

  @Test func whatWasWrittenForUndoIsNotSeen() throws {
    _ = try store.sql("INSERT INTO tag(label) VALUES ('a'), ('b')")
    let before = store.changeCount
    _ = try store.sql("INSERT INTO quake(_pk, code) VALUES (55, 'a')")
    #expect(store.changeCount == before + 1)
    let cursor = try store.sql("SELECT last_insert_rowid(), changes(), total_changes()")
    #expect(try cursor.step())
    #expect((0..<3).map(cursor.value) == [.int(55), .int(1), .int(before + 1)])
    cursor.close()
    _ = try store.sql("UPDATE tag SET label = 'c'")
    let updated = try store.sql("SELECT changes()")
    #expect(try updated.step())
    #expect(updated.value(0) == .int(2))
    updated.close()
    _ = try store.sql("UPDATE tag SET label = 'c' WHERE 0")
    let none = try store.sql("SELECT changes()")
    #expect(try none.step())
    #expect(none.value(0) == .int(0))
  }

  @Test func aStoreThatCannotBeWrittenIsNotWatched() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: try folder.database("a.sqlite", "CREATE TABLE t(a)"))
    options.readOnly = true
    let store = try SQLiteStore(options)
    #expect(store.onCommit { _ in } == nil)
    #expect(fact { try store.reverseSave(.undo) } == .readOnly)
  }

  @Test func manyRowsInOrderAreOneRun() throws {
    try store.transaction {
      for _ in 0..<1000 { try sample.insert("Tag", ["label": "a".value]) }
      _ = try store.sql("DELETE FROM tag WHERE _pk % 10 = 0; INSERT INTO tag(_pk, label) VALUES (10, 'again')")
    }
    let changes = try SaveReverser(store: store).changes(.undo)
    #expect(changes.tables.map(\.insertedCount) == [901])
    _ = try store.reverseSave(.undo)
    #expect(try store.count(sample.request("Tag")) == 0)
    _ = try store.reverseSave(.redo)
    #expect(try store.count(sample.request("Tag")) == 901)
  }
}
