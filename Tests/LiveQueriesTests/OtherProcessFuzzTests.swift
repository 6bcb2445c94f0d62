import Modeling
import ObjectGraph
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import LiveQueries

/// Random programs in which another connection writes to the file, too: after each turn results, values and objects are
/// what a fetch gives, and the reports lead from one state to the next.
@Suite(.seeded) struct OtherProcessFuzzTests {
  /// Seeds that found mistakes.
  static let finds: [UInt64] = [63, 90]

  @Test(arguments: OtherStore.allCases, finds + Array(0..<UInt64(Effort.isLong ? 150 : 5)))
  func whatOthersWriteIsShownAndTold(kind: OtherStore, seed: UInt64) throws {
    var program = try OtherProgram(kind, seed: seed)
    try program.run(turns: 14)
    #expect(program.problems.isEmpty, "\(kind) seed \(seed): \(program.problems.joined(separator: "\n"))")
  }
}

/// A random program over a file to which another connection writes.
struct OtherProgram {
  private let folder: TemporaryFolder
  private let world: LiveWorld
  private let graph: RandomGraph
  private let script: OtherScript
  private let writer: OtherWriter
  /// Whether the loop has the rows of observed tables remembered, so that reports name single rows.
  private let isWatched: Bool
  private let results: [ResultsMirror]
  private let values: [ValuesMirror]
  private let objects: [ObjectsMirror]
  private(set) var problems: [String] = []

  init(_ kind: OtherStore, seed: UInt64) throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/trips.sqlite"
    let world = try LiveWorld(kind.open(path))
    self.world = world
    world.context.mergePolicy = [.error, .objectTrump, .storeTrump, .overwrite][Int(seed % 7) % 4]
    graph = RandomGraph(world, seed: seed)
    script = OtherScript(kind.names, graph)
    // A process of its own for one seed of three: starting it takes longer than all it does.
    writer = seed % 3 == 0 ? .process(path) : .connection(try SQLiteStore(StoreOptions(path: path)))
    isWatched = seed % 4 != 1
    for _ in 0..<graph.random.below(16) {
      do {
        try graph.insert(in: world.context)
        try world.context.save()
      } catch let error as GraphError where error.isExpected { world.context.rollback() }
    }
    let live = world.live.context(world.context)
    results = try (0..<(seed % 5 == 0 ? SharedRows.fewestResults + 2 : 3)).map { [graph] _ in
      ResultsMirror(try world.results(graph.request()))
    }
    values = try (0..<3).map { [graph] _ in ValuesMirror(try FetchedValues(graph.valuesRequest(), in: live)) }
    objects = try ["Trip", "Place"].map { try ObjectsMirror(world.entity($0), in: live) }
  }

  mutating func run(turns: Int) throws {
    for turn in 0..<turns where problems.isEmpty {
      graph.log = []
      if isWatched { world.live.commitWatch?.drain() }
      for _ in 0..<1 + graph.random.below(4) { try step() }
      try world.turn.run()
      try check(turn)
    }
  }

  private mutating func check(_ turn: Int) throws {
    var found: [String] = []
    for mirror in results { found += try mirror.problems(in: world).map { "\(mirror.description): \($0)" } }
    for mirror in values { found += try mirror.problems().map { "\(mirror.description): \($0)" } }
    for mirror in objects { found += try mirror.problems() }
    found += world.failures
    if !found.isEmpty { problems += found.map { "turn \(turn) \($0)" } + ["after \(graph.log)"] }
  }

  // MARK: Steps

  private mutating func step() throws {
    switch graph.random.below(12) {
    case 0..<6: try writeElsewhere()
    case 6: try own { try graph.insert(in: world.context) }
    case 7: try own { try graph.change(in: world.context) }
    case 8:
      try own { try graph.random.chance(oneIn: 2) ? graph.link(in: world.context) : graph.delete(in: world.context) }
    case 9, 10:
      graph.note("save")
      try own { try world.context.save() }
    default:
      guard graph.random.chance(oneIn: 2) else { return try writeSQL() }
      graph.note("rollback")
      world.context.rollback()
    }
  }

  /// Does what may meet what others did: then the unsaved changes are dropped.
  private func own(_ body: () throws -> Void) throws {
    do { try body() } catch let error as GraphError where error.isExpected {
      graph.note("\(error.fact), rollback")
      world.context.rollback()
    } catch let error as StoreError where error.isExpected {
      graph.note("\(error.fact), rollback")
      world.context.rollback()
    }
  }

  private mutating func writeElsewhere() throws {
    var statements = script.statements()
    if case .process = writer { statements.insert("PRAGMA foreign_keys = \(graph.random.below(2))", at: 0) }
    graph.note("elsewhere: " + statements.joined(separator: "; "))
    problems += try writer.run(statements)
  }

  private mutating func writeSQL() throws {
    let statements = script.statements()
    graph.note("SQL: " + statements.joined(separator: "; "))
    problems += try OtherWriter.connection(world.store).run(statements)
  }
}

extension GraphError {
  /// Whether it may come of what others wrote.
  var isExpected: Bool {
    switch fact {
    case .conflicts, .missingRow, .missingInParent, .deletedObject, .invalid, .keyNeeded: true
    default: false
    }
  }
}

extension StoreError {
  /// Whether it may come of what others wrote.
  var isExpected: Bool {
    switch fact {
    case .constraint, .notUnique, .missingRow, .deleteDenied: true
    default: false
    }
  }
}
