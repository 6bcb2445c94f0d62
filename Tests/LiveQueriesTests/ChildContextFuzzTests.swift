import Modeling
import ObjectGraph
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Random programs with a tree of contexts: live results and counts in each are what a fetch there gives, with any writer.
@Suite(.seeded) struct ChildContextFuzzTests {
  /// Seeds that found mistakes.
  static let finds: [UInt64] = [26, 37, 61, 75, 114, 134]

  @Test(arguments: finds + Array(0..<UInt64(Effort.isLong ? 400 : 10)))
  func resultsOfChildrenAreWhatAFetchGives(seed: UInt64) throws {
    var program = try FamilyProgram(seed: seed)
    try program.run(turns: 20)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }
}

/// A random program over a root context, two children and a grandchild.
struct FamilyProgram {
  private let folder: TemporaryFolder
  private let world: LiveWorld
  private let graph: RandomGraph
  private let script: OtherScript
  private let writer: OtherWriter
  /// Whether remote writes are reported by single rows.
  private let isWatched: Bool
  /// The root, its children, and the child of the first of them.
  private let contexts: [ObjectContext]
  private let results: [ResultsMirror]
  private let counts: [ValuesMirror]
  private let objects: [ObjectsMirror]
  private(set) var problems: [String] = []

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/trips.sqlite"
    let kind: OtherStore = seed % 2 == 0 ? .history : .plain
    let world = try LiveWorld(kind.open(path))
    self.world = world
    graph = RandomGraph(world, seed: seed)
    script = OtherScript(kind.names, graph)
    writer = seed % 8 == 0 ? .process(path) : .connection(try SQLiteStore(StoreOptions(path: path)))
    world.isExpected = { (($0 as? UpdateFailure)?.reason as? GraphError)?.isExpected == true }
    isWatched = seed % 6 != 1
    let child = ObjectContext(parent: world.context)
    contexts = [world.context, child, ObjectContext(parent: world.context), ObjectContext(parent: child)]
    for context in contexts { context.levelsOfUndo = 10 }
    for _ in 0..<graph.random.below(12) {
      do {
        try graph.insert(in: world.context)
        try world.context.save()
      } catch let error as GraphError where error.isExpected { world.context.rollback() }
    }
    let lives = contexts.map(world.live.context)
    results = try [0, 1, 1, 2, 3].map { [graph] place in
      ResultsMirror(try FetchedResults(graph.request(), in: lives[place]))
    }
    counts = try [0, 1, 3].map { [graph] place in
      var request = try graph.request()
      (request.sectionIdentifier, request.resultType) = (nil, .count)
      (request.fetchLimit, request.fetchOffset) = (nil, 0)
      return ValuesMirror(try FetchedValues(request, in: lives[place]))
    }
    objects = try [0, 1].map { try ObjectsMirror(world.entity("Trip"), in: lives[$0]) }
  }

  mutating func run(turns: Int) throws {
    for turn in 0..<turns where problems.isEmpty {
      graph.log = []
      if isWatched { world.live.commitWatch?.drain() }
      for _ in 0..<1 + graph.random.below(4) { try step() }
      for context in contexts { context.closeUndoGroup() }
      try world.turn.run()
      try check(turn)
    }
  }

  private mutating func check(_ turn: Int) throws {
    var found: [String]
    do {
      found = try differences()
      if world.hadExpectedFailure { found = try recovered() }
    } catch let error as GraphError where error.isExpected { found = try recovered() }
    found += world.failures
    if !found.isEmpty { problems += found.map { "turn \(turn) \($0)" } + ["after \(graph.log)"] }
  }

  /// Unsaved changes may lead to what others have deleted: then neither a fetch nor a result can be had until they are dropped.
  private func recovered() throws -> [String] {
    graph.note("roll back all")
    for context in contexts.reversed() { context.rollback() }
    try world.turn.run()
    world.hadExpectedFailure = false
    try world.turn.run()
    return try differences() + (world.hadExpectedFailure ? ["there are failures without unsaved changes"] : [])
  }

  private func differences() throws -> [String] {
    var found: [String] = []
    for mirror in results {
      let name = "level \(mirror.results.live.context.depth) \(mirror.description)"
      found += try mirror.problems(in: world).map { "\(name): \($0)" }
    }
    for mirror in counts { found += try mirror.problems().map { "\(mirror.description): \($0)" } }
    for mirror in objects { found += try mirror.problems() }
    return found
  }

  // MARK: Steps

  private mutating func step() throws {
    let place = graph.random.pick([0, 1, 1, 2, 3])
    let context = contexts[place]
    graph.note("in \(place):")
    switch graph.random.below(16) {
    case 0, 1: try own(context) { try graph.insert(in: context) }
    case 2, 3, 4: try own(context) { try graph.change(in: context) }
    case 5: try own(context) { try graph.link(in: context) }
    case 6: try own(context) { try graph.delete(in: context) }
    case 7, 8, 9:
      graph.note("save")
      try own(context) { try context.save() }
    case 10:
      graph.note("rollback")
      context.rollback()
    case 11: try takeBack(context)
    case 12:
      graph.note("refresh")
      contexts[0].refreshAllObjects()
    case 13, 14: try writeElsewhere()
    default: try saveAll()
    }
  }

  private func own(_ context: ObjectContext, _ body: () throws -> Void) throws {
    do { try body() } catch let error as GraphError where error.isExpected {
      graph.note("\(error.fact), rollback")
      context.rollback()
    } catch let error as StoreError where error.isExpected {
      graph.note("\(error.fact), rollback")
      context.rollback()
    }
  }

  private func takeBack(_ context: ObjectContext) throws {
    graph.note("undo or redo")
    try own(context) { _ = try graph.random.chance(oneIn: 3) ? context.redo() : context.undo() }
  }

  /// From the leaves to the store.
  private func saveAll() throws {
    graph.note("save all")
    for context in contexts.reversed() { try own(context) { try context.save() } }
  }

  private mutating func writeElsewhere() throws {
    let statements = script.statements()
    graph.note("elsewhere: " + statements.joined(separator: "; "))
    problems += try writer.run(statements)
  }
}
