import Modeling
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// Live results as properties and as streams.
@Suite struct FetchedPropertyTests {
  private let world: LiveWorld

  init() throws { world = try LiveWorld() }

  private final class Board {
    @Fetched var trips: Fetched.Objects

    init(_ trips: Fetched) { _trips = trips }
  }

  @Test func aPropertyFetchesFromTheContextOfItsEnvironment() throws {
    let environment = Environment()
    try environment.with(\.managedObjectContext, world.live.context(world.context)) {
      let board = Board(Fetched("Trip", predicate: "cost > 1", sort: ["-cost"], in: environment))
      try world.sql("INSERT INTO trip (cost) VALUES (1), (2), (3)")
      #expect(try board.trips.map { try $0.get("cost") } == [.double(3), .double(2)])
      try board.$trips.configure { $0.fetchLimit = 1 }
      #expect(board.trips.count == 1)
      board.$trips.binding(\.sortDescriptors).wrappedValue = [SortDescriptor("cost")]
      #expect(try board.trips.first?.get("cost") == .double(2))
      #expect(board.$trips.error == nil)
    }
  }

  @Test func withoutAContextThereIsNothingAndTheReason() {
    let board = Board(Fetched("Trip", in: Environment()))
    #expect(board.trips.isEmpty)
    #expect(board.$trips.error as? LiveQueryError == LiveQueryError(.noContext))
  }

  @Test func aNameThatTheModelDoesNotHaveIsTheReason() {
    let environment = Environment()
    environment.with(\.managedObjectContext, world.live.context(world.context)) {
      let board = Board(Fetched("Trap", in: environment))
      #expect(board.$trips.error as? LiveQueryError == LiveQueryError(.unknownEntity("Trap")))
    }
  }

  @Test func changesAreAStreamThatEndsWithTheResults() async throws {
    let results = try world.results(try world.request())
    let changes = results.changes
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try world.sql("DELETE FROM trip")
    results.close()
    var told: [String] = []
    for await change in changes { told.append("+\(change.inserted.count) -\(change.deleted.count)") }
    #expect(told == ["+1 -0", "+0 -1"])
  }
}
