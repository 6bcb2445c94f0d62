import Modeling
import ObjectGraph
import Queries
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Live results show what a fetch within an open transaction gives, and no longer than that transaction.
@Suite(.seeded) struct ProvisionalRowsTests {
  private let world: LiveWorld

  init() throws {
    world = try LiveWorld()
    for (name, stars) in [("a", 1), ("b", 2), ("c", 3)] as [(String, Int64)] {
      try world.make("Trip", ["name": .string(name), "stars": .int(stars)])
    }
    try world.save()
  }

  private func values(_ columns: [String], sort: [String] = []) throws -> ValuesMirror {
    var request = try world.request(sort: sort)
    request.resultType = columns.isEmpty ? .count : .dictionaries
    request.propertiesToFetch = try columns.map { FetchedColumn($0, try Expression.parse($0)) }
    return ValuesMirror(try FetchedValues(request, in: world.live.context(world.context)))
  }

  /// Results of each kind, made now; each answers what is wrong with it.
  private func everyKind() throws -> [() throws -> [String]] {
    var byFunction = try world.request()
    byFunction.sectionFunction = SectionFunction("parity") { trip in
      guard let trip = trip as? ManagedObject, case .int(let stars) = try trip.get("stars") else { return .null }
      return .bool(stars % 2 == 0)
    }
    var few = try world.request(sort: ["-stars"])
    few.fetchLimit = 2
    let child = ObjectContext(parent: world.context)
    let objects = try [
      world.results(world.request(sort: ["stars"])), world.results(world.request("Trip", "stars > 1")),
      world.results(world.request("Trip", nil, sort: ["name"], section: "stars")), world.results(few),
      FetchedResults(world.request("Trip", "stars > 1"), in: world.live.context(child)),
    ].map(ResultsMirror.init)
    let parities = try world.results(byFunction)
    func isDifferent() throws -> [String] {
      let fetched = try world.context.fetchSections(byFunction, most: 9).sections.map { "\($0.id) \($0.count)" }
      let shown = parities.sections.map { "\($0.id) \($0.count)" }
      return shown == fetched ? [] : ["shows sections \(shown), a fetch gives \(fetched)"]
    }
    let sums = try [
      values([]), values(["name", "stars"], sort: ["stars"]), values(["sum(stars)"]), values(["median(stars)"]),
    ]
    return objects.map { mirror in { [world] in try mirror.problems(in: world) } }
      + sums.map { mirror in { try mirror.problems() } } + [isDifferent]
  }

