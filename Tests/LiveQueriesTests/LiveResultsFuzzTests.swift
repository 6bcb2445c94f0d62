import Modeling
import ObjectGraph
import Queries
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Random requests, and random writes of every kind: after each turn results are what a fetch gives, and the differences
/// lead from the one state to the next.
@Suite(.seeded) struct LiveResultsFuzzTests {
  /// Seeds that found mistakes.
  static let finds: [UInt64] = [165, 176, 201, 363, 388, 427, 465]

  @Test(arguments: finds + Array(0..<UInt64(Effort.rounds(30))))
  func resultsAreWhatAFetchGives(seed: UInt64) throws {
    var program = try LiveProgram(seed: seed)
    try program.run(turns: 25)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(20)))
  func resultsThatShareTheRowsTheyReadAreWhatAFetchGives(seed: UInt64) throws {
    var program = try LiveProgram(seed: seed, resultCount: SharedRows.fewestResults + 4)
    try program.run(turns: 20)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }
}

/// A random program over a live world.
struct LiveProgram {
  private let world: LiveWorld
  private let folder: TemporaryFolder
  private let other: ObjectContext
  private let graph: RandomGraph
  private var mirrors: [ResultsMirror] = []
  private(set) var problems: [String] = []

  init(seed: UInt64, resultCount: Int = 3) throws {
    folder = try TemporaryFolder()
    world = try LiveWorld(path: folder.path + "/trips.sqlite")
    other = ObjectContext(store: world.store)
    graph = RandomGraph(world, seed: seed)
    for _ in 0..<graph.random.below(20) { try graph.insert(in: world.context) }
    try world.save()
    for _ in 0..<resultCount { mirrors.append(ResultsMirror(try world.results(try graph.request()))) }
  }

  mutating func run(turns: Int) throws {
    for turn in 0..<turns where problems.isEmpty {
      graph.log = []
      for _ in 0..<1 + graph.random.below(4) { try step() }
      try world.turn.run()
      for (number, mirror) in mirrors.enumerated() {
        for problem in try mirror.problems(in: world) {
          problems.append("turn \(turn), results \(number) \(mirror.description): \(problem)\n  after \(graph.log)")
        }
      }
      if !world.failures.isEmpty { problems.append("\(world.failures) after \(graph.log)") }
    }
  }

  // MARK: Steps

  private func step() throws {
    switch graph.random.below(15) {
    case 0, 1: try graph.insert(in: world.context)
    case 2, 3, 4: try graph.change(in: world.context)
    case 5: try graph.link(in: world.context)
    case 6: try graph.delete(in: world.context)
    case 7, 8: try save()
    case 9:
      graph.note("rollback")
      world.context.rollback()
    case 10, 11: try writeSQL()
    case 12: try batch()
    case 13: try saveElsewhere()
    default: try graph.configure(graph.random.pick(mirrors).results)
    }
  }

  private func save() throws {
    graph.note("save")
    try world.context.save()
    if graph.random.chance(oneIn: 2) { try world.turn.run() }
  }

  private func writeSQL() throws {
    if world.context.hasChanges { try world.context.save() }
    let statements = [
      "UPDATE trip SET cost = cost + 1 WHERE _pk % 3 = 0", "UPDATE trip SET note = 'x' WHERE _pk % 2 = 0",
      "DELETE FROM trip WHERE _pk % 5 = 1", "UPDATE place SET name = 'b' WHERE _pk % 2 = 0",
      "UPDATE trip SET place_pk = (SELECT min(_pk) FROM place)", "DELETE FROM guest WHERE age > 4",
      "INSERT INTO trip (name, cost, start) VALUES ('ab', 2.5, 1700000000), ('b', NULL, 1700090000)",
      "INSERT OR REPLACE INTO trip (_pk, name, cost) VALUES ((SELECT max(_pk) FROM trip), 'r', 4)",
      "UPDATE country SET name = 'a' || name", "DELETE FROM guest",
      "SAVEPOINT s; UPDATE trip SET cost = 0; ROLLBACK TO s; RELEASE s",
      "BEGIN; UPDATE trip SET stars = 1 WHERE stars IS NULL; DELETE FROM tag WHERE _pk % 2; ROLLBACK",
      "BEGIN; UPDATE trip SET stars = 3 WHERE stars = 2; UPDATE trip SET name = 'A' WHERE stars = 3; COMMIT",
      "UPDATE trip SET _pk = _pk + 100 WHERE _pk = (SELECT max(_pk) FROM trip)",
    ]
    let text = graph.random.pick(statements)
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

  private func batch() throws {
    if world.context.hasChanges { try world.context.save() }
    var request = FetchRequest(try world.entity("Trip"))
    request.predicate = try Predicate.parse(graph.random.pick(["cost < 2", "stars == 1", "name == 'a'"]))
    graph.note("batch")
    if graph.random.chance(oneIn: 2) {
      let index = try #require(request.entity.index(of: "cost"))
      _ = try world.context.batchUpdate(request, [(index, .double(Double(graph.random.below(9))))])
    } else if graph.random.chance(oneIn: 2) {
      _ = try world.context.batchDelete(request)
    }
  }

  private func saveElsewhere() throws {
    if world.context.hasChanges { try world.context.save() }
    graph.note("elsewhere")
    try graph.change(in: other)
    if graph.random.chance(oneIn: 2) { try graph.link(in: other) }
    try other.save()
  }
}
