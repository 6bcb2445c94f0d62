import Modeling
import ObjectGraph
import Queries
import Storage
import TestSupport
import Testing

@testable import LiveQueries

/// What is told where several wrote before a turn ended.
@Suite(.seeded) struct SeveralWritersTests {
  private let world: LiveWorld
  private let folder: TemporaryFolder
  private let other: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/trips.sqlite"
    world = try LiveWorld(OtherStore.history.open(path))
    other = try SQLiteStore(StoreOptions(path: path))
  }

  private func elsewhere(_ sql: String) throws { _ = try other.sql(sql) }

  @Test func whatWasSavedAndChangedAgainIsToldAgain() throws {
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request()))
    try trip.set("cost", .double(2))
    try world.turn.run()
    try world.context.save()
    try elsewhere("UPDATE trip SET note = 'x'")
    try world.turn.run()
    #expect(mirror.takeChanges().map(\.updated.count) == [1, 1])
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func anExpensiveLookIsFollowedByARestNineTimesAsLong() throws {
    let results = try world.results(world.request())
    var now = 0.0
    for (seconds, rest) in [(0.001, nil), (0.5, 4.5), (0.0, nil)] as [(Double, Double?)] {
      world.live.clock = {
        now += seconds
        return now
      }
      try elsewhere("UPDATE trip SET note = 'x'")
      try world.turn.run()
      #expect(world.live.restsUntil == rest.map { now + $0 })
    }
    withExtendedLifetime(results) {}
  }

  @Test func whatASaveMergedIsTold() throws {
    world.context.mergePolicy = .objectTrump
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request()))
    try trip.set("cost", .double(2))
    try world.turn.run()
    try elsewhere("UPDATE trip SET note = 'x'")
    try world.turn.run()
    #expect(try mirror.problems(in: world) == [])
    try world.save()
    #expect(try trip.get("note") == .string("x"))
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func changesOfTheTurnInWhichTheRequestChangesAreTold() throws {
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request()))
    try trip.set("note", .string("x"))
    try mirror.results.configure { $0.predicate = try Predicate.parse("cost == 1") }
    #expect(mirror.takeChanges().map(\.updated.count) == [1])
    #expect(try mirror.problems(in: world) == [])
  }

  @Test(arguments: [
    "INSERT OR REPLACE INTO trip (code, cost) VALUES ('a', 5)",
    "UPDATE OR REPLACE trip SET code = 'a' WHERE code = 'b'",
    "INSERT OR REPLACE INTO trip (_pk, code) VALUES (2, 'a')",
  ])
  func anObjectThatGivesWayToAnotherIsDeleted(sql: String) throws {
    let trips = try ["a", "b"].map { try world.make("Trip", ["code": .string($0)]) }
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request("Trip", sort: ["code"])))
    let objects = try ObjectsMirror(world.entity("Trip"), in: world.live.context(world.context))
    try elsewhere(sql)
    try world.turn.run()
    #expect(try mirror.problems(in: world) + objects.problems() == [])
    #expect(mirror.takeChanges().flatMap(\.deleted).contains { $0.objectID == trips[0].objectID })
    #expect(try !trips[0].exists())
  }

  @Test func theMembersOfAnOwnerWhoseRowGaveWayAreCountedAnew() throws {
    let trip = try world.make("Trip", ["name": .string("t")])
    let guest = try world.make("Guest")
    try guest.setRelated(at: guest.index("trip"), to: trip)
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request("Trip", "guests.@count > 0")))
    #expect(mirror.results.count == 1)
    try elsewhere("INSERT OR REPLACE INTO guest (_pk, name) VALUES (\(guest.objectID.key), 'x')")
    try world.turn.run()
    #expect(mirror.results.isEmpty)
    #expect(try mirror.problems(in: world) == [])
  }
}
