import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct MigrationAgreementTests {
  private func store(_ model: Model) throws -> SQLiteStore {
    var options = StoreOptions(path: ":memory:")
    options.create = true
    options.model = model
    return try SQLiteStore(options)
  }

  /// The store with another model: in memory, as hundreds of files would take their time.
  private func migrated(_ store: SQLiteStore, to model: Model, _ stages: [MigrationStage]) throws -> SQLiteStore {
    var options = StoreOptions(path: ":memory:")
    options.stages = stages
    let metadata = try StoreMetadata(store.connection)
    let route = try MigrationRoute(from: Model(encoded: metadata.model), to: model, options)
    _ = try MigrationRun(connection: store.connection, route: route, toleratesLosses: true).run(metadata) { true }
    return SQLiteStore(store.connection, model, route.layout.layouts, isReadOnly: false)
  }

  /// Models one after another, as the world is changed; nil for one that contradicts itself.
  private func models(_ world: inout MigrationWorld, _ edits: inout [String], stages: Int) throws -> [Model]? {
    var models = [try world.model(renaming: false)]
    for _ in 0..<stages {
      world.settle()
      for _ in 0..<Int.random(in: 1...5, using: &world.random) {
        if let edit = world.edit() { edits.append(edit) }
      }
      edits.append("/")
      world.maySwap = false
      guard let model = try? world.model(renaming: true), world.isUnambiguous(model) else { return nil }
      models.append(model)
    }
    return models
  }

  /// Migrating gives what writing everything afresh gives, for random models, objects and changes, also in two stages.
  @Test func aMigratedStoreIsWhatAFreshOneWouldBe() throws {
    let count = ProcessInfo.processInfo.environment["PERILUNE_MIGRATIONS"].flatMap { UInt64($0) } ?? 100
    for seed in 1...count {
      var world = MigrationWorld(seed: seed)
      let former = world
      var edits: [String] = []
      guard let models = try models(&world, &edits, stages: seed % 3 == 0 ? 2 : 1), former.isUnambiguous(models[0])
      else { continue }
      do {
        let old = try store(models[0])
        try former.write(to: old)
        let stages = zip(models, models.dropFirst()).map { MigrationStage(from: $0, to: $1) }
        let migrated = try migrated(old, to: models[models.count - 1], stages.count > 1 ? stages : [])
        let fresh = try store(world.model(renaming: false))
        try world.write(to: fresh)
        let (found, expected) = (try world.dump(migrated), try world.dump(fresh))
        #expect(
          found == expected,
          "seed \(seed): \(edits)\n\(found.difference(from: expected).map { "\($0)" }.joined(separator: "\n"))")
        #expect(try migrated.connection.all("PRAGMA foreign_key_check").isEmpty, "seed \(seed): \(edits)")
      } catch {
        Issue.record("seed \(seed): \(edits): \(error)")
      }
    }
  }
}
