import Foundation
import Modeling
import Queries
import StorageTestSupport
import TestSupport
import Testing

@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct ParallelGroupsTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let item: Entity

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(StoreOptions(path: ParallelRows.file(in: folder)))
    store.parallelism = ParallelRows.parallelism
    item = try #require(store.model.entity(named: "Item"))
  }

  private func expression(_ text: String) throws -> Queries.Expression { try Expression.parse(text) }

  private func request(
    _ columns: [String], by groups: [String] = [], _ change: (inout FetchRequest) throws -> Void = { _ in }
  ) throws -> FetchRequest {
    var request = FetchRequest(item)
    request.resultType = .dictionaries
    request.propertiesToFetch = try columns.map { FetchedColumn($0, try expression($0)) }
    request.propertiesToGroupBy = try groups.map(expression)
    try change(&request)
    return request
  }

  /// The rows of a cursor, each value with its type and all its digits.
  private func rows(_ cursor: ValueCursor) throws -> [String] {
    defer { cursor.close() }
    var rows: [String] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map { "\(cursor.value($0))" }.joined(separator: " ")) }
    return rows
  }

  private func expectSame(_ request: FetchRequest, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let several = try store.parallelGroups(RequestSQL(request, store.schema))
    let found = try rows(#require(several, sourceLocation: sourceLocation))
    store.parallelism.workers = 1
    defer { store.parallelism = ParallelRows.parallelism }
    #expect(try found == rows(store.dictionaries(request, insertedInto: nil)), sourceLocation: sourceLocation)
  }

  private static let aggregates = [
    "count()", "count(n)", "sum(n)", "sum(real)", "sum(amount)", "sum(large)", "sum(mixed)", "sum(flag)",
    "average(real)",
    "average(amount)", "average(large)", "min(real)", "max(word)", "min(amount)", "max(when)", "min(raw)", "max(mixed)",
    "median(real)", "median(n)", "median(amount)", "median(mixed)", "stddev(n)", "stddev(real)", "stddev(large)",
    "median(n + real)", "sum(real * n)",
    "max(real) - min(real)", "sum(owner.n)",
  ]

  @Test(arguments: aggregates) func anAggregateOfAllRowsIsTheSameByOneAndBySeveral(text: String) throws {
    for condition in ["n > 4", "n > 100", "TRUEPREDICATE", "large < 9223372036854775700 AND real != 7"] {
      // SQLite counts the cells of pages.
      if text == "count()", condition == "TRUEPREDICATE" { continue }
      store.parallelism.secondsForEachKey = 0
      var request = FetchRequest(item)
      request.predicate = try Predicate.parse(condition)
      let asked = [try expression(text)]
      let source = RequestSQL(request, store.schema)
      let several = try store.parallelAggregates(source, asked, for: source.aggregates(asked).sql)
      let found = try rows(#require(several, "\(condition)"))
      store.parallelism.workers = 1
      #expect(try found == ["\(store.aggregate(request, asked)[0])"], "\(condition)")
      store.parallelism = ParallelRows.parallelism
    }
  }

  @Test(arguments: ["day", "n", "flag", "mixed", "word", "amount", "owner", "year(when)", "n + 1", "owner.word", "raw"])
  func groupsAreTheSameByOneAndBySeveral(key: String) throws {
    try expectSame(request([key] + Self.aggregates, by: [key]))
  }

  @Test func groupsOfSeveralKeysAreOrderedLimitedAndChosenAsByOne() throws {
    try expectSame(request(["day", "n", "count()"], by: ["day", "n"]) { $0.fetchLimit = 500 })
    try expectSame(
      request(["n", "flag", "sum(real)"], by: ["n", "flag"]) { request in
        request.sortDescriptors = [SortDescriptor(try expression("sum(real)"), ascending: false)]
        request.fetchLimit = 7
        request.fetchOffset = 2
        request.predicate = try Predicate.parse("word != nil")
      })
    try expectSame(
      request(["day", "count()"], by: ["day"]) {
        $0.havingPredicate = try Predicate.parse("count() > 80 AND max(n) > 3")
      })
  }

  @Test(arguments: [["n"], ["flag", "n"], ["word"], ["mixed"], ["amount"], ["owner", "flag"], ["n + 1", "flag"]])
  func distinctRowsAreTheSameByOneAndBySeveral(columns: [String]) throws {
    try expectSame(request(columns) { $0.returnsDistinctResults = true })
    try expectSame(
      request(columns) { request in
        request.returnsDistinctResults = true
        request.sortDescriptors = [SortDescriptor(try expression(columns[0]), ascending: false)]
        request.fetchLimit = 5
      })
  }

  @Test func noStatementOfAScriptAddsPartsOfSums() throws {
    for sql in ["SELECT sum_of_states(x'00')", "SELECT average_of_states(NULL)", "SELECT median_of_counts('n', x'00')"]
    {
      #expect(throws: StoreError.self) { try store.sql(sql).step() }
    }
  }

  @Test func whatNeedsTheRowsThemselvesIsReadByOneConnection() throws {
    func isAlone(_ request: FetchRequest) throws -> Bool {
      try store.parallelGroups(RequestSQL(request, store.schema)) == nil
    }
    #expect(try isAlone(request(["n", "mode(mixed)"], by: ["n"])))
    #expect(try isAlone(request(["n", "real", "count()"], by: ["n"])))
    #expect(try isAlone(request(["n", "count()"], by: ["n"]) { $0.havingPredicate = try Predicate.parse("n > 3") }))
    #expect(try isAlone(request(["real", "count()"], by: ["real"])), "nearly each row is a group")
    #expect(try isAlone(request(["n"])))
    #expect(try !isAlone(request(["n", "count()"], by: ["n"])))
    try store.connection.execute("CREATE TABLE other (a TEXT COLLATE nocase)")
    #expect(try isAlone(request(["n", "count()"], by: ["n"])))
  }

  @Test func groupsThatAnIndexHasInTheirOrderAreReadByOneConnection() throws {
    func isAlone(_ request: FetchRequest) throws -> Bool {
      try store.parallelGroups(RequestSQL(request, store.schema)) == nil
    }
    #expect(try isAlone(request(["indexed", "count()", "max(n)"], by: ["indexed"])))
    #expect(try isAlone(request(["indexed"]) { $0.returnsDistinctResults = true }))
    #expect(try !isAlone(request(["n", "max(indexed)"], by: ["n"])), "the index has other groups in their order")
    #expect(try !isAlone(request(["indexed", "max(real)"], by: ["indexed"])), "the index leads to each row")
  }

  @Test(.seeded) func randomRequestsAreTheSameByOneAndBySeveral() throws {
    var random = SplitMix(seed: 5)
    func some<Element>(_ elements: [Element]) -> [Element] {
      (0..<1 + random.below(3)).map { _ in elements[random.below(elements.count)] }
    }
    for _ in 0..<Effort.rounds(20) {
      let keys = some(["day", "n", "flag", "mixed", "owner", "amount"])
      let request = try request(keys + some(Self.aggregates), by: keys) { request in
        if random.below(2) == 0 {
          request.predicate = try Predicate.parse("real > %@", arguments: [.value(.int(Int64(random.below(300))))])
        }
        if random.below(2) == 0 {
          request.sortDescriptors = [
            SortDescriptor(try expression(some(Self.aggregates)[0]), ascending: random.below(2) == 0)
          ]
        }
      }
      let several = try rows(store.dictionaries(request, insertedInto: nil))
      store.parallelism.workers = 1
      #expect(try several == rows(store.dictionaries(request, insertedInto: nil)))
      store.parallelism = ParallelRows.parallelism
    }
  }
}