  private func expectNone(of problems: [String]) { #expect(problems == []) }

  @Test(arguments: [
    "ROLLBACK", "COMMIT", "UPDATE trip SET stars = 3 WHERE name = 'c'; DELETE FROM trip WHERE name = 'd'; COMMIT",
  ])
  func resultsThatAreMadeInATransactionAreTrueAfterIt(end: String) throws {
    try world.sql("BEGIN")
    try world.sql("UPDATE trip SET stars = 0 WHERE name = 'c'; INSERT INTO trip (name, stars) VALUES ('d', 9)")
    let problems = try everyKind()
    try world.sql(end)
    expectNone(of: try problems.flatMap { try $0() })
    try world.sql("UPDATE trip SET stars = stars + 1")
    expectNone(of: try problems.flatMap { try $0() })
    #expect(world.failures == [])
  }

  @Test(arguments: ["ROLLBACK", "COMMIT", "DELETE FROM trip WHERE name = 'd'; COMMIT"])
  func whatIsSavedInATransactionIsTrueAfterIt(end: String) throws {
    let problems = try everyKind()
    let trip = try #require(try world.context.fetch(world.request("Trip", "name = 'c'")).objectList().first)
    try world.sql("BEGIN")
    try world.make("Trip", ["name": .string("d"), "stars": .int(9)])
    try world.turn.run()
    try trip.set("stars", .int(0))
    try world.save()
    try trip.set("stars", .int(3))
    try world.turn.run()
    try world.save()
    try world.sql(end)
    expectNone(of: try problems.flatMap { try $0() })
    #expect(world.failures == [])
  }

  @Test(arguments: ["ROLLBACK", "COMMIT"])
  func eachSaveInATransactionIsSeenInIt(end: String) throws {
    let problems = try everyKind()
    let objects = try ObjectsMirror(world.entity("Trip"), in: world.live.context(world.context))
    let trip = try #require(try world.context.fetch(world.request("Trip", "name = 'c'")).objectList().first)
    var stars: Value?
    let token = try world.live.context(world.context).observe(trip, Expression.parse("stars")) { new, _ in stars = new }
    defer { token.cancel() }
    func expectTrue() throws {
      try world.turn.run()
      expectNone(of: try problems.flatMap { try $0() } + objects.problems())
    }
    try world.sql("BEGIN")
    // No round has seen the new object before it is saved.
    let new = try world.make("Trip", ["name": .string("d"), "stars": .int(2)])
    try world.context.save()
    try expectTrue()
    try new.set("stars", .int(7))
    try trip.set("stars", .int(8))
    try world.context.save()
    try expectTrue()
    #expect(stars == .int(8))
    try world.sql("UPDATE trip SET stars = 5; INSERT INTO trip (name, stars) VALUES ('e', 5)")
    try expectTrue()
    try world.sql("SAVEPOINT a; UPDATE trip SET stars = 6 WHERE name < 'c'; DELETE FROM trip WHERE name = 'e'")
    try expectTrue()
    try world.sql("ROLLBACK TO a")
    try expectTrue()
    try trip.delete()
    try world.context.save()
    try expectTrue()
    try world.sql(end)
    try expectTrue()
    #expect(stars == (end == "COMMIT" ? .null : .int(3)))
    #expect(world.failures == [])
  }

  @Test func whatIsTakenBackBeforeARoundIsToldAsTheReverse() throws {
    let objects = try ObjectsMirror(world.entity("Trip"), in: world.live.context(world.context))
    let trips = try world.context.fetch(world.request(sort: ["name"])).objectList()
    try world.make("Trip", ["name": .string("d")])
    try trips[0].delete()
    try trips[1].set("stars", .int(9))
    try world.turn.run()
    _ = try world.store.sql("BEGIN")
    try world.context.save()
    _ = try world.store.sql("ROLLBACK")
    try world.turn.run()
    #expect(try objects.problems() == [])
  }

  @Test func observersOfObjectsAreToldEachChangeOfATransactionOnce() throws {
    var told: [String] = []
    let token = world.live.context(world.context).observe(try world.entity("Trip")) { change in
      told.append("\(change.kind)")
    }
    defer { token.cancel() }
    try world.sql("BEGIN")
    try world.make("Trip", ["name": .string("d")])
    try world.save()
    #expect(told == ["insert"])
    try world.sql("UPDATE trip SET stars = 4 WHERE name = 'a'")
    #expect(told == ["insert", "update"])
    try world.sql("INSERT INTO tag (label) VALUES ('t')")
    try world.sql("COMMIT")
    #expect(told == ["insert", "update"])
  }

  @Test func aRowThatIsChangedBackLeavesTheListIntoWhichItCame() throws {
    let results = try world.results(world.request("Trip", "name BEGINSWITH 'x'"))
    try world.sql("BEGIN")
    try world.sql("UPDATE trip SET name = 'x', stars = stars + 1 WHERE name = 'a'")
    #expect(results.count == 1)
    // What the transaction has changed by now is the stars alone, which leave a row of this list where it is.
    try world.sql("UPDATE trip SET name = 'a' WHERE name = 'x'")
    #expect(results.count == 0)
    try world.sql("COMMIT")
    #expect(results.count == 0)
  }

  @Test func aLargeTransactionIsLookedIntoWhenItHasGrown() throws {
    let results = try world.results(world.request("Trip", "stars > 100"))
    try world.sql("BEGIN")
    try world.sql(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO trip (stars) SELECT 100 + i FROM n
      """)
    #expect(results.count == 2000)
    for _ in 0..<10 {
      try world.make("Trip", ["stars": .int(101)])
      try world.context.save()
      try world.turn.run()
    }
    #expect(results.count == 2000)
    try world.sql("UPDATE trip SET stars = 200")
    #expect(results.count == 2013)
    try world.sql("ROLLBACK")
    #expect(results.count == 0)
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(30)))
  func inAnyOrderOfWritesResultsAreWhatAFetchInTheTransactionGives(seed: UInt64) throws {
    let world = try LiveWorld()
    let graph = RandomGraph(world, seed: seed)
    let other = ObjectContext(store: world.store)
    for _ in 0..<graph.random.below(20) { try graph.insert(in: world.context) }
    try world.save()
    let live = world.live.context(world.context)
    let results = try (0..<5).map { _ in ResultsMirror(try world.results(graph.request())) }
    let values = try (0..<4).map { _ in ValuesMirror(try FetchedValues(graph.valuesRequest(), in: live)) }
    let objects = try ["Trip", "Guest"].map { try ObjectsMirror(world.entity($0), in: live) }
    var (isOpen, hasPart) = (false, false)
    func sql(_ text: String) throws {
      graph.note(text)
      if world.context.hasChanges {
        if text.hasPrefix("ROLLBACK") { world.context.rollback() } else { try world.context.save() }
      }
      do { try world.sql(text, runsTurn: false) } catch let error as StoreError {
        guard case .constraint = error.fact else { throw error }
      }
    }
    for _ in 0..<60 {
      switch graph.random.below(16) {
      case 0, 1: try graph.insert(in: world.context)
      case 2, 3: try graph.change(in: world.context)
      case 4: try graph.link(in: world.context)
      case 5: try graph.delete(in: world.context)
      case 6, 7, 8:
        graph.note("save")
        try world.context.save()
      case 9:
        if world.context.hasChanges { try world.context.save() }
        graph.note("elsewhere")
        try graph.change(in: other)
        try other.save()
      case 10, 11:
        try sql(
          graph.random.pick([
            "UPDATE trip SET cost = cost + 1 WHERE _pk % 3 = 0", "DELETE FROM trip WHERE _pk % 5 = 1",
            "UPDATE place SET name = 'b' WHERE _pk % 2 = 0", "DELETE FROM guest WHERE age > 4",
            "UPDATE trip SET place_pk = (SELECT min(_pk) FROM place)", "UPDATE country SET name = 'a' || name",
            "INSERT INTO trip (name, cost, start) VALUES ('ab', 2.5, 1700000000), ('b', NULL, 1700090000)",
          ]))
      case 12 where isOpen:
        try sql(hasPart ? graph.random.pick(["ROLLBACK TO a", "RELEASE a"]) : "SAVEPOINT a")
        hasPart = hasPart ? graph.log.last == "ROLLBACK TO a" : true
      case 13 where isOpen:
        try sql(graph.random.pick(["ROLLBACK", "COMMIT"]))
        (isOpen, hasPart) = (false, false)
      default:
        guard !isOpen else { break }
        try sql("BEGIN")
        isOpen = true
      }
      guard !graph.random.chance(oneIn: 3) else { continue }
      try world.turn.run()
      var problems = world.failures + (try objects.flatMap { try $0.problems() })
      problems += try results.flatMap { mirror in
        try mirror.problems(in: world).map { "\(mirror.description): \($0)" }
      }
      problems += try values.flatMap { mirror in try mirror.problems().map { "\(mirror.description): \($0)" } }
      #expect(problems == [], "seed \(seed) after \(graph.log.suffix(30))")
      if !problems.isEmpty { return }
    }
  }

  @Test func onlyTheRowsThatWereReadAreReadAgain() throws {
    let results = try world.results(world.request(sort: ["stars"]))
    try world.sql("BEGIN")
    let trip = try world.make("Trip", ["name": .string("d"), "stars": .int(0)])
    try world.turn.run()
    try world.save()
    #expect(results.count == 4)
    try world.sql("ROLLBACK")
    #expect(results.count == 3)
    #expect(results.index(of: trip) == nil)
    #expect(try results.explanation().reloads == 0)
  }

  @Test func observersAreToldOnceThatATransactionIsOver() throws {
    try world.sql("BEGIN")
    try world.sql("DELETE FROM trip WHERE name = 'a'")
    let results = try world.results(world.request(sort: ["stars"]))
    let mirror = ResultsMirror(results)
    try world.turn.run()
    #expect(mirror.takeChanges().isEmpty)
    try world.sql("ROLLBACK")
    let changes = mirror.takeChanges()
    #expect(changes.map(\.inserted.count) == [1])
    #expect(changes.first?.isReload == true)
    #expect(try results.explanation().lastReload == .transaction)
    try world.turn.run()
    #expect(mirror.takeChanges().isEmpty)
  }
}
