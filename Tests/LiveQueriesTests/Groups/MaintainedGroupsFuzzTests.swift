import Modeling
import ObjectGraph
import Queries
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Random grouped requests, and random writes of every kind: after each turn the groups are what their definition says, with
/// unsaved changes and without, what is kept of them is what a pass over their rows finds, and the differences lead from the one
/// state to the next.
@Suite(.seeded) struct MaintainedGroupsFuzzTests {
  @Test(arguments: 0..<UInt64(Effort.rounds(40)))
  func groupsAreWhatTheirDefinitionSays(seed: UInt64) throws {
    var program = try GroupProgram(seed: seed)
    try program.run(turns: 25)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(15)))
  func groupsOfChildContextsSeeTheUnsavedChangesAbove(seed: UInt64) throws {
    var program = try GroupProgram(seed: seed, isChild: true)
    try program.run(turns: 20)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }
}

/// A random program over live groups.
private struct GroupProgram {
  private let world: LiveWorld
  private let folder: TemporaryFolder
  private let other: ObjectContext
  private let child: ObjectContext?
  private let graph: RandomGraph
  private var mirrors: [ValuesMirror] = []
  private(set) var problems: [String] = []

  init(seed: UInt64, isChild: Bool = false) throws {
    folder = try TemporaryFolder()
    world = try LiveWorld(path: folder.path + "/trips.sqlite")
    other = ObjectContext(store: world.store)
    child = isChild ? ObjectContext(parent: world.context) : nil
    graph = RandomGraph(world, seed: seed)
    world.isExpected = { (($0 as? UpdateFailure)?.reason as? GraphError)?.isExpected == true }
    for _ in 0..<graph.random.below(25) { try graph.insert(in: world.context) }
    try world.save()
    for _ in 0..<3 { mirrors.append(ValuesMirror(try values(graph.groupedRequest()))) }
  }

  private func values(_ request: FetchRequest) throws -> FetchedValues {
    try FetchedValues(request, in: world.live.context(child ?? world.context))
  }

  mutating func run(turns: Int) throws {
    for turn in 0..<turns where problems.isEmpty {
      graph.log = []
      for _ in 0..<1 + graph.random.below(4) {
        do { try step() } catch let error as GraphError where error.isExpected { try dropChanges() }
      }
      do { try check(turn) } catch let error as GraphError where error.isExpected {
        try dropChanges()
        try check(turn)
      }
      if world.hadExpectedFailure {
        // An object that a child has changed is gone in its parent: nothing can be shown until the changes are dropped.
        world.hadExpectedFailure = false
        try dropChanges()
        problems = []
        try check(turn)
      }
      if !world.failures.isEmpty { problems.append("\(world.failures) after \(graph.log)") }
    }
  }

  private func dropChanges() throws {
    graph.note("drop changes")
    child?.rollback()
    world.context.rollback()
    try world.turn.run()
  }

  private mutating func check(_ turn: Int) throws {
    try world.turn.run()
    for mirror in mirrors {
      for problem in try mirror.groupProblems() {
        problems.append("turn \(turn), \(mirror.description): \(problem)\n  after \(graph.log)")
      }
    }
  }

  private func step() throws {
    let context = child.flatMap { graph.random.chance(oneIn: 2) ? $0 : nil } ?? world.context
    switch graph.random.below(14) {
    case 0, 1: try graph.insert(in: context)
    case 2, 3, 4, 5: try graph.change(in: context)
    case 6: try graph.link(in: context)
    case 7: try graph.delete(in: context)
    case 8, 9: try save()
    case 10:
      graph.note("rollback")
      context.rollback()
    case 11: try writeSQL()
    case 12: try saveElsewhere()
    default: try configure()
    }
  }

  private func save() throws {
    graph.note("save")
    try child?.save()
    try world.context.save()
    if graph.random.chance(oneIn: 2) { try world.turn.run() }
  }

  private func writeSQL() throws {
    try child?.save()
    if world.context.hasChanges { try world.context.save() }
    let text = graph.random.pick([
      "UPDATE trip SET cost = cost + 0.1 WHERE _pk % 3 = 0", "UPDATE trip SET note = 'x' WHERE _pk % 2 = 0",
      "DELETE FROM trip WHERE _pk % 5 = 1", "UPDATE place SET name = 'b' WHERE _pk % 2 = 0",
      "UPDATE trip SET place_pk = (SELECT min(_pk) FROM place)", "DELETE FROM guest WHERE age > 4",
      "INSERT INTO trip (name, cost, start) VALUES ('ab', 2.5, 1700000000), ('b', NULL, 1700090000)",
      "INSERT OR REPLACE INTO trip (_pk, name, cost) VALUES ((SELECT max(_pk) FROM trip), 'r', 4)",
      "UPDATE country SET name = 'a' || name", "DELETE FROM trip WHERE cost = (SELECT max(cost) FROM trip)",
      "UPDATE trip SET cost = 1e308 WHERE _pk % 2", "UPDATE trip SET cost = -9e999 WHERE _pk % 7 = 3",
      "UPDATE trip SET cost = 9e999 WHERE _pk % 7 = 4", "UPDATE trip SET cost = -0.0 WHERE _pk % 3 = 1",
      "BEGIN; UPDATE trip SET stars = 3 WHERE stars = 2; UPDATE trip SET name = 'A' WHERE stars = 3; COMMIT",
      "UPDATE trip SET _pk = _pk + 100 WHERE _pk = (SELECT max(_pk) FROM trip)",
    ])
    graph.note(text)
    do {
      let cursor = try world.store.sql(text, [])
      while try cursor.step() {}
      cursor.close()
    } catch let error as StoreError {
      // A reference would lead nowhere: nothing is written then.
      guard case .constraint = error.fact else { throw error }
    }
  }

