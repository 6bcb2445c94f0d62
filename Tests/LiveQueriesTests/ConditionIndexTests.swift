import Modeling
import ObjectGraph
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Results whose conditions are ranges are asked only about commits that can concern them, and miss none.
@Suite(.seeded) struct ConditionIndexTests {
  private let world: LiveWorld

  init() throws {
    world = try LiveWorld()
    for number in 0..<200 {
      try world.make(
        "Trip",
        [
          "name": .string("t\(number)"), "cost": .double(Double(number)), "stars": .int(Int64(number % 5)),
          "start": .date(Timestamp(Double(number * 1000))),
        ])
    }
    try world.save()
  }

  private var live: LiveContext { world.live.context(world.context) }

  private func ranges() throws -> [FetchedResults] {
    let results = try (0..<50).map {
      try world.results(world.request("Trip", "cost >= \($0 * 4) AND cost < \($0 * 4 + 4)", sort: ["-name"]))
    }
    try world.sql("UPDATE trip SET stars = stars WHERE _pk = 1")
    return results
  }

  private func trip(_ number: Int) throws -> ManagedObject {
    try #require(try world.context.find(world.entity("Trip"), where: [0], equal: [.string("t\(number)")]))
  }

  /// How many results a save or SQL leaves alone.
  private func unconcerned(by body: () throws -> Void) rethrows -> Int {
    let before = live.unconcernedCount
    try body()
    return live.unconcernedCount - before
  }

  private func expectFetched(_ results: [FetchedResults]) throws {
    for results in results {
      let fresh = Array(try world.context.fetch(results.request).objectIDs)
      #expect(results.objectIDs(0..<results.count) == fresh, "\(results.request.predicate.map { "\($0)" } ?? "")")
    }
    #expect(world.failures == [])
  }

  @Test func aChangeOfAnotherValueConcernsTheRangeOfTheRow() throws {
    let results = try ranges()
    try trip(30).set("stars", .int(9))
    #expect(try unconcerned(by: world.save) == 49)
    try expectFetched(results)
  }

  @Test func aMoveConcernsTheFormerAndTheNewRange() throws {
    let results = try ranges()
    try trip(30).set("cost", .double(101))
    #expect(try unconcerned(by: world.save) == 48)
    try expectFetched(results)
    try trip(31).set("cost", .null)
    try trip(29).set("stars", .int(9))
    #expect(try unconcerned(by: world.save) == 49)
    try expectFetched(results)
  }

  @Test func aNewRowConcernsItsRange() throws {
    let results = try ranges()
    try world.make("Trip", ["cost": .double(6)])
    try world.save()
    #expect(results[1].count == 5)
    try expectFetched(results)
    #expect(try unconcerned { try world.sql("INSERT INTO trip (cost) VALUES (7)") } == 49)
    try expectFetched(results)
  }

  @Test func whatIsNotCertainConcernsAll() throws {
    let results = try ranges()
    for sql in [
      "DELETE FROM trip WHERE name = 't30'", "UPDATE trip SET cost = 'much' WHERE name = 't31'",
      "UPDATE trip SET cost = 50 WHERE name = 't31'", "UPDATE trip SET _pk = _pk + 1000 WHERE name = 't32'",
      "REPLACE INTO trip (_pk, name, cost) VALUES (20, 'again', 77)",
    ] {
      try world.sql(sql)
      try expectFetched(results)
    }
  }

  @Test func fewResultsAreAskedOneByOne() throws {
    let results = try (0..<5).map { try world.results(world.request("Trip", "cost == \($0)")) }
    try trip(3).set("stars", .int(9))
    try world.save()
    #expect(live.unconcernedCount == 0 && results.allSatisfy { $0.entry == nil })
  }

  @Test func aResultThatIsNewBetweenTwoCommitsSeesBoth() throws {
    var results = try ranges()
    try world.sql("UPDATE trip SET cost = 500 WHERE name = 't30'", runsTurn: false)
    results.append(try world.results(world.request("Trip", "cost BETWEEN {490, 510}")))
    #expect(results.last?.count == 1)
    try world.sql("UPDATE trip SET cost = 100 WHERE name = 't30'")
    try expectFetched(results)
  }

