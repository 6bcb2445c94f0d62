import Modeling
import ObjectGraph
import Queries
import Stores
import Testing

@testable import LiveQueries

/// Live results of a child context, whose parents have unsaved changes, too.
@Suite struct ChildContextResultsTests {
  private let world: LiveWorld
  private let child: ObjectContext

  init() throws {
    world = try LiveWorld()
    child = ObjectContext(parent: world.context)
  }

  private func results(_ request: FetchRequest) throws -> ResultsMirror {
    ResultsMirror(try FetchedResults(request, in: world.live.context(child)))
  }

  private func updated(_ mirror: ResultsMirror) -> [Int] { mirror.takeChanges().flatMap(\.updated).compactMap(\.index) }

  @Test func whatAChildHandsToItsParentIsToldOnce() throws {
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = try results(world.request())
    try child.object(trip.objectID).set("cost", .double(2))
    try world.turn.run()
    #expect(updated(mirror) == [0])
    try child.save()
    try world.turn.run()
    try world.save()
    #expect(updated(mirror) == [])
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func whatTheParentTakesBackAfterTheChildSavedIsTold() throws {
    let trip = try world.make("Trip", ["cost": .double(1)])
    try world.save()
    let mirror = try results(world.request())
    try child.object(trip.objectID).set("cost", .double(2))
    try world.turn.run()
    try child.save()
    world.context.rollback()
    try world.turn.run()
    #expect(updated(mirror) == [0, 0])
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func sectionsOfUnsavedChangesAreNeverTornApart() throws {
    for number in 0..<4 { try world.make("Trip", ["name": .string("t\(number)")]) }
    let guest = try world.make("Guest")
    try world.save()
    let mirror = try results(world.request("Trip", sort: ["name"], section: "guests.@count"))
    let trip = try #require(try child.fetch(world.request("Trip", "name == 't1'")).objectList().first)
    try child.object(guest.objectID).setRelated(at: guest.index("trip"), to: trip)
    try world.turn.run()
    #expect(Set(mirror.results.sections.map(\.id)).count == mirror.results.sections.count)
    try child.save()
    try world.save()
    #expect(mirror.results.sections.map(\.id) == [.int(0), .int(1)])
    #expect(try mirror.problems(in: world) == [])
  }

  @Test func observersOfAChildHearOfAnObjectOnce() throws {
    var told: [String] = []
    let token = world.live.context(child).observe(try world.entity("Trip")) { told.append("\($0.kind)") }
    defer { token.cancel() }
    let trip = try child.insert(world.entity("Trip"))
    try world.turn.run()
    try child.save()
    try world.turn.run()
    try world.save()
    #expect(told == ["insert"])
    try child.object(trip.objectID).delete()
    try world.turn.run()
    try child.save()
    world.context.rollback()
    try world.turn.run()
    #expect(told == ["insert", "delete", "insert"])
  }
}
