import Modeling
import ObjectGraph
import Queries
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// The end of a limit, when rows before it go and others move up.
@Suite(.seeded) struct RefillingTests {
  private static let orders = [
    ["cost"], ["-cost"], ["stars", "cost"], ["-stars", "-start"], ["name"], ["cost * 2", "-name"], ["-start"],
    ["place.name"],
  ]

  @Test(arguments: orders, [1, 2] as [UInt64]) func whatMovesUpIsWhatAFetchGives(order: [String], seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let world = try LiveWorld()
    try world.sql(
      """
      INSERT INTO trip (name, cost, stars, start)
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      SELECT 't' || (i * 37 % 61), iif(i % 9, i * 7 % 40, NULL), i % 3, iif(i % 5, i * 1000.5, NULL) FROM n
      """)
    var request = try world.request("Trip", random.chance(oneIn: 2) ? "stars != 1" : nil, sort: order)
    request.fetchLimit = 5
    request.fetchOffset = 2
    let mirror = ResultsMirror(try world.results(request))
    for _ in 0..<12 {
      let shown = mirror.results.objectIDs(0..<mirror.results.count).map { "\($0.key)" }.joined(separator: ", ")
      switch random.below(5) {
      case 0: try world.sql("UPDATE trip SET cost = 39, stars = 2, name = 'z' WHERE _pk IN (\(shown))")
      case 1: try world.sql("UPDATE trip SET cost = -cost, start = -start WHERE _pk % 7 = \(random.below(7))")
      case 2: try world.sql("DELETE FROM trip WHERE cost IS NULL OR start IS NULL OR _pk IN (\(shown))")
      default:
        let keys = try world.store.keys(request.unlimited).prefix(90).map { "\($0)" }.joined(separator: ", ")
        try world.sql("DELETE FROM trip WHERE _pk IN (\(keys))")
      }
      #expect(try mirror.problems(in: world) == [], "\(order)")
    }
    #expect(world.failures == [])
  }

  @Test func manyMayMoveUpAtOnce() throws {
    let world = try LiveWorld()
    try world.sql("CREATE INDEX trip_cost ON trip (cost)")
    try world.sql(
      """
      INSERT INTO trip (cost) WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) SELECT i FROM n
      """)
    var request = try world.request(sort: ["cost"])
    request.fetchLimit = 1000
    let results = try world.results(request)
    try world.sql("DELETE FROM trip WHERE _pk <= 900")
    #expect(results.count == 1000)
    let fresh = Array(try world.context.fetch(request).objectIDs)
    #expect(results.objectIDs(0..<results.count) == fresh)
    #expect(try results.explanation().reloads == 0)
  }
}

extension FetchRequest {
  /// The request without its limit.
  fileprivate var unlimited: FetchRequest {
    var request = self
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    return request
  }
}
