import Modeling
import ObjectGraph
import Queries
import Stores
import Testing

@testable import LiveQueries

/// Unsaved changes that were reported to observers, and what becomes of them.
@Suite struct PendingOverlayTests {
  /// With several objects at a time, since the order of a hash table is the right one now and then.
  @Test func anObjectThatIsGivenTheKeyOfOneThatIsGoneIsToldTheSameEachTime() throws {
    var told: Set<String> = []
    for _ in 0..<8 { told.insert(try changesOfReusedKeys()) }
    #expect(told.count == 1, "\(told)")
  }

  private func changesOfReusedKeys() throws -> String {
    let world = try LiveWorld()
    world.context.mergePolicy = .storeTrump
    let trips = try (1...5).map { try world.make("Trip", ["stars": .int(Int64($0))]) }
    try world.save()
    let mirror = ResultsMirror(try world.results(world.request(sort: ["-stars"])))
    var events: [String] = []
    let token = world.live.context(world.context).observe(try world.entity("Trip")) {
      events.append("\($0.kind) \($0.object.objectID.key)")
    }
    for trip in trips { try trip.set("note", .string("x")) }
    for number in 6...10 { try world.make("Trip", ["stars": .int(Int64(number))]) }
    try world.turn.run()
    // Others delete all rows, so that the new ones are given their keys.
    try world.sql("DELETE FROM trip")
    try world.save()
    let problems = try mirror.problems(in: world)
    #expect(problems == [])
    token.cancel()
    let changes = mirror.takeChanges().map {
      "\($0.inserted.count) \($0.updated.compactMap(\.objectID?.key)) \($0.moved.count) \($0.deleted.count)"
    }
    return "\(events) \(changes)"
  }
}
