public import Modeling

extension SQLiteStore {
  /// What it would take to make a store of `old` one of `new`; nothing is opened or changed.
  public static func migrationPlan(from old: Model, to new: Model) -> MigrationPlan {
    MigrationPlan(from: old, to: new)
  }

  /// What opening the store with another model would do, tried on a private copy.
  ///
  /// Everything is done there that a migration does: rows are converted and counted, functions called.
  ///
  /// - Throws: StoreError for a store that is not migrated at all, DerivationError; what a function throws.
  public func rehearseMigration(
    to model: Model, stages: [MigrationStage] = [], migrate: ((Migration) throws -> Void)? = nil
  ) throws -> MigrationReport {
    guard format.declaresSchema else { throw StoreError(.notMigratable, path: path) }
    var options = StoreOptions(path: path)
    options.model = model
    options.stages = stages
    options.migrate = migrate
    let metadata = try StoreMetadata(connection)
    let route = try MigrationRoute(from: self.model, to: model, options)
    let copy = try connection.privateCopy()
    copy.addFunctions = SQLFunctions().install
    defer { copy.close() }
    let run = MigrationRun(connection: copy, route: route, listsObstacles: true, countsLosses: true)
    return try run.run(metadata) { true } ?? MigrationReport()
  }
}
