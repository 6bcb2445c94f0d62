import ObjectGraph
import Queries
import Stores
import Testing

@testable import LiveQueries

/// A round in which nothing happened asks the store for nothing, and still shows all that changed before it.
@Suite struct QuietRoundTests {
  private let world: LiveWorld

  init() throws {
    world = try LiveWorld()
    for number in 0..<4 { try world.make("Trip", ["cost": .double(Double(number))]) }
    try world.save()
  }

  private func statements(of body: () throws -> Void) rethrows -> [String] {
    var read: [String] = []
    let trace = world.store.trace { sql, _ in read.append(sql) }
    try body()
    withExtendedLifetime(trace) {}
    return read.filter { $0.hasPrefix("SELECT") }
  }

  @Test(arguments: [0, 1])
  func aTurnWithoutNewsReadsNothing(depth: Int) throws {
    let context = depth == 0 ? world.context : ObjectContext(parent: world.context)
    let results = try FetchedResults(world.request("Trip", "cost > 1"), in: world.live.context(context))
    let count = try FetchedValues(world.request("Trip", "place.name != nil"), in: world.live.context(context))
    try world.turn.run()
    #expect(try statements { for _ in 0..<3 { try world.turn.run() } } == [])
    try world.sql("UPDATE trip SET cost = 9")
    #expect(results.count == 4 && count.count == 0)
  }

  @Test(arguments: [0, 1])
  func whatWasTakenBackBeforeTheFirstRoundOfAResultIsNotShown(depth: Int) throws {
    let context = depth == 0 ? world.context : ObjectContext(parent: world.context)
    try world.turn.run()
    let trip = try #require(try world.context.fetch(world.request("Trip", "cost == 0")).objectList().first)
    try trip.set("cost", .double(7))
    let mirror = ResultsMirror(try FetchedResults(world.request("Trip", "cost > 1"), in: world.live.context(context)))
    #expect(mirror.results.count == 3)
    world.context.rollback()
    try world.turn.run()
    #expect(mirror.results.count == 2)
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func aRequestThatIsReplacedInAQuietTurnIsReportedInIt() throws {
    let results = try world.results(world.request("Trip", "cost > 1"))
    var told: [Int] = []
    let token = results.onChange { told.append($0.inserted.count) }
    try world.turn.run()
    try results.replace(with: world.request("Trip", "cost >= 0"))
    try world.turn.run()
    #expect(told == [2])
    token.cancel()
  }

  @Test func theObjectsOfAResultAreThoseOfTheContextAfterAReset() throws {
    let results = try world.results(world.request("Trip", sort: ["cost"]))
    try world.turn.run()
    let first = results[0].objectID
    world.context.reset()
    try world.turn.run()
    #expect(results[0].objectID == first)
    #expect(try results[0].get("cost") == .double(0))
  }
}
