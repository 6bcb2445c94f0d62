import Foundation
import Modeling
import Queries
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct ParallelCountTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try ParallelRows.file(in: folder)
  }

  private func open(_ path: String, _ change: (inout StoreOptions) -> Void = { _ in }) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    change(&options)
    let store = try SQLiteStore(options)
    store.parallelism = ParallelRows.parallelism
    return store
  }

  private func request(_ store: SQLiteStore, _ condition: String) throws -> FetchRequest {
    var request = FetchRequest(store.model.entity(named: "Item")!)
    request.predicate = try Predicate.parse(condition)
    return request
  }

  /// The number that several connections count; nil where the store's own has to.
  private func parallelCount(_ store: SQLiteStore, _ condition: String = "n = 1") throws -> Int? {
    try store.parallelCount(RequestSQL(request(store, condition), store.schema))
  }

  @Test(arguments: [
    "n = 1", "n != 1", "n == nil", "word CONTAINS 'a'", "word CONTAINS[cd] 'A' AND real > 0.5",
    "word MATCHES '.*[xyz]'",
    "real + n > 5 OR flag == 1", "owner.word BEGINSWITH 'b'", "items.@count > 1", "ANY items.n = 3", "amount > 10.5",
    "when > now()",
    "NOT (word IN {'apple', 'berry'})", "mixed == 5", "raw != nil",
  ])
  func severalConnectionsCountWhatOneCounts(condition: String) throws {
    let store = try open(path)
    defer { store.close() }
    let several = try #require(try parallelCount(store, condition))
    store.parallelism.workers = 1
    #expect(try store.count(request(store, condition)) == several)
  }

  @Test func whatARangeCannotSplitIsReadByOneConnection() throws {
    let store = try open(path)
    defer { store.close() }
    #expect(try parallelCount(store) != nil)
    #expect(try parallelCount(store, "indexed = 5") == nil)
    #expect(try parallelCount(store, "TRUEPREDICATE") == nil)
    #expect(try parallelCount(store, "id BETWEEN {5, 9}") == nil)
    var limited = try request(store, "n = 1")
    limited.fetchLimit = 3
    #expect(try store.parallelCount(RequestSQL(limited, store.schema)) == nil)
    #expect(try parallelCount(store, "items.@count > 1") != nil)
    store.parallelism.mostUncoveredBytes = 0
    #expect(try parallelCount(store, "items.@count > 1") == nil)
    store.parallelism.leastKeys = 1_000_000
    #expect(try parallelCount(store) == nil)
    #expect(try store.count(limited) == 3)
  }

  @Test(arguments: [0, 1e6]) func aRangeOfAnIndexIsReadAsLongAsTheTableTakes(seconds: Double) throws {
    let store = try open(path)
    defer { store.close() }
    store.parallelism.secondsForEachKey = seconds
    let condition = "large < 9223372036854775700 AND word CONTAINS 'a'"
    store.lastScan = 0
    let count = try #require(try parallelCount(store, condition))
    // Only several connections tell among how many keys they have read.
    #expect((store.lastScan > 0) == (seconds == 0))
    store.parallelism.workers = 1
    #expect(try store.count(request(store, condition)) == count)
  }

  @Test func uncommittedRowsCountAndSoTheirConnectionReadsAlone() throws {
    let store = try open(path)
    defer { store.close() }
    let before = try #require(try parallelCount(store))
    try store.connection.execute("BEGIN; INSERT INTO item (n) VALUES (1)")
    #expect(try parallelCount(store) == nil)
    #expect(try store.count(request(store, "n = 1")) == before + 1)
    try store.connection.execute("COMMIT")
    #expect(try parallelCount(store) == before + 1)
  }

  @Test func aRunningStatementKeepsItsSnapshot() throws {
    _ = try sqlite3(path, "PRAGMA journal_mode = WAL")
    let store = try open(path)
    defer { store.close() }
    let before = try #require(try parallelCount(store))
    let cursor = try store.cursor(FetchRequest(store.model.entity(named: "Item")!), keysOnly: true)
    #expect(try cursor.step())
    _ = try sqlite3(path, "INSERT INTO item (n) VALUES (1)")
    #expect(try store.count(request(store, "n = 1")) == before)
    cursor.close()
    #expect(try parallelCount(store) == before + 1)
  }

  @Test(arguments: ["DELETE", "WAL"]) func withinOneReadingSeveralConnectionsSeeItsSnapshot(mode: String) throws {
    _ = try sqlite3(path, "PRAGMA journal_mode = \(mode)")
    let store = try open(path)
    defer { store.close() }
    let before = try #require(try parallelCount(store))
    try store.reading {
      // The first read of all makes the snapshot.
      #expect(try parallelCount(store) == before)
      #expect(try store.count(request(store, "n = 1")) == before)
      #expect(try parallelCount(store) == before)
      guard mode == "WAL" else { return }
      _ = try sqlite3(path, "INSERT INTO item (n) VALUES (1)")
      #expect(try parallelCount(store) == nil)
      #expect(try store.count(request(store, "n = 1")) == before)
    }
    #expect(try parallelCount(store) == (mode == "WAL" ? before + 1 : before))
    try store.reading {
      try store.connection.execute("INSERT INTO item (n) VALUES (1)")
      #expect(try parallelCount(store) == nil)
    }
  }

  @Test func aReadingThatBeganBeforeACommitIsNotReadBySeveral() throws {
    _ = try sqlite3(path, "PRAGMA journal_mode = WAL")
    let store = try open(path)
    defer { store.close() }
    try store.reading {
      let before = try store.connection.first("SELECT count(*) FROM item WHERE n = 1")
      _ = try sqlite3(path, "INSERT INTO item (n) VALUES (1)")
      #expect(try parallelCount(store) == nil)
      #expect(try store.connection.first("SELECT count(*) FROM item WHERE n = 1") == before)
    }
  }

  @Test func tablesThatOneConnectionAloneHasAreReadByIt() throws {
    let store = try open(path)
    defer { store.close() }
    try store.connection.execute("CREATE TEMP TABLE item (id INTEGER PRIMARY KEY, n INTEGER)")
    #expect(try parallelCount(store) == nil)
    try store.connection.execute("DROP TABLE temp.item")
    #expect(try parallelCount(store) != nil)
    try store.connection.execute("ATTACH ':memory:' AS other")
    #expect(try parallelCount(store) == nil)
  }

  @Test func aStoreInMemoryAndOneThatHidesAPropertyAreReadByOneConnection() throws {
    let memory = try open(":memory:") { $0.dump = StoreDump(text: ParallelRows.sql, limit: 1 << 30) }
    defer { memory.close() }
    #expect(try parallelCount(memory) == nil)
    let hidden = try #require(HiddenProperty("Item.real"))
    let hiding = try open(path) { $0.hidden = [hidden] }
    defer { hiding.close() }
    #expect(try parallelCount(hiding) == nil)
  }

  @Test(arguments: [false, true]) func aFileThatIsGoneOrAnotherIsReadAsItWas(isReplaced: Bool) throws {
    let store = try open(path)
    defer { store.close() }
    let before = try #require(try parallelCount(store))
    if isReplaced {
      let other = try folder.database("other.sqlite", ParallelRows.sql + "DELETE FROM item;")
      try #require(rename(other, path) == 0)
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try parallelCount(store) == nil)
    #expect(try store.count(request(store, "n = 1")) == before)
  }

  @Test(arguments: ["DELETE", "WAL"]) func allConnectionsSeeOneSnapshotWhileAnotherProgramWrites(mode: String) throws {
    _ = try sqlite3(path, "PRAGMA journal_mode = \(mode)")
    let store = try open(path)
    defer { store.close() }
    let before = try #require(try parallelCount(store))
    let hasEnded = Mutex(false)
    let writer = Thread { [path] in
      defer { hasEnded.withLock { $0 = true } }
      guard let other = try? Connection(path, Connection.Options(busyTimeout: 60)) else { return }
      // One row leaves at the end while another comes at the beginning, so that a torn count shows.
      for round in 0..<60 {
        let (first, last) = round % 2 == 0 ? (1, 2) : (2, 1)
        _ = try? other.execute(
          "UPDATE item SET n = CASE id WHEN 1 THEN \(first) ELSE \(last) END WHERE id IN (1, 3000)")
      }
      other.close()
    }
    _ = try sqlite3(path, "UPDATE item SET n = CASE id WHEN 1 THEN 2 ELSE 1 END WHERE id IN (1, 3000)")
    let whole = try store.count(request(store, "n = 1"))
    #expect(abs(whole - before) <= 1)
    writer.start()
    while !hasEnded.withLock({ $0 }) { #expect(try store.count(request(store, "n = 1")) == whole) }
    #expect(try parallelCount(store) == whole)
  }

  @Test func anInterruptionStopsAllConnections() throws {
    let store = try open(path)
    defer { store.close() }
    // Each row is compared with all others, which takes far longer than the first look at the flag.
    let slow = "SUBQUERY(owner.items, $x, SUBQUERY($x.owner.items, $y, $y.real + $x.real > 5).@count > 3).@count > 2"
    store.isInterrupted = { true }
    #expect(fact { try parallelCount(store, slow) } == .interrupted)
    store.isInterrupted = { false }
    #expect(try parallelCount(store) != nil)
  }

  @Test func aTraceShowsTheWholeStatementOnce() throws {
    let store = try open(path)
    defer { store.close() }
    var told: [String] = []
    let trace = store.trace { sql, _ in if !StatementTrace.isBookkeeping(sql) { told.append(sql) } }
    let count = try withExtendedLifetime(trace) { try parallelCount(store) }
    #expect(count != nil)
    #expect(told == ["SELECT count(*) FROM item AS t0 WHERE t0.n = 1"])
  }

  @Test func rangesHaveEachKeyOnce() {
    #expect(Parallelism.split(1...10) { _ in 4 } == [1...4, 5...8, 9...10])
    #expect(Parallelism.split(7...7) { _ in 6 } == [7...7])
    #expect(Parallelism.split(.min ... .max) { _ in .max } == [.min ... .max - 1, .max ... .max])
    for workers in [2, 3, 8, 200] {
      var parallelism = Parallelism()
      parallelism.workers = workers
      for keys in [1...100_001, -3_000_000...1_000_000, .min ... .max] as [ClosedRange<Int64>] {
        for ranges in [parallelism.ranges(of: keys), parallelism.ranges(of: keys, bytes: 1 << 26)] {
          #expect(ranges?.first?.lowerBound == keys.lowerBound && ranges?.last?.upperBound == keys.upperBound)
          for (one, next) in zip(ranges ?? [], ranges?.dropFirst() ?? []) {
            #expect(one.upperBound + 1 == next.lowerBound)
          }
        }
      }
    }
  }

  @Test func theLastRangesAreSmallSoThatWorkersEndTogether() throws {
    var parallelism = Parallelism()
    parallelism.workers = 2
    let ranges = try #require(parallelism.ranges(of: 1...1_000_000))
    #expect(ranges.count < 40 && ranges[0].count > 60_000 && ranges.allSatisfy { $0.count <= ranges[0].count })
    #expect(ranges.suffix(4).allSatisfy { $0.count < 5000 })
  }
}
