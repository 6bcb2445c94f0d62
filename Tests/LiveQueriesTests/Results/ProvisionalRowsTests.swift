import Modeling
import ObjectGraph
import Queries
import Storage
import Testing

@testable import LiveQueries

/// What live results read within a transaction that is open holds no longer than that transaction.
@Suite struct ProvisionalRowsTests {
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
