import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// Live results as properties and as streams.
@Suite struct FetchedPropertyTests {
  private let world: LiveWorld
  private let environment = Environment()

  init() throws { world = try LiveWorld() }

  private final class Board {
    @Fetched var trips: LiveObjects

    init(_ trips: Fetched) { _trips = trips }
  }

  private func inContext<Result>(_ context: ObjectContext? = nil, _ body: () throws -> Result) throws -> Result {
    try environment.with(\.managedObjectContext, world.live.context(context ?? world.context), body)
  }

  private func costs(_ objects: LiveObjects) throws -> [Double] {
    try objects.map { if case .double(let cost) = try $0.get("cost") { cost } else { -1 } }
  }

  private func told(_ change: ResultsChange) -> String {
    "\(change.kind) +\(change.inserted.count) -\(change.deleted.count) ~\(change.updated.count) ^\(change.moved.count)"
  }

  // MARK: Fetching

  @Test func aPropertyFetchesFromTheContextOfItsEnvironment() throws {
    try inContext { () throws in
      let board = Board(Fetched("Trip", predicate: "cost > 1", sort: ["-cost"], in: environment))
      try world.sql("INSERT INTO trip (cost) VALUES (1), (2), (3)")
      #expect(try costs(board.trips) == [3, 2])
      try board.$trips.configure { $0.fetchLimit = 1 }
      #expect(board.trips.count == 1)
      board.$trips.binding().sortDescriptors.wrappedValue = [SortDescriptor("cost")]
      #expect(try costs(board.trips) == [2])
      board.$trips.predicate = nil
      #expect(try costs(board.trips) == [1])
      #expect(board.$trips.error == nil)
    }
  }

  @Test func withoutAContextThereIsNothingAndTheReason() throws {
    let board = Board(Fetched("Trip", in: environment))
    #expect(board.trips.isEmpty)
    #expect(board.trips.sections.isEmpty)
    #expect(board.$trips.error as? LiveQueryError == LiveQueryError(.noContext))
    #expect(board.$trips.context == nil)
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try inContext { () throws in
      #expect(try costs(board.trips) == [1])
      #expect(board.$trips.error == nil)
    }
    #expect(try costs(board.trips) == [1], "what was fetched stays")
  }

  @Test func aNameThatTheModelDoesNotHaveIsTheReason() throws {
    try inContext { () throws in
      let board = Board(Fetched("Trap", in: environment))
      #expect(board.$trips.error as? LiveQueryError == LiveQueryError(.unknownEntity("Trap")))
      let other = Board(Fetched("Trip", predicate: "price > 1", in: environment))
      #expect(other.$trips.error is PredicateError)
      #expect(other.trips.isEmpty)
    }
  }

