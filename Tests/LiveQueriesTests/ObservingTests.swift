import Modeling
import ObjectGraph
import Queries
import Testing

@testable import LiveQueries

/// The reports to observers of objects.
@Suite struct ObservingTests {
  private let world: LiveWorld
  private var live: LiveContext { world.live.context(world.context) }

  init() throws { world = try LiveWorld() }

  @Test func anEntitysObserversAreToldOfEachObjectOnce() throws {
    var told: [String] = []
    let token = try live.observe(world.entity("Trip")) { told.append("\($0.kind) \($0.object.objectID) \($0.cause)") }
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.turn.run()
    try world.save()
    try trip.set("cost", .double(2))
    try world.turn.run()
    try trip.set("cost", .double(3))
    try world.save()
    try world.sql("UPDATE trip SET cost = 4; INSERT INTO trip (cost) VALUES (5)")
    try world.sql("DELETE FROM trip WHERE cost = 5")
    try trip.delete()
    try world.save()
    token.cancel()
    try world.sql("INSERT INTO trip (cost) VALUES (5)")
    #expect(
      told == [
        "insert Trip/t1 pending", "update Trip/1 pending", "update Trip/1 save", "insert Trip/2 save",
        "update Trip/1 save", "delete Trip/2 save", "delete Trip/1 save",
      ])
  }

  @Test func aRollbackIsToldAsTheReverse() throws {
    let trip = try world.make("Trip")
    try world.save()
    var told: [String] = []
    let token = try live.observe(world.entity("Trip")) { told.append("\($0.kind)") }
    defer { token.cancel() }
    try world.make("Trip")
    try trip.delete()
    try world.turn.run()
    world.context.rollback()
    try world.turn.run()
    #expect(told.sorted() == ["delete", "delete", "insert", "insert"])
  }

  @Test func aSubentitysObserversAreToldOfItsObjectsAloneWhoeverWritesThem() throws {
    let world = try LiveWorld(
      model: Model([
        EntityDescription("Thing", properties: [.attribute(Attribute("name", .string))]),
        EntityDescription("Tool", parent: "Thing", properties: [.attribute(Attribute("weight", .double))]),
      ]))
    var told: [String] = []
    let token = try world.live.context(world.context).observe(world.entity("Tool")) {
      told.append("\($0.kind) \($0.object.objectID.key)")
    }
    defer { token.cancel() }
    let other = ObjectContext(store: world.store)
    let made = try ["Tool", "Thing", "Tool"].map { try world.make($0, ["name": .string("a")], in: other) }
    try other.save()
    try world.turn.run()
    #expect(told.sorted() == ["insert 1", "insert 3"])
    for object in made[..<2] { try object.set("name", .string("b")) }
    try other.save()
    try world.turn.run()
    #expect(told.count == 3 && told.last == "update 1")
    for object in made { try object.delete() }
    try other.save()
    try world.turn.run()
    #expect(told.count == 5 && told.suffix(2).sorted() == ["delete 1", "delete 3"])
  }

  @Test func oneKindAlone() throws {
    var told = 0
    let token = try live.observe(world.entity("Trip"), [.delete]) { _ in told += 1 }
    defer { token.cancel() }
    let trip = try world.make("Trip")
    try world.save()
    try trip.delete()
    try world.save()
    #expect(told == 1)
  }

  @Test func everythingOfATurnComesTogether() throws {
    var told: [ObjectChanges] = []
    let token = live.observeObjects { told.append($0) }
    defer { token.cancel() }
    try world.make("Trip")
    try world.make("Tag")
    try world.turn.run()
    #expect(told.map { $0.objects(.insert).map(\.entity.name) } == [["Tag", "Trip"]])
  }

  @Test func aValueIsObservedAlongRelationships() throws {
    let place = try world.make("Place", ["name": .string("b")])
    let trip = try world.make("Trip")
    try world.save()
    var told: [String] = []
    let token = try live.observe(trip, try Expression.parse("place.name")) {
      told.append("\($1.displayText) -> \($0.displayText)")
    }
    defer { token.cancel() }
    let count = try live.observe(trip, try Expression.parse("guests.@count")) { new, _ in
      told.append("\(new.displayText) guests")
    }
    defer { count.cancel() }
    try trip.setRelated(at: trip.index("place"), to: place)
    try world.turn.run()
    try world.save()
    try world.sql("UPDATE place SET name = 'c'")
    try world.sql("UPDATE place SET rank = 1; INSERT INTO guest (trip_pk) VALUES (1)")
    #expect(told == ["nil -> b", "b -> c", "1 guests"])
  }

  @Test func anUnsavedObjectIsObservedThroughItsSave() throws {
    let trip = try world.make("Trip", ["cost": .double(1)])
    var told: [String] = []
    let token = try live.observe(trip, .path(PropertyPath(["cost"]))) { new, _ in told.append(new.displayText) }
    defer { token.cancel() }
    try world.save()
    try world.sql("UPDATE trip SET cost = 2")
    try trip.delete()
    try world.save()
    #expect(told == ["2.0", "nil"])
  }

  @Test func whatOneObserverWritesTheOthersAreToldInTheNextRound() throws {
    var told: [String] = []
    let first = try live.observe(world.entity("Trip"), [.insert]) { change in
      told.append("trip")
      _ = try? world.make("Tag")
      try? world.context.save()
      _ = change
    }
    let second = try live.observe(world.entity("Tag"), [.insert]) { _ in told.append("tag") }
    defer {
      first.cancel()
      second.cancel()
    }
    try world.make("Trip")
    try world.save()
    #expect(told == ["trip", "tag"])
  }
}
