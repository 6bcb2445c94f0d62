import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

@Suite struct FacetsTests {
  /// So many rows that progress is reported, with values of other classes than their columns'.
  private static let sql = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, real REAL, word TEXT, flag BOOLEAN, "when" DATETIME, mixed,
      amount DECIMAL(20, 4), raw BLOB, owner INTEGER REFERENCES item (id));
    WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 5000)
    INSERT INTO item SELECT i, CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'x' WHEN 2 THEN '3' WHEN 4 THEN 3.5 ELSE i % 7 END,
      CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN -0.0 WHEN 2 THEN 0 WHEN 3 THEN 'x' WHEN 4 THEN 9e999 ELSE i % 5 * 0.5 END,
      CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 'caf' || char(233) WHEN 2 THEN 'cafe' || char(769) WHEN 3 THEN 'Café'
        WHEN 4 THEN i % 3 WHEN 5 THEN x'616263' WHEN 6 THEN 'abc' WHEN 7 THEN '' ELSE 'a' || char(0) || i % 2 END,
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 2 WHEN 2 THEN 'yes' ELSE i % 2 END,
      CASE WHEN i % 3 > 0 THEN date('2024-01-02', '+' || i % 9 || ' days') END,
      CASE i % 5 WHEN 0 THEN 5 WHEN 1 THEN 5.0 WHEN 2 THEN '5' WHEN 3 THEN x'35' END, i % 4 || '.' || i % 2 || '0',
      CASE WHEN i % 5 = 0 THEN zeroblob(i % 3) END, CASE WHEN i % 6 > 0 THEN i % 60 + 1 END
    FROM k;
    """

  private let context: ObjectContext
  private let item: Entity

  init() throws {
    var options = StoreOptions(path: ":memory:")
    options.dump = StoreDump(text: Self.sql, limit: 1 << 30)
    let store = try SQLiteStore(options)
    context = ObjectContext(store: store)
    item = try #require(store.model.entity(named: "Item"))
  }

  private func passed(_ request: FetchRequest, _ path: String) throws -> [String] {
    let counts = try context.valueCounts(request, of: .parse(path), limit: .max)
    let facets = ObjectContext.inOrder(counts.table).map { "\($0.value) \($0.count)" }
    return facets + (counts.nils > 0 ? ["\(Value.null) \(counts.nils)"] : [])
  }

  @Test func theStoreCountsWhatAPassOverTheObjectsCounts() throws {
    var some = FetchRequest(item)
    some.predicate = try .parse("id > 1000 AND (n > 2 OR n == nil)")
    for request in [FetchRequest(item), some] {
      for path in ["n", "real", "word", "flag", "when", "mixed", "amount", "raw", "owner", "length(word)"] {
        let facets = try context.facets(request, of: .parse(path)).map { "\($0.value) \($0.count)" }
        #expect(try facets == passed(request, path), "\(path)")
      }
    }
  }

  /// Whether rows were passed.
  private func passes(_ request: FetchRequest, _ path: String) throws -> Bool {
    var passes = false
    _ = try context.facets(request, of: .parse(path)) { _ in passes = true }
    return passes
  }

  @Test func objectsAreOnlyPassedWhereTheStoreCannotCount() throws {
    let request = FetchRequest(item)
    for path in ["n", "real", "word", "flag"] { #expect(try !passes(request, path), "\(path)") }
    for path in ["when", "mixed", "raw", "owner", "length(word)"] { #expect(try passes(request, path), "\(path)") }
    var part = request
    part.fetchLimit = 4500
    #expect(try passes(part, "n"))
    let changed = try #require(try context.fetch(part).objectList().first)
    try changed.set("n", .int(77))
    #expect(try passes(request, "n"))
    #expect(try context.facets(request, of: .parse("n")).contains { $0.value == .int(77) && $0.count == 1 })
  }
}
