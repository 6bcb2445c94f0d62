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

/// Rows that several connections read, and what is made of them on their threads.
@Suite struct ParallelRowsTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let item: Entity

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(StoreOptions(path: ParallelRows.file(in: folder)))
    store.parallelism = ParallelRows.parallelism
    item = try #require(store.model.entity(named: "Item"))
  }

  private func request(_ condition: String? = nil) throws -> FetchRequest {
    var request = FetchRequest(item)
    request.predicate = try condition.map { try Predicate.parse($0) }
    return request
  }

  private struct Refusal: Error, Equatable { let row: Int }

  /// A line for the row of a cursor, with its key and each value.
  private static func line(_ rows: RowCursor, columns: Int) -> [UInt8] {
    let values = (0..<columns).map { column in
      switch rows.value(column) {
      case .null: "nil"
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let bytes), .blob(let bytes): "\(Array(bytes))"
      }
    }
    return Array("\(rows.key) \(values)\n".utf8)
  }

  /// The lines of a request's rows in parts, put by a few rows at a time; nil where one connection reads them.
  private func parts(_ request: FetchRequest, _ deliver: ([UInt8], Int) throws -> Void = { _, _ in }) throws -> [UInt8]?
  {
    var all: [UInt8] = []
    let columns = store.layout(of: item).columns.count
    let isRead = try store.readParts(
      of: request,
      { rows, put in
        var (lines, count): ([UInt8], Int) = ([], 0)
        while try rows.step() {
          lines += Self.line(rows, columns: columns)
          count += 1
          if count == 7 {
            guard put(lines, count) else { return }
            (lines, count) = ([], 0)
          }
        }
        _ = put(lines, count)
      },
      { bytes, rows in
        #expect(bytes.split(separator: UInt8(ascii: "\n")).count == rows)
        all += bytes
        try deliver(bytes, rows)
      })
    return isRead ? all : nil
  }

  private func lines(_ request: FetchRequest) throws -> [UInt8] {
    let rows = try store.cursor(request)
    defer { rows.close() }
    var lines: [UInt8] = []
    while try rows.step() { lines += Self.line(rows, columns: store.layout(of: item).columns.count) }
    return lines
  }

  @Test(arguments: [
    nil, "n = 1", "n = 100", "word CONTAINS[cd] 'A' AND real > 0.5", "owner.word BEGINSWITH 'b'", "items.@count > 1",
    "when > now()", "raw != nil",
  ])
  func partsHaveTheRowsOfOneCursorInItsOrder(condition: String?) throws {
    let request = try request(condition)
    #expect(try #require(try parts(request)) == lines(request))
  }

  @Test func whatHasAnotherOrderThanTheKeysIsReadByOneConnection() throws {
    #expect(try parts(request("indexed > 5")) == nil)
    #expect(try parts(request("id BETWEEN {5, 9}")) == nil)
    var limited = try request()
    limited.fetchLimit = 3000
    #expect(try parts(limited) == nil)
    var sorted = try request()
    sorted.sortDescriptors = [SortDescriptor(try Queries.Expression.parse("n"), ascending: true)]
    #expect(try parts(sorted) == nil)
    try store.connection.execute("BEGIN; INSERT INTO item (n) VALUES (1)")
    #expect(try parts(request()) == nil)
    try store.connection.execute("COMMIT")
    #expect(try parts(request()) != nil)
    store.parallelism.leastKeys = 1_000_000
    #expect(try parts(request()) == nil)
  }

  @Test func theFirstFailureInTheOrderOfRowsIsThrown() throws {
    let read: RowPartReader = { rows, put in
      while try rows.step() {
        if rows.key % 500 == 0 { throw Refusal(row: Int(rows.key)) }
        guard put([], 1) else { return }
      }
    }
    #expect(throws: Refusal(row: 500)) { try store.readParts(of: request(), read) { _, _ in } }
    #expect(throws: Refusal(row: 7)) { try parts(request()) { _, _ in throw Refusal(row: 7) } }
    #expect(try parts(request()) == lines(request()))
  }

  @Test func anInterruptionEndsThreadsThatReadAndThoseThatWait() throws {
    let read: RowPartReader = { rows, put in
      while try rows.step() { while put([1], 0) { sched_yield() } }
    }
    var count = 0
    store.isInterrupted = { count > 100 }
    #expect(fact { try store.readParts(of: request(), read) { _, _ in count += 1 } } == .interrupted)
    store.isInterrupted = { false }
    #expect(try parts(request()) != nil)
  }

  @Test func whatWaitsForTheRowsBeforeIsBounded() throws {
    let made = Atomic(0)
    let piece = [UInt8](repeating: 65, count: 1 << 18)
    var (taken, most) = (0, 0)
    let isRead = try store.readParts(
      of: request(),
      { rows, put in
        while try rows.step() {
          guard rows.key % 8 == 0 else { continue }
          made.add(1, ordering: .relaxed)
          guard put(piece, 1) else { return }
        }
      },
      { bytes, _ in
        most = max(most, made.load(ordering: .relaxed) - taken)
        taken += 1
      })
    #expect(isRead && taken == made.load(ordering: .relaxed) && taken > 300)
    // Eight megabytes in quarters, the part whose turn it is, and a piece in the hands of each thread.
    #expect(most <= 32 + 2 * 5 + 3)
  }

  @Test func aTraceShowsTheWholeStatementOnce() throws {
    var told: [String] = []
    let trace = store.trace { sql, _ in if !StatementTrace.isBookkeeping(sql) { told.append(sql) } }
    let found = try withExtendedLifetime(trace) { try parts(request()) }
    #expect(found != nil)
    #expect(told.count == 1 && told[0].hasSuffix("FROM item AS t0 ORDER BY t0.id"), "\(told)")
  }
}
