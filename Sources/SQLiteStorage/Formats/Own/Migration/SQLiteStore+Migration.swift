public import Modeling
import RelationalStorage

extension SQLiteStore {
  /// Returns the steps from a store of `old` to a store of `new`; opens and changes nothing.
  public static func migrationPlan(from old: Model, to new: Model) -> MigrationPlan {
    MigrationPlan(from: old, to: new)
  }

  /// Tries on a private copy what opening the store with another model would do.
  ///
  /// It does everything that a migration does: it converts and counts rows, and calls functions.
  ///
  /// - Throws: StoreError for a store that is never migrated, DerivationError; what a function throws.
  public func rehearseMigration(
    to model: Model, stages: [MigrationStage] = [], permitsLosses: Bool = false,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> MigrationReport {
    guard format.declaresSchema else { throw StoreError(.notMigratable, path: path) }
    var options = StoreOptions(path: path)
    options.model = model
    options.stages = stages
    options.permitsLosses = permitsLosses
    options.migrate = migrate
    let metadata = try StoreMetadata(connection)
    let route = try MigrationRoute(from: self.model, to: model, options)
    let copy = try connection.privateCopy()
    copy.addFunctions = SQLFunctions().install
    defer { copy.close() }
    let run = MigrationRun(connection: copy, route: route, listsObstacles: true, toleratesLosses: true)
    return try run.run(metadata) { true } ?? MigrationReport()
  }
}
