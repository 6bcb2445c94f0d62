import Modeling
import ObjectGraph
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// The reports where several connections wrote before a turn ended.
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

  @Test func anExpensiveLookAndItsUpdateAreFollowedByARestTwelveTimesAsLong() throws {
    let results = try world.results(world.request())
    var now = 0.0
    for (seconds, rest) in [(1.0 / 1024, nil), (0.5, 12), (0.0, nil)] as [(Double, Double?)] {
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

  /// Whether the new object matches, and whether it is changed again before the turn ends.
  @Test(arguments: [(1.0, false), (1, true), (-1, false), (-1, true)])
  func aNewObjectThatGetsTheKeyOfARowThatIsGoneTakesItsPlace(cost: Double, isChangedAgain: Bool) throws {
    world.context.mergePolicy = .storeTrump
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request("Trip", "cost > 0")))
    let names = ResultsMirror(try world.results(world.request("Trip", sort: ["-name"])))
    try trip.set("cost", .double(2))
    try world.turn.run()
    try elsewhere("DELETE FROM trip")
    try world.turn.run()
    let new = try world.make("Trip", ["cost": .double(cost)])
    try world.turn.run()
    let key = trip.objectID.key
    try world.context.save()
    #expect(new.objectID.key == key)
    if isChangedAgain { try new.set("cost", .double(2 * cost)) }
    try world.turn.run()
    #expect(try mirror.problems(in: world) + names.problems(in: world) == [])
    #expect(mirror.results.count == (cost > 0 ? 1 : 0) && names.results.count == 1)
  }

  @Test func aRowThatIsDeletedHereAndInsertedElsewhereIsToldAsOne() throws {
    let trips = try (0..<2).map { _ in try world.make("Trip", ["cost": .double(1)]) }
    try world.save()
    var told: [String] = []
    let token = world.live.context(world.context).observe(try world.entity("Trip")) {
      told.append("\($0.kind) \($0.object.objectID.key)")
    }
    try world.sql("DELETE FROM trip", runsTurn: false)
    try elsewhere("INSERT INTO trip (_pk, cost) VALUES (1, 2)")
    try elsewhere("INSERT INTO trip (_pk, cost) VALUES (2, 2)")
    try world.turn.run()
    #expect(told == ["update 1", "update 2"])
    told = []
    try elsewhere("UPDATE trip SET cost = 3")
    try elsewhere("INSERT INTO trip (_pk, cost) VALUES (3, 2)")
    try elsewhere("DELETE FROM trip")
    try world.turn.run()
    #expect(told.filter { $0.hasPrefix("delete") } == ["delete 1", "delete 2"])
    withExtendedLifetime(trips) { token.cancel() }
  }

  @Test func valuesBeforeSeveralCommitsAreThoseBeforeTheFirst() throws {
    let trips = try (0..<2).map { _ in try world.make("Trip", ["cost": .double(1), "name": .string("a")]) }
    try world.save()
    let results = try world.results(world.request())
    var former: [[String]] = []
    let token = results.onChange(withFormerValues: true) { change in
      former = trips.map { trip in
        change.former?.changes(of: trip.objectID, entity: trip.entity)?.map {
          "\($0.property) \($0.old.displayText) \($0.new.displayText)"
        } ?? ["unknown"]
      }
    }
    try world.sql("UPDATE trip SET cost = 2", runsTurn: false)
    try world.sql("UPDATE trip SET cost = 3 WHERE _pk = 1; UPDATE trip SET cost = 1, name = 'b' WHERE _pk = 2")
    #expect(former == [["cost 1.0 3.0"], ["name a b"]])
    token.cancel()
  }

  @Test func tablesThatNoResultShowsAnyMoreAreNotFollowed() throws {
    let median = try FetchedValues(
      {
        var request = try world.request("Guest")
        request.resultType = .dictionaries
        request.propertiesToFetch = [FetchedColumn("middle", try Expression.parse("median(age)"))]
        return request
      }(), in: world.live.context(world.context))
    let token = median.onChange { _ in }
    var woken = 0
    let watching = world.live.followCommits(name: "a program")
    #expect(world.live.commitWatch != nil)
    #expect(world.live.brokenInvariants == [])
    try elsewhere("INSERT INTO guest (age) VALUES (7)")
    if world.live.commitWatch?.check() == true { woken += 1 }
    try world.turn.run()
    #expect(woken == 1)
    #expect(Array(median) == [[.double(7)]])
    token.cancel()
    #expect(world.live.commitWatch != nil)
    watching.cancel()
    median.close()
    #expect(world.live.commitWatch == nil)
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
