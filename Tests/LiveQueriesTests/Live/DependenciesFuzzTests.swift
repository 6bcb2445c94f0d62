import Modeling
import Queries
import TestSupport
import Testing

@testable import LiveQueries
@testable import SQLiteStorage
@testable import Stores

/// After any write, every row whose part in a request's results changes is among those reported.
@Suite(.seeded) struct DependenciesFuzzTests {
  /// A request with what it answered before the writes.
  private struct Watched {
    let request: FetchRequest
    let reader: any PlacementReading
    let dependencies: Dependencies
    var places: [Int64: [Value]]

    init(_ request: FetchRequest, _ store: any ObjectStore) throws {
      self.request = request
      reader = try store.placements(of: request)
      dependencies = try Dependencies(request, store: store)
      places = [:]
      places = try read()
    }

    func read() throws -> [Int64: [Value]] {
      var places: [Int64: [Value]] = [:]
      try reader.readAll(restart: { places = [:] }) { places[$0.key] = values($0) }
      return places
    }

    func values(_ row: PlacementRow) -> [Value] {
      reader.components.indices.map(row.value) + (row.section.map { [$0] } ?? [])
    }
  }

  /// How often the rules were put to the test.
  private struct Tally {
    var told = 0
    var moved = 0
    var everything = 0
    /// Rows that only what references held before, or pairs hold now, leads to.
    var byReferences = 0
  }

  private func check(_ world: RowWorld, rounds: Int) throws -> Tally {
    var watched: [Watched] = []
    while watched.count < 12 {
      guard let request = world.request() else { continue }
      do { watched.append(try Watched(request, world.store)) } catch is PredicateError { continue }
    }
    var tally = Tally()
    for round in 0..<rounds {
      for _ in 0..<1 + round % 2 { world.write() }
      let touched = world.takeTouched()
      for index in watched.indices {
        let (before, after) = (watched[index].places, try watched[index].read())
        watched[index].places = after
        let moved = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        tally.moved += moved.count
        let dependencies = watched[index].dependencies
        if !dependencies.isTouched(by: touched) {
          #expect(moved.isEmpty, "\(watched[index].request.summary) is not touched")
          continue
        }
        switch try dependencies.affected(by: touched) {
        case .everything: tally.everything += 1
        case .keys(let own, let related, let unmoved):
          tally.told += own.count + related.count
          let missing = moved.subtracting(own).subtracting(related)
          #expect(missing.isEmpty, "\(watched[index].request.summary): \(touched)")
          #expect(Set(own + related + unmoved).count == own.count + related.count + unmoved.count)
          try checkLookUp(watched[index], own + related)
          if case .keys(let own, let related, _) = try dependencies.affected(by: touched.withoutReferences) {
            tally.byReferences += moved.subtracting(own).subtracting(related).count
          }
        }
      }
    }
    return tally
  }

  /// Rows read by their keys are those of the whole scan.
  private func checkLookUp(_ watched: Watched, _ keys: [Int64]) throws {
    var found: [Int64: [Value]] = [:]
    try watched.reader.read(keys: keys) { found[$0.key] = watched.values($0) }
    let wanted = Set(keys)
    #expect(found == watched.places.filter { wanted.contains($0.key) }, "\(watched.request.summary)")
  }

  @Test(arguments: 1...(Effort.isLong ? 400 : 12))
  func everyMovedRowOfAnOwnStoreIsTold(_ seed: Int) throws {
    let world = try RowWorld(seed: UInt64(seed), RowWorld.own())
    let tally = try check(world, rounds: 30)
    #expect(tally.told > 0 && tally.moved > 0)
    #expect(tally.everything == 0)
  }

  @Test(arguments: 1...(Effort.isLong ? 400 : 12))
  func everyMovedRowOfAForeignFileIsTold(_ seed: Int) throws {
    let (store, folder) = try RowWorld.foreign()
    let world = try RowWorld(seed: UInt64(seed), store, folder)
    let tally = try check(world, rounds: 30)
    #expect(tally.told > 0 && tally.moved > 0)
    #expect(tally.everything == 0)
  }

  @Test func rowsAreMissedWithoutWhatReferencesHeld() throws {
    // Which rows depend on former references is chance: one of some worlds must have such rows.
    #expect(
      try (UInt64(1)...8).contains {
        try check(RowWorld(seed: $0, RowWorld.own()), rounds: 40).byReferences > 0
      })
    #expect(
      try (UInt64(1)...8).contains {
        let (store, folder) = try RowWorld.foreign()
        return try check(RowWorld(seed: $0, store, folder), rounds: 40).byReferences > 0
      })
  }
}

extension TouchedRows {
  fileprivate var withoutReferences: TouchedRows {
    var touched = self
    for name in touched.tables.keys {
      touched.tables[name]?.formerReferences = [:]
      touched.tables[name]?.presentReferences = [:]
      touched.tables[name]?.formerCombinations = [:]
      touched.tables[name]?.presentCombinations = [:]
    }
    return touched
  }
}

extension FetchRequest {
  /// The request in short, for messages of tests.
  fileprivate var summary: String {
    let order = sortDescriptors.map { "\($0.expression)" }.joined(separator: ", ")
    return
      "\(entity.name) WHERE \(predicate.map { "\($0)" } ?? "-") ORDER BY \(order) SECTIONS \(sectionIdentifier.map { "\($0)" } ?? "-")"
  }
}