  @Test func textsThatCannotBeReadAreTheReasonUntilThereIsAConfiguration() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try inContext { () throws in
      let board = Board(Fetched("Trip", predicate: "cost >", in: environment))
      #expect(board.$trips.error is PredicateError)
      #expect(board.trips.isEmpty)
      board.$trips.predicate = try Predicate.parse("cost > 0")
      #expect(board.$trips.error == nil)
      #expect(board.trips.count == 1)
    }
  }

  @Test func aConfigurationThatCannotBeFetchedChangesNothingButTheError() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1), (2)")
    try inContext { () throws in
      let board = Board(Fetched("Trip", sort: ["cost"], in: environment))
      #expect(board.trips.count == 2)
      board.$trips.predicate = try Predicate.parse("price > 1")
      #expect(board.$trips.error is PredicateError)
      #expect(board.$trips.predicate == nil)
      #expect(try costs(board.trips) == [1, 2])
      #expect(throws: PredicateError.self) {
        try board.$trips.configure { $0.sortDescriptors = [SortDescriptor("price")] }
      }
      board.$trips.fetchLimit = 1
      #expect(board.$trips.error == nil)
      #expect(try costs(board.trips) == [1])
    }
  }

  @Test func aConfigurationFromBeforeTheFirstFetchIsFetched() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1), (2)")
    let board = Board(Fetched("Trip", sort: ["-cost"], in: environment))
    board.$trips.fetchLimit = 1
    #expect(board.$trips.sortDescriptors == [SortDescriptor("-cost")])
    try inContext { () throws in
      #expect(try costs(board.trips) == [2])
    }
  }

  // MARK: Observers

  @Test func aConfigurationOfSeveralPartsIsOneChange() throws {
    try world.sql("INSERT INTO trip (cost, stars) VALUES (1, 3), (2, 2), (3, 1)")
    try inContext { () throws in
      let board = Board(Fetched("Trip", sort: ["cost"], animation: .easeIn, in: environment))
      var changes: [ResultsChange] = []
      let token = board.$trips.onChange { changes.append($0) }
      defer { token.cancel() }
      var configuration = board.$trips.configuration
      configuration.predicate = try Predicate.parse("cost > 1")
      configuration.sortDescriptors = [SortDescriptor("stars")]
      board.$trips.configuration = configuration
      #expect(changes.map(told) == ["configuration +0 -1 ~0 ^1"])
      #expect(changes.first?.transaction.animation == .easeIn)
      token.cancel()
      board.$trips.predicate = nil
      #expect(changes.count == 1)
    }
  }

  @Test func whatEndlessRoundsLeaveIsToldToTheStore() throws {
    try inContext { () throws in
      let board = Board(Fetched("Trip", in: environment))
      var limit = 1
      let token = board.$trips.onChange { _ in
        limit += 1
        try? world.sql("INSERT INTO trip (cost) VALUES (1)", runsTurn: false)
      }
      defer { token.cancel() }
      try world.sql("INSERT INTO trip (cost) VALUES (1)", runsTurn: false)
      board.$trips.predicate = try Predicate.parse("cost == 1")
      #expect(limit > Turn.mostRounds)
      #expect(world.failures.count == 1)
      #expect(board.$trips.error == nil)
    }
  }

  @Test func whoReadsAPropertyReadsItAgainWhenItCanBeFetched() throws {
    let board = Board(Fetched("Trip", in: environment))
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    var seen: [Int] = []
    let effect = Effect(world.turn) { seen.append(board.trips.count) }
    defer { effect.cancel() }
    try inContext { _ = board.trips }
    try world.turn.run()
    #expect(seen == [0, 1])
    try world.sql("INSERT INTO trip (cost) VALUES (2)")
    #expect(seen == [0, 1, 2])
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

  @Test func aPropertysChangesAreAStreamThatGoesOnInAnotherContext() async throws {
    let board = Board(Fetched("Trip", sort: ["cost"], in: environment))
    let changes = try inContext { () throws in
      let changes = board.$trips.changes
      try world.sql("INSERT INTO trip (cost) VALUES (1)")
      return changes
    }
    let other = ObjectContext(store: world.store)
    try world.make("Trip", ["cost": .double(2)], in: other)
    try inContext(other) { () throws in
      #expect(try costs(board.trips) == [1, 2])
    }
    try world.turn.run()
    board.$trips.results?.close()
    #expect(board.$trips.isClosed)
    var told: [String] = []
    for await change in changes { told.append(self.told(change)) }
    #expect(told == ["save +1 -0 ~0 ^0", "configuration +1 -0 ~0 ^0"])
    for await change in board.$trips.changes { Issue.record("\(change) after the end") }
  }

  @Test func aStreamEndsWithItsProperty() async throws {
    var board: Board? = Board(Fetched("Trip", in: environment))
    let changes = try #require(try inContext { board?.$trips.changes })
    board = nil
    for await change in changes { Issue.record("\(change) of nothing") }
  }

  @Test func aStreamThatHasEndedLeavesNoObservationBehind() {
    weak var token: ObservationToken?
    func begin() -> () -> Void {
      // As those of results do, the token holds what is called.
      AsyncStream.changes { observer in
        let made = ObservationToken { _ = observer }
        token = made
        return made
      }.finish
    }
    let finish = begin()
    #expect(token != nil)
    finish()
    #expect(token == nil)
  }
}
