import Modeling
import RelationalStorage
import SQLite

/// Tries on a private copy what opening a store with another model would do.
struct MigrationRehearsal {
  let store: SQLiteStore
  let options: StoreOptions

  /// Converts and counts rows, and calls functions, as a migration does.
  ///
  /// - Throws: StoreError for a store that is never migrated, DerivationError; what a function throws.
  func report(to model: Model) throws -> MigrationReport {
    guard store.format.declaresSchema else { throw StoreError(.notMigratable, path: store.path) }
    let metadata = try StoreMetadata(store.connection)
    let route = try MigrationRoute(from: store.model, to: model, options)
    let copy = try store.connection.privateCopy()
    copy.addFunctions = SQLFunctions().install
    defer { copy.close() }
    let run = MigrationRun(connection: copy, route: route, listsObstacles: true, toleratesLosses: true)
    return try run.run(metadata) { true } ?? MigrationReport()
  }
}
