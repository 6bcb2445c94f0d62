import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// Live sections, and queries in the words of SwiftData, as properties.
@Suite struct SectionedPropertyTests {
  private let world: LiveWorld
  private let environment = Environment()

  init() throws {
    world = try LiveWorld()
    try world.sql("INSERT INTO trip (name, cost, stars) VALUES ('a', 1, 2), ('b', 2, 1), ('c', 3, 2)")
  }

  private final class Board {
    @SectionedFetched var stars: FetchedSections

    init(_ stars: SectionedFetched) { _stars = stars }
  }

  private final class Journey {
    @Query var trips: LiveObjects

    init(_ trips: Query) { _trips = trips }

    var sections: FetchedSections { _trips.sections }
    var error: (any Error)? { _trips.fetchError }
    var context: ObjectContext? { _trips.modelContext }
  }

  private func inContext<Result>(_ body: () throws -> Result) throws -> Result {
    try environment.with(\.managedObjectContext, world.live.context(world.context), body)
  }

  private func names(_ objects: some Sequence<ManagedObject>) throws -> String {
    try objects.map { if case .string(let name) = try $0.get("name") { name } else { "?" } }.joined()
  }

  private func shown(_ sections: FetchedSections) throws -> [String] {
    try sections.map { "\($0.id.displayText) \(try names($0))" }
  }

  @Test func aSectionedPropertyIsItsSections() throws {
    try inContext { () throws in
      let board = Board(SectionedFetched("Trip", sectionIdentifier: "stars", sort: ["-cost"], in: environment))
      #expect(try shown(board.stars) == ["1 b", "2 ca"])
      #expect(board.stars.index(of: .int(2)) == 1)
      try world.sql("UPDATE trip SET stars = 3 WHERE name = 'b'")
      #expect(try shown(board.stars) == ["2 ca", "3 b"])
      board.$stars.sectionIdentifier = nil
      #expect(board.stars.isEmpty)
      #expect(try names(board.$stars.objects) == "cba")
    }
  }

  @Test func sectionsAndOrderAreSetTogetherAndToldOnce() throws {
    try inContext { () throws in
      let property = LiveProperty("Trip", in: environment) {
        try FetchConfiguration(
          predicate: nil, sort: ["stars", "name"], sectionIdentifier: "stars", fetchLimit: nil)
      }
      let board = Board(SectionedFetched(property))
      let mirror = try ResultsMirror(property)
      defer { mirror.stop() }
      try property.configure { configuration in
        configuration.sectionIdentifier = try Expression.parse("name")
        configuration.sortDescriptors = [SortDescriptor("-name")]
      }
      #expect(try shown(board.stars) == ["c c", "b b", "a a"])
      #expect(mirror.takeChanges().count == 1)
      #expect(try mirror.problems(in: world) == [])
    }
  }

  @Test func anOrderThatContradictsTheSectionsIsTheError() throws {
    try inContext { () throws in
      let board = Board(SectionedFetched("Trip", sectionIdentifier: "stars", sort: ["cost", "stars"], in: environment))
      #expect(board.stars.isEmpty)
      #expect(board.$stars.error is PredicateError)
      board.$stars.sortDescriptors = [SortDescriptor("-stars"), SortDescriptor("cost")]
      #expect(board.$stars.error == nil)
      #expect(try shown(board.stars) == ["2 ac", "1 b"])
      board.$stars.sortDescriptors = [SortDescriptor("cost"), SortDescriptor("stars")]
      #expect(board.$stars.error is PredicateError)
      #expect(try shown(board.stars) == ["2 ac", "1 b"])
    }
  }

  @Test func withoutAContextThereAreNoSections() {
    let board = Board(SectionedFetched("Trip", sectionIdentifier: "stars", in: environment))
    #expect(board.stars.isEmpty)
    #expect(board.stars.index(of: .int(2)) == nil)
    #expect(board.$stars.error as? LiveQueryError == LiveQueryError(.noContext))
  }

  @Test func aQueryFiltersSortsAndTurnsItsOrderRound() throws {
    try inContext { () throws in
      let forward = Journey(Query("Trip", filter: "cost < 3", sort: ["name"], in: environment))
      let reverse = Journey(Query("Trip", sort: ["stars", "-name"], order: .reverse, fetchLimit: 2, in: environment))
      #expect(try names(forward.trips) == "ab")
      #expect(try names(reverse.trips) == "ac")
      #expect(forward.error == nil)
      #expect(forward.context === world.context)
      forward.$trips.sortDescriptors = [SortDescriptor("-cost")]
      #expect(try names(forward.trips) == "ba")
      let last = try #require(forward.trips.last)
      #expect(forward.trips.index(of: last) == 1)
    }
  }

  @Test func aQueryHasItsSectionsBesideIt() throws {
    try inContext { () throws in
      let journey = Journey(Query("Trip", sort: ["name"], sectionBy: "stars", in: environment))
      #expect(try names(journey.trips) == "bac")
      #expect(try shown(journey.sections) == ["1 b", "2 ac"])
    }
  }

  @Test func theLastFetchThatSucceededIsShownBesideTheError() throws {
    try inContext { () throws in
      let journey = Journey(Query("Trip", sort: ["name"], in: environment))
      #expect(journey.trips.count == 3)
      journey.$trips.predicate = try Predicate.parse("price > 1")
      #expect(journey.error is PredicateError)
      #expect(journey.trips.count == 3)
    }
  }

  @Test func severalPropertiesMayShowTheSame() throws {
    try inContext { () throws in
      let board = Board(SectionedFetched("Trip", sectionIdentifier: "stars", sort: ["name"], in: environment))
      let journey = Journey(Query(board.$stars))
      journey.$trips.predicate = try Predicate.parse("stars == 2")
      #expect(try shown(board.stars) == ["2 ac"])
      #expect(try names(journey.trips) == "ac")
    }
  }
}
