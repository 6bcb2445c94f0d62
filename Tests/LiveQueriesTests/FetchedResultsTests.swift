import Modeling
import ObjectGraph
import Queries
import Reactive
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// What live results tell, in the situations in which NSFetchedResultsController's ways are known.
@Suite struct FetchedResultsTests {
  private let world: LiveWorld

  init() throws { world = try LiveWorld() }

  /// A short form of a change: `+2` inserted at 2, `-1` deleted from 1, `~0` updated, `3>1` moved; sections in brackets.
  private static func text(_ change: ResultsChange) -> String {
    func place(_ section: Int?, _ index: Int?) -> String {
      (section.map { "\($0)." } ?? "") + (index.map { "\($0)" } ?? "?")
    }
    var parts = change.deletedSections.map { "-[\($0.index) \($0.id.displayText)]" }
    parts += change.insertedSections.map { "+[\($0.index) \($0.id.displayText)]" }
    parts += change.deleted.map { "-" + place($0.oldSection, $0.oldIndex) }
    parts += change.inserted.map { "+" + place($0.section, $0.index) }
    parts += change.moved.map { place($0.oldSection, $0.oldIndex) + ">" + place($0.section, $0.index) }
    parts += change.updated.map { "~" + place($0.section, $0.index) }
    return "\(change.kind.rawValue): " + parts.joined(separator: " ")
  }

  private func follow(_ results: FetchedResults, _ told: @escaping (String) -> Void) -> ObservationToken {
    results.onChange { told(Self.text($0)) }
  }

  private func makeTrips(_ names: [String]) throws -> [ManagedObject] {
    let trips = try names.enumerated().map { place, name in
      try world.make("Trip", ["name": .string(name), "cost": .double(Double(place))])
    }
    try world.save()
    return trips
  }

