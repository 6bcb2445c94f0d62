import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// What a live property fetches, and how it and results tell of changes.
@Suite struct LivePropertyFetchingTests {
  private let world: LiveWorld
  private let environment = Environment()

  init() throws { world = try LiveWorld() }

  private func property(
    _ predicate: String? = nil, _ sort: [String] = [], animation: Animation? = nil
  ) -> LiveProperty {
    LiveProperty("Trip", animation: animation, in: environment) { request in
      request.predicate = try predicate.map { try Predicate.parse($0) }
      request.sortDescriptors = sort.map { SortDescriptor($0) }
    }
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
      let trips = property("cost > 1", ["-cost"])
      try world.sql("INSERT INTO trip (cost) VALUES (1), (2), (3)")
      #expect(try costs(trips.objects) == [3, 2])
      trips.configure { request in
        request.predicate = try Predicate.parse("cost > 1")
        request.fetchLimit = 1
      }
      #expect(trips.objects.count == 1)
      trips.configure { $0.sortDescriptors = [SortDescriptor("cost")] }
      #expect(try costs(trips.objects) == [1, 2, 3], "what a configuration does not name is as in a new request")
      #expect(trips.error == nil)
    }
  }

  @Test func withoutAContextThereIsNothingAndTheReason() throws {
    let trips = property()
    #expect(trips.objects.isEmpty)
    #expect(trips.sections.isEmpty)
    #expect(trips.error as? LiveQueryError == LiveQueryError(.noContext))
    #expect(trips.context == nil)
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try inContext { () throws in
      #expect(try costs(trips.objects) == [1])
      #expect(trips.error == nil)
    }
    #expect(try costs(trips.objects) == [1], "what was fetched stays")
  }

  @Test func aNameThatTheModelDoesNotHaveIsTheReason() throws {
    try inContext { () throws in
      let trips = LiveProperty("Trap", in: environment)
      #expect(trips.error as? LiveQueryError == LiveQueryError(.unknownEntity("Trap")))
      let other = property("price > 1")
      #expect(other.error is PredicateError)
      #expect(other.objects.isEmpty)
    }
  }

  @Test func textsThatCannotBeReadAreTheReasonUntilThereIsAConfiguration() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try inContext { () throws in
      let trips = property("cost >")
      #expect(trips.error is PredicateError)
      #expect(trips.objects.isEmpty)
      trips.configure { $0.predicate = try Predicate.parse("cost > 0") }
      #expect(trips.error == nil)
      #expect(trips.objects.count == 1)
    }
  }

  @Test func aConfigurationThatCannotBeFetchedChangesNothingButTheError() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1), (2)")
    try inContext { () throws in
      let trips = property(nil, ["cost"])
      #expect(trips.objects.count == 2)
      #expect(!trips.configure { $0.predicate = try Predicate.parse("price > 1") })
      #expect(trips.error is PredicateError)
      #expect(trips.results?.predicate == nil)
      #expect(try costs(trips.objects) == [1, 2])
      #expect(!trips.configure { $0.sortDescriptors = [SortDescriptor("price")] })
      #expect(trips.configure { $0.fetchLimit = 1 })
      #expect(trips.error == nil)
      #expect(try costs(trips.objects) == [1])
    }
  }

  @Test func aConfigurationFromBeforeTheFirstFetchIsFetched() throws {
    try world.sql("INSERT INTO trip (cost) VALUES (1), (2)")
    let trips = property(nil, ["-cost"])
    #expect(
      trips.configure { request in
        request.sortDescriptors = [SortDescriptor("-cost")]
        request.fetchLimit = 1
      })
    #expect(trips.error as? LiveQueryError == LiveQueryError(.noContext))
    try inContext { () throws in
      #expect(try costs(trips.objects) == [2])
    }
  }

  // MARK: Observers

  @Test func aConfigurationOfSeveralPartsIsOneChange() throws {
    try world.sql("INSERT INTO trip (cost, stars) VALUES (1, 3), (2, 2), (3, 1)")
    try inContext { () throws in
      let trips = property(nil, ["cost"], animation: .easeIn)
      var changes: [ResultsChange] = []
      let token = trips.onChange { changes.append($0) }
      defer { token.cancel() }
      trips.configure { request in
        request.predicate = try Predicate.parse("cost > 1")
        request.sortDescriptors = [SortDescriptor("stars")]
      }
      #expect(changes.map(told) == ["configuration +0 -1 ~0 ^1"])
      #expect(changes.first?.transaction.animation == .easeIn)
      token.cancel()
      trips.configure { _ in }
      #expect(changes.count == 1)
    }
  }

  @Test func whatEndlessRoundsLeaveIsToldToTheStore() throws {
    try inContext { () throws in
      let trips = property()
      var limit = 1
      let token = trips.onChange { _ in
        limit += 1
        try? world.sql("INSERT INTO trip (cost) VALUES (1)", runsTurn: false)
      }
      defer { token.cancel() }
      try world.sql("INSERT INTO trip (cost) VALUES (1)", runsTurn: false)
      trips.configure { $0.predicate = try Predicate.parse("cost == 1") }
      #expect(limit > Turn.mostRounds)
      #expect(world.failures.count == 1)
      #expect(trips.error == nil)
    }
  }

  @Test func whoReadsAPropertyReadsItAgainWhenItCanBeFetched() throws {
    let trips = property()
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    var seen: [Int] = []
    let effect = Effect(world.turn) { seen.append(trips.objects.count) }
    defer { effect.cancel() }
    try inContext { _ = trips.objects }
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
    let trips = property(nil, ["cost"])
    let changes = try inContext { () throws in
      let changes = trips.changes
      try world.sql("INSERT INTO trip (cost) VALUES (1)")
      return changes
    }
    let other = ObjectContext(store: world.store)
    try world.make("Trip", ["cost": .double(2)], in: other)
    try inContext(other) { () throws in
      #expect(try costs(trips.objects) == [1, 2])
    }
    try world.turn.run()
    trips.results?.close()
    #expect(trips.isClosed)
    var told: [String] = []
    for await change in changes { told.append(self.told(change)) }
    #expect(told == ["save +1 -0 ~0 ^0", "configuration +1 -0 ~0 ^0"])
    for await change in trips.changes { Issue.record("\(change) after the end") }
  }

  @Test func aStreamEndsWithItsProperty() async throws {
    var trips: LiveProperty? = property()
    let changes = try #require(try inContext { trips?.changes })
    trips = nil
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