  @Test func whoIsClosedOrAsksForOtherRowsLeavesTheIndex() throws {
    let results = try ranges()
    results[0].close()
    try results[1].replace(with: world.request("Trip", "stars == 3"))
    #expect(results[0].entry == nil && results[1].entry == nil)
    try world.sql("UPDATE trip SET cost = 2, stars = 3 WHERE name = 't199'")
    #expect(results[0].count == 4 && results[1].entry != nil)
    try expectFetched(Array(results.dropFirst()))
  }

  @Test func unsavedChangesAreInResultsThatWereLeftAlone() throws {
    let results = try ranges()
    try trip(30).set("stars", .int(9))
    try world.save()
    try trip(31).set("cost", .double(101))
    try world.turn.run()
    #expect(results[7].count == 3 && results[25].count == 5)
    try trip(32).set("stars", .int(9))
    world.context.rollback()
    try world.turn.run()
    #expect(results[7].count == 4 && results[25].count == 4)
    #expect(try unconcerned { try world.sql("UPDATE trip SET stars = 8 WHERE name = 't30'") } == 49)
    try expectFetched(results)
  }

  @Test func aResultThatWasReadIsLeftAloneAgain() throws {
    let results = try ranges()
    for results in results { _ = results.map(\.objectID) }
    try trip(30).set("stars", .int(9))
    #expect(try unconcerned(by: world.save) == 49)
    try expectFetched(results)
  }

  @Test func nothingOfAResultIsKept() throws {
    weak var gone: FetchedResults?
    var results = try ranges()
    gone = results.removeLast()
    #expect(gone == nil)
    try trip(199).set("stars", .int(9))
    try world.save()
    try expectFetched(results)
  }

  @Test func nothingOfAnIndexIsKept() throws {
    weak var kept: ConditionIndex.Entry?
    func follow() throws {
      let world = try LiveWorld()
      try world.make("Trip", ["cost": .double(1)])
      try world.save()
      let results = try (0..<50).map { try world.results(world.request("Trip", "cost == \($0)")) }
      try world.sql("UPDATE trip SET stars = 1")
      kept = results[1].entry
      #expect(kept != nil)
    }
    try follow()
    #expect(kept == nil)
  }

  @Test(arguments: UInt64(0)..<UInt64(Effort.rounds(6)), [false, true])
  func inAnyOrderOfEventsResultsAreWhatAFetchGives(seed: UInt64, withOthers: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/trips.sqlite"
    let world = try LiveWorld(path: path)
    let other = withOthers ? OtherWriter.connection(try SQLiteStore(StoreOptions(path: path))) : nil
    var program = RangeProgram(world, other, seed: seed)
    try program.run(turns: 40)
    #expect(program.problems == [], "seed \(seed)")
    #expect(program.unconcerned > 300)
  }
}

/// Random writes under many results of ranges.
private struct RangeProgram {
  private let world: LiveWorld
  private let other: OtherWriter?
  private var random: SplitMix
  private var results: [ResultsMirror] = []
  private(set) var problems: [String] = []
  /// Whether a transaction of SQL is open.
  private var isInTransaction = false
  /// How often a result was left alone.
  var unconcerned: Int { world.live.context(world.context).unconcernedCount }

  init(_ world: LiveWorld, _ other: OtherWriter?, seed: UInt64) {
    (self.world, self.other) = (world, other)
    random = SplitMix(seed: seed)
  }

  mutating func run(turns: Int) throws {
    for _ in 0..<60 { try world.make("Trip", values()) }
    try world.save()
    for _ in 0..<45 { results.append(ResultsMirror(try world.results(request()))) }
    for turn in 0..<turns where problems.isEmpty {
      var steps: [String] = []
      for _ in 0..<1 + random.below(3) { steps.append(try step()) }
      try world.turn.run()
      for mirror in results {
        problems += try mirror.problems(in: world).map { "turn \(turn), \(steps): \(mirror.description): \($0)" }
      }
      problems += world.failures
    }
  }

