import Modeling
import ObjectGraph
import Queries
import Stores
import Testing

@testable import LiveQueries

/// Many results over one store, which judge the rows of a commit by what was read of them once.
@Suite struct SharedRowsTests {
  private let world: LiveWorld
  private let results: [FetchedResults]

  init() throws {
    world = try LiveWorld()
    for number in 0..<40 {
      try world.make(
        "Trip", ["name": .string("t\(number)"), "cost": .double(Double(number)), "stars": .int(Int64(number % 5))])
    }
    try world.save()
    results = try [
      "cost < 10", "cost BETWEEN {10, 19.5}", "cost >= 20 AND stars != 2", "name ENDSWITH '7'", "stars == nil",
      "name > 't3' OR stars IN {1, 4}", "NOT name BEGINSWITH[c] 'T1'", "start == nil", "day == nil",
      "place.name == nil",
    ].map { [world] in try world.results(world.request("Trip", $0, sort: ["-stars", "cost"])) }
  }

  private func expectFetched() throws {
    for results in results {
      let fresh = Array(try world.context.fetch(results.request).objectIDs)
      #expect(results.objectIDs(0..<results.count) == fresh, "\(results.request.predicate.map { "\($0)" } ?? "")")
      try results.state.checkInvariants()
    }
    #expect(world.failures == [])
  }

  @Test func savesMoveRowsBetweenTheResults() throws {
    for number in [3, 15, 29] {
      let trip = try #require(try world.context.find(world.entity("Trip"), where: [0], equal: [.string("t\(number)")]))
      try trip.set("cost", .double(Double(40 - number)))
      try trip.set("stars", number == 15 ? .null : .int(4))
      try world.save()
      try expectFetched()
    }
  }

  @Test func rowsThatCameAndWentAreJudgedToo() throws {
    try world.sql("INSERT INTO trip (name, cost, stars) VALUES ('t97', 12, NULL), ('x', 3, 1)")
    try expectFetched()
    try world.sql("DELETE FROM trip WHERE cost BETWEEN 5 AND 12")
    try expectFetched()
    try world.sql("UPDATE trip SET _pk = _pk + 100 WHERE name = 't30'")
    try expectFetched()
  }

  @Test func valuesOfOtherTypesThanDeclaredAreLeftToTheStore() throws {
    for value in ["'much'", "x'00ff'", "NULL", "7", "'12'"] {
      try world.sql("UPDATE trip SET cost = \(value) WHERE name IN ('t7', 't21')")
      try world.sql("UPDATE trip SET stars = \(value) WHERE name IN ('t8', 't22')")
      try world.sql("UPDATE trip SET name = \(value) WHERE _pk = 31")
      try expectFetched()
    }
    try world.sql("UPDATE trip SET name = 't' || char(0) || '7' WHERE _pk = 31")
    try expectFetched()
  }

  @Test func whatACommitHasReadIsNotReadAgain() throws {
    for result in results.dropFirst() { result.close() }
    let trip = try #require(try world.context.find(world.entity("Trip"), where: [0], equal: [.string("t3")]))
    try trip.set("cost", .double(33))
    try world.make("Trip", ["name": .string("new"), "cost": .double(2)])
    try world.context.save()
    var read: [String] = []
    let trace = world.store.trace { sql, _ in read.append(sql) }
    try world.turn.run()
    withExtendedLifetime(trace) {}
    #expect(!read.contains { $0.hasPrefix("SELECT") }, "\(read)")
    let fresh = Array(try world.context.fetch(results[0].request).objectIDs)
    #expect(results[0].objectIDs(0..<results[0].count) == fresh)
  }

  @Test func laterCommitsOfATurnCount() throws {
    for result in results.dropFirst() { result.close() }
    try world.sql("UPDATE trip SET cost = 4 WHERE name IN ('t20', 't21', 't22')", runsTurn: false)
    try world.sql("UPDATE trip SET cost = 44 WHERE name = 't20'", runsTurn: false)
    try world.sql("DELETE FROM trip WHERE name = 't21'", runsTurn: false)
    try world.sql("INSERT INTO trip (_pk, name, cost) SELECT 22, 'again', 5", runsTurn: false)
    try world.sql("UPDATE trip SET cost = 'x' WHERE name = 't1'", runsTurn: false)
    try world.turn.run()
    let fresh = Array(try world.context.fetch(results[0].request).objectIDs)
    #expect(results[0].objectIDs(0..<results[0].count) == fresh)
  }

  @Test func rowsThatAreTooLargeToKeepAreRead() throws {
    try world.sql("UPDATE trip SET note = hex(zeroblob(100000)), cost = 3 WHERE name IN ('t20', 't21', 't22')")
    try expectFetched()
  }

  @Test func moreRowsThanAreSharedAreLookedUp() throws {
    for _ in 0...SharedRows.mostRows { try world.make("Trip", ["cost": .double(15), "stars": .int(1)]) }
    try world.save()
    try expectFetched()
  }
}