  @Test func aMixedBatchOfUnsavedChangesIsToldAsSixAtTheEndOfTheTurn() throws {
    let trips = try makeTrips(["a", "b", "c", "d", "e", "f"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].delete()
    try trips[1].set("note", .string("x"))
    try trips[2].set("note", .string("y"))
    try trips[5].set("cost", .double(0.5))
    try world.make("Trip", ["cost": .double(10)])
    try world.make("Trip", ["cost": .double(11)])
    #expect(told == [])
    try world.turn.run()
    #expect(told == ["pending: -0 +5 +6 5>0 ~1 ~2"])
    try world.save()
    #expect(told.count == 1, "what was told as pending is not told again: \(told)")
    #expect(results.count == 7)
  }

  /// Its own row alone does not decide, though only one table does.
  @Test func aPredicateAlongARelationshipToTheSameEntityFollowsTheOtherRow() throws {
    let model = try Model([
      EntityDescription(
        "Node",
        properties: [
          .attribute(Attribute("name", .string)), .attribute(Attribute("n", .integer32)),
          .relationship(Relationship(toOne: "up", "Node", inverse: "down")),
          .relationship(Relationship(toMany: "down", "Node", inverse: "up")),
        ])
    ])
    let world = try LiveWorld(model: model)
    let above = try world.make("Node", ["name": .string("a"), "n": .int(1)])
    let below = try world.make("Node", ["name": .string("x"), "n": .int(7)])
    try below.setRelated(at: below.index("up"), to: above)
    try world.save()
    let results = try world.results(world.request("Node", "up.name == 'a'"))
    #expect(results.count == 1)
    try world.sql("UPDATE node SET name = 'b' WHERE n > 3")
    #expect(results.count == 1)
    try above.set("name", .string("c"))
    try world.save()
    #expect(results.isEmpty)
  }

  @Test func aRowThatStaysWhenARelatedOneChangesIsNotUpdated() throws {
    let model = try Model([
      EntityDescription(
        "Trip",
        properties: [
          .attribute(Attribute("name", .string)),
          .relationship(Relationship(toOne: "guide", "Guide", inverse: "trips")),
        ]),
      EntityDescription(
        "Guide",
        properties: [
          .attribute(Attribute("name", .string)),
          .relationship(Relationship(toMany: "trips", "Trip", inverse: "guide")),
        ]),
    ])
    let world = try LiveWorld(model: model)
    let guide = try world.make("Guide", ["name": .string("a")])
    for name in ["x", "y"] {
      let trip = try world.make("Trip", ["name": .string(name)])
      try trip.setRelated(at: trip.index("guide"), to: guide)
    }
    try world.save()
    let results = try world.results(world.request("Trip", "guide.name IN {'a', 'b'}", sort: ["name"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try world.sql("UPDATE guide SET name = 'b'")
    #expect(told == [])
    try world.sql("UPDATE guide SET name = 'c'")
    #expect(told == ["save: -0 -1"])
  }

  @Test func aRollbackTellsTheReverse() throws {
    let trips = try makeTrips(["a", "b", "c"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].set("cost", .double(5))
    try trips[1].delete()
    try world.make("Trip", ["cost": .double(9)])
    try world.turn.run()
    world.context.rollback()
    try world.turn.run()
    #expect(told == ["pending: -1 +2 0>1", "pending: -2 +1 1>0"])
  }

  @Test func objectsAreFoundUnderTheKeysThatASaveGaveThem() throws {
    try world.make("Trip", ["cost": .double(1)])
    let last = try world.make("Trip", ["cost": .double(2)])
    let results = try world.results(try world.request(sort: ["cost"]))
    #expect(results[1] == last)
    try world.save()
    #expect(try results[0].get("cost") == .double(1))
  }

  @Test func aSaveThatWasNeverToldIsToldOnce() throws {
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try world.make("Trip", ["cost": .double(9)])
    try world.save()
    #expect(told == ["save: +0"])
  }

  @Test func renamingTheLastOfTwoSectionsMakesOneOfThem() throws {
    let trips = try makeTrips(["A", "B", "C"])
    let results = try world.results(try world.request(sort: ["name"], section: "name"))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].set("name", .string("Z"))
    try trips[1].set("name", .string("Z"))
    try world.save()
    #expect(told == ["save: -[0 A] -[1 B] +[1 Z] 0.0>1.0 1.0>1.1"])
    #expect(results.sections.map { "\($0.id.displayText) \($0.count)" } == ["C 1", "Z 2"])
  }

  @Test func whatNoLongerMatchesIsDeletedAndWhatMatchesNowIsInserted() throws {
    let trips = try makeTrips(["a", "b"])
    let results = try world.results(try world.request("Trip", "cost >= 1", sort: ["name"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[1].set("cost", .double(0))
    try world.save()
    try trips[0].set("cost", .double(3))
    try world.save()
    #expect(told == ["save: -0", "save: +0"])
  }

  @Test func twoNeighboursThatChangePlacesAreOneMoveAndOneUpdate() throws {
    let trips = try makeTrips(["a", "b", "c"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].set("cost", .double(1))
    try trips[1].set("cost", .double(0))
    try world.save()
    #expect(told.count == 1 && told[0].contains(">") && told[0].contains("~"), "\(told)")
  }

  @Test func anotherSortValueInTheSamePlaceIsAnUpdate() throws {
    let trips = try makeTrips(["a", "b", "c"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[1].set("cost", .double(1.5))
    try world.save()
    #expect(told == ["save: ~1"])
  }

  @Test func nothingChangedNothingTold() throws {
    let trips = try makeTrips(["a", "b"])
    let results = try world.results(try world.request("Trip", "cost >= 1"))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].set("note", .string("x"))
    try world.save()
    try world.make("Tag", ["label": .string("t")])
    try world.save()
    try world.sql("UPDATE trip SET cost = cost")
    #expect(told == [])
  }

  @Test func aLimitStaysTrue() throws {
    _ = try makeTrips(["a", "b", "c", "d"])
    var request = try world.request(sort: ["-cost"])
    request.fetchLimit = 2
    let results = try world.results(request)
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try world.make("Trip", ["cost": .double(2.5)])
    try world.save()
    try world.sql("DELETE FROM trip WHERE cost = 3")
    #expect(told == ["save: -1 +1", "save: -0 +1"])
    #expect(results.count == 2)
  }

  @Test func aChangeOfARelatedObjectCountsWhereAKeyPathLooksAtIt() throws {
    let place = try world.make("Place", ["name": .string("b")])
    let trip = try world.make("Trip", ["cost": .double(1)])
    try trip.setRelated(at: trip.index("place"), to: place)
    try world.make("Trip", ["cost": .double(2)])
    try world.save()
    let results = try world.results(try world.request("Trip", "place.name == 'b'", sort: ["place.name"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try place.set("name", .string("c"))
    try world.save()
    try world.sql("UPDATE place SET name = 'b'")
    try world.sql("UPDATE place SET rank = 7")
    #expect(told == ["save: -0", "save: +0"])
  }

  @Test func rawSQLTriggersAndReplacedRowsAreTold() throws {
    _ = try makeTrips(["a", "b"])
    try world.sql(
      "CREATE TRIGGER dear AFTER UPDATE OF stars ON trip BEGIN UPDATE trip SET cost = 9 WHERE _pk = new._pk; END")
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try world.sql("UPDATE trip SET stars = 1 WHERE name = 'a'")
    try world.sql("INSERT OR REPLACE INTO trip (_pk, name, cost) VALUES (2, 'b', 20)")
    try world.sql("BEGIN; DELETE FROM trip; ROLLBACK")
    try world.sql("DELETE FROM trip")
    #expect(told == ["save: 0>1", "save: 0>1", "save: -0 -1"])
  }

  @Test func configuringTellsOneDifference() throws {
    _ = try makeTrips(["a", "b", "c"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try results.configure {
      $0.predicate = try Predicate.parse("cost > 0")
      $0.sortDescriptors = [SortDescriptor("-cost")]
    }
    #expect(told == ["configuration: -0 1>0"] || told == ["configuration: -0 2>0"], "\(told)")
    try results.configure { _ in }
    #expect(told.count == 1)
    #expect(throws: PredicateError.self) { try results.configure { $0.predicate = try Predicate.parse("kost > 0") } }
    #expect(results.count == 2)
  }

  @Test func configuringWithinAnObserverIsToldInTheNextRound() throws {
    let trips = try makeTrips(["a", "b", "c"])
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [String] = []
    _ = results.onChange { change in
      told.append(Self.text(change))
      if told.count == 1 {
        try? results.configure { $0.fetchLimit = 2 }
        try? results.configure { $0.fetchLimit = 1 }
        #expect(told.count == 1 && results.count == 1)
      }
    }
    try trips[0].set("note", .string("x"))
    try world.save()
    #expect(told == ["save: ~0", "configuration: -1 -2"])
  }

  @Test func observersAreToldInTheOrderInWhichTheyWereAdded() throws {
    let first = try world.results(try world.request(sort: ["cost"]))
    let second = try world.results(try world.request())
    var told: [Int] = []
    _ = second.onChange { _ in told.append(1) }
    let token = first.onChange { _ in told.append(2) }
    _ = second.onChange { _ in told.append(3) }
    try world.make("Trip")
    try world.save()
    token.cancel()
    try world.make("Trip")
    try world.save()
    #expect(told == [1, 2, 3, 1, 3])
  }

  @Test func resultsWithoutObserversAndReferencesAreForgotten() throws {
    weak var lost: FetchedResults?
    weak var kept: FetchedResults?
    var token: ObservationToken?
    try { () throws in
      lost = try world.results(try world.request())
      let results = try world.results(try world.request())
      token = results.onChange { _ in }
      kept = results
    }()
    #expect(lost == nil)
    #expect(kept != nil)
    token?.cancel()
    #expect(kept == nil)
  }

  @Test func aContextWithoutReferencesIsForgotten() throws {
    weak var gone: LiveContext?
    try { () throws in
      let context = world.live.context(ObjectContext(store: world.store))
      gone = context
      let results = try FetchedResults(try world.request(), in: context)
      #expect(world.live.isFollowed)
      withExtendedLifetime(results) {}
    }()
    #expect(gone == nil)
    #expect(!world.live.isFollowed)
    let results = try world.results(try world.request())
    _ = try makeTrips(["a"])
    #expect(results.count == 1)
  }

  @Test func closedResultsStayAsTheyWere() throws {
    _ = try makeTrips(["a"])
    let results = try world.results(try world.request())
    var told = 0
    _ = results.onChange { _ in told += 1 }
    results.close()
    _ = try makeTrips(["b"])
    #expect(told == 0)
    #expect(results.count == 1)
    #expect(throws: LiveQueryError.self) { try results.configure { $0.fetchLimit = 1 } }
  }

  @Test func aMillionRowsNeedNotBeInMemoryToBeCounted() throws {
    try world.sql(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO trip (cost) SELECT i FROM n"
    )
    let results = try world.results(try world.request(sort: ["-cost"]))
    #expect(results.count == 20000)
    #expect(world.context.registeredObjects().isEmpty)
    #expect(try results[7].get("cost") == .double(19993))
    #expect(world.context.registeredObjects().count <= 256)
    let explanation = try results.explanation()
    #expect(explanation.byteCount < 26 * 20000, "\(explanation.byteCount)")
  }

  @Test func aCommitThatTouchesMostRowsIsReadAnewAndStillToldExactly() throws {
    try world.sql(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO trip (cost) SELECT i FROM n"
    )
    let results = try world.results(try world.request("Trip", "cost > 10", sort: ["cost"]))
    let mirror = ResultsMirror(results)
    try world.sql("UPDATE trip SET cost = 6000 - cost WHERE _pk % 2 = 0")
    #expect(try mirror.problems(in: world) == [])
    #expect(try results.explanation().reloads == 1)
  }

  @Test func whatOthersWroteAndNobodyCanTellIsAReload() throws {
    let folder = try TemporaryFolder()
    let world = try LiveWorld(path: folder.path + "/trips.sqlite")
    try world.sql("INSERT INTO trip (cost) VALUES (1), (2)")
    let results = try world.results(try world.request(sort: ["cost"]))
    var told: [ResultsChange] = []
    _ = results.onChange { told.append($0) }
    let other = try SQLiteStore(StoreOptions(path: folder.path + "/trips.sqlite"))
    _ = try other.sql("UPDATE trip SET note = 'x'")
    try world.turn.run()
    #expect(told.map(\.isReload) == [true])
    #expect(told.map(\.kind) == [.remote])
  }

  @Test func anAnimationComesWithTheTransactionOrTheResults() throws {
    let results = try world.results(try world.request())
    results.animation = .default
    var told: [String?] = []
    _ = results.onChange { told.append($0.transaction.animation?.description) }
    try world.make("Trip")
    try world.save()
    try withAnimation(.easeIn, world.turn) {
      try world.make("Trip")
      try world.save()
    }
    #expect(told == ["default", "easeIn"])
  }

  @Test(arguments: [1, 2]) func whereTwoSwapTheOneThatChangedMoves(changed: Int) throws {
    try world.sql(
      "INSERT INTO trip (cost) WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i FROM n")
    var request = try world.request(sort: ["cost"])
    request.fetchLimit = 5
    let results = try world.results(request)
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try world.sql("UPDATE trip SET cost = \(changed == 1 ? 2.5 : 0.5) WHERE _pk = \(changed)")
    #expect(told == [changed == 1 ? "save: 0>1" : "save: 1>0"])
  }

  @Test func aChildContextShowsItsParentsUnsavedChanges() throws {
    let trips = try makeTrips(["a", "b"])
    let child = ObjectContext(parent: world.context)
    let results = try FetchedResults(try world.request(sort: ["cost"]), in: world.live.context(child))
    var told: [String] = []
    _ = follow(results) { told.append($0) }
    try trips[0].set("cost", .double(7))
    try world.turn.run()
    try world.make("Trip", ["cost": .double(3)], in: child)
    try world.turn.run()
    try child.save()
    try world.save()
    #expect(told == ["pending: 0>1", "pending: +1"])
    #expect(try results.explanation().method == .refetched)
  }
}