  private mutating func request() throws -> FetchRequest {
    let numbers = (0..<2).map { _ in random.below(12) }.sorted()
    let condition =
      switch random.below(6) {
      case 0: "cost >= \(numbers[0]) AND cost <= \(numbers[1])"
      case 1: "stars == \(numbers[0])"
      case 2: "name >= 't\(numbers[0])' AND name < 't\(numbers[1])' AND stars != 3"
      case 3: "start > CAST(\(numbers[0] * 1000), 'NSDate') AND cost < \(numbers[1])"
      case 4: "cost BETWEEN {\(numbers[0]), \(numbers[1])} AND name != nil"
      default: "stars > \(numbers[1])"
      }
    var request = try world.request("Trip", condition, sort: [["-cost", "name", "stars"][random.below(3)]])
    if random.chance(oneIn: 8) { request.fetchLimit = 5 }
    if random.chance(oneIn: 8) { request.includesPendingChanges = false }
    return request
  }

  private mutating func value(_ name: String) -> Value {
    if random.chance(oneIn: 8) { return .null }
    let number = random.below(12)
    return switch name {
    case "cost": .double(Double(number))
    case "stars": .int(Int64(number))
    case "start": .date(Timestamp(Double(number * 1000)))
    default: .string("t\(number)")
    }
  }

  private mutating func values() -> [String: Value] {
    var values: [String: Value] = [:]
    for name in ["name", "cost", "stars", "start"] { values[name] = value(name) }
    return values
  }

  private mutating func trip() throws -> ManagedObject? {
    let trips = try world.context.fetch(world.request("Trip")).objectList()
    return trips.isEmpty ? nil : trips[random.below(trips.count)]
  }

  private mutating func change() throws {
    let name = ["name", "cost", "stars", "note"][random.below(4)]
    try trip()?.set(name, name == "note" ? .string("\(random.below(100))") : value(name))
  }

  private mutating func statement() -> String {
    let column = ["cost", "stars", "name", "start", "note"][random.below(5)]
    let text = column == "name" || column == "note"
    let number = random.below(12)
    return switch random.below(12) {
    case 0: "DELETE FROM trip WHERE _pk % 40 = \(number)"
    case 1: "INSERT INTO trip (cost, stars, name) VALUES (\(number), \(random.below(12)), 't\(number)')"
    case 2: "REPLACE INTO trip (_pk, cost, name) VALUES (\(1 + random.below(60)), \(number), 't1')"
    case 3: "UPDATE trip SET \(column) = \(text ? "'t'" : "x'00'") WHERE _pk = \(number)"
    default: "UPDATE trip SET \(column) = \(text ? "'t\(number)'" : "\(number)") WHERE _pk % 20 = \(random.below(20))"
    }
  }

  private mutating func step() throws -> String {
    switch random.below(isInTransaction ? 30 : 25) {
    case 0...11:
      for _ in 0..<1 + random.below(3) { try change() }
      try save()
      return "save"
    case 12:
      try change()
      return "change"
    case 13, 14:
      world.context.rollback()
      return "rollback"
    case 15:
      try trip()?.delete()
      try save()
      return "delete"
    case 16...18:
      try world.make("Trip", values())
      try save()
      return "insert"
    case 19:
      let mirror = results[random.below(results.count)]
      try mirror.results.configure { $0.predicate = try request().predicate }
      return "configure"
    case 20:
      let place = random.below(results.count)
      results[place].stop()
      results[place] = ResultsMirror(try world.results(request()))
      return "new results"
    case 21, 26...29:
      let statement = isInTransaction ? ["COMMIT", "ROLLBACK"][random.below(2)] : "BEGIN"
      isInTransaction.toggle()
      try world.sql(statement, runsTurn: false)
      return statement
    default:
      let statement = statement()
      if let other, !isInTransaction, random.chance(oneIn: 2) {
        problems += try other.run([statement])
        return "elsewhere \(statement)"
      }
      do { try world.sql(statement, runsTurn: false) } catch let error as StoreError {
        guard case .constraint = error.fact else { throw error }
      }
      return statement
    }
  }

  private func save() throws {
    do { try world.context.save() } catch let error as GraphError where error.isExpected { world.context.rollback() }
  }
}