  private func saveElsewhere() throws {
    try child?.save()
    if world.context.hasChanges { try world.context.save() }
    graph.note("elsewhere")
    try graph.change(in: other)
    if graph.random.chance(oneIn: 2) { try graph.link(in: other) }
    try other.save()
  }

  private func configure() throws {
    graph.note("configure")
    let wanted = try graph.groupedRequest()
    try graph.random.pick(mirrors).values.configure {
      ($0.predicate, $0.havingPredicate, $0.fetchLimit) = (wanted.predicate, nil, wanted.fetchLimit)
    }
  }
}

extension RandomGraph {
  /// Groups, aggregates over all, or distinct values.
  func groupedRequest() throws -> FetchRequest {
    var request = try world.request("Trip", random.pick(Self.predicates))
    request.resultType = .dictionaries
    request.includesPendingChanges = !random.chance(oneIn: 6)
    let keys = random.pick([
      [], ["name"], ["stars"], ["place.name"], ["place.country.name", "stars"], ["guests.@count"], ["month(start)"],
      ["day", "name"], ["cost"], ["stars + 1"],
    ])
    func column(_ name: String, _ text: String) throws -> FetchedColumn { try FetchedColumn(name, parsing: text) }
    if !keys.isEmpty, random.chance(oneIn: 6) {
      request.returnsDistinctResults = true
      request.propertiesToFetch = try keys.map { try column($0, $0) }
      request.sortDescriptors = random.chance(oneIn: 2) ? [SortDescriptor(request.propertiesToFetch[0].expression)] : []
    } else {
      request.propertiesToGroupBy = try keys.map { try Expression.parse($0) }
      let aggregates = [
        "count", "count(stars)", "sum(cost)", "average(cost)", "min(cost)", "max(cost)", "max(name)", "min(start)",
        "sum(stars)", "average(stars)", "max(place.rank)", "sum(guests.@count)", "max(guests.age)", "count(guests)",
        "sum(guests.age)", "max(cost) - min(cost)", "sum(cost * 2) + count(SELF)", "min(guests.name)", "count(day)",
        "TERNARY(max(stars) > 2, sum(cost), nil)",
      ]
      let chosen = (0..<1 + random.below(4)).map { ("c\($0)", random.pick(aggregates)) }
      request.propertiesToFetch = try keys.map { try column($0, $0) } + chosen.map { try column($0.0, $0.1) }
      let descriptor = SortDescriptor(.path(PropertyPath(["c0"])), ascending: random.chance(oneIn: 2))
      if !keys.isEmpty, random.chance(oneIn: 2) { request.sortDescriptors = [descriptor] }
      if !keys.isEmpty, random.chance(oneIn: 4) {
        request.havingPredicate = try Predicate.parse(
          random.pick(["count(SELF) > 1", "max(cost) >= 3", "NOT sum(stars) < 3"]))
      }
    }
    if !keys.isEmpty, random.chance(oneIn: 3) {
      request.fetchLimit = 1 + random.below(4)
      request.fetchOffset = random.below(3)
    }
    return request
  }
}

extension ValuesMirror {
  /// What is wrong: the groups are others than their definition says, than what a fetch of stored rows gives, or than what the
  /// differences lead to.
  func groupProblems() throws -> [String] {
    var problems = problemsOfDifferences()
    let context = values.live.context
    let shown = try values.indices.map { try values.row(at: $0) }
    let plain = try PlainGroups(values.request, context).rows()
    if !Self.isEqual(shown, plain) { problems.append("shows \(shown), the definition says \(plain)") }
    if context.parent == nil, !context.hasChanges {
      let fetched = try context.store.allRows(of: values.request)
      if !Self.isEqual(shown, fetched) { problems.append("shows \(shown), a fetch gives \(fetched)") }
    }
    do { try values.checkInvariants() } catch { problems.append("invariant: \(error)") }
    if try values.explanation().method != .maintained { problems.append("is fetched again") }
    return problems
  }

  /// Whether rows hold the same values: 0 and -0, 1 and 1.0 are one.
  private static func isEqual(_ left: [[Value]], _ right: [[Value]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { zip($0, $1).allSatisfy { $0.isNull == $1.isNull && $0.order($1) == 0 } }
  }
}
