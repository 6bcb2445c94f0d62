package import StoreErrors
package import Stores

extension MigrationRoute {
  /// Throws the obstacles that the models alone show, before any row is changed.
  package func refuseWhatIsPlain(_ path: String) throws(StoreError) {
    for leg in legs where !leg.permitsLosses {
      let obstacles = MigrationPlan(from: leg.old.model, to: leg.new.model).obstacles
      if !obstacles.isEmpty { throw StoreError(.migrationRefused(obstacles), path: path) }
    }
  }

  /// Makes the changes of all legs, within the caller's transaction; `run` runs the leg with a number from 0.
  ///
  /// - Throws: StoreError, `.migrationRefused` with every obstacle unless they are listed, `.migrationLosing` unless it is
  ///   tolerated; what a `migrate` function throws.
  package func change(
    _ database: any MigrationDatabase, listsObstacles: Bool, toleratesLosses: Bool,
    _ run: (_ migrator: Migrator, _ index: Int) throws -> [String] = { migrator, _ in try migrator.run() }
  ) throws -> MigrationReport {
    var report = MigrationReport()
    for (index, leg) in legs.enumerated() {
      let migrator = try Migrator(database, leg)
      report.steps += migrator.plan.steps + database.steps(besides: migrator.plan)
      let losses = try migrator.losses()
      report.losses += losses
      let losesUnasked = !losses.isEmpty && !leg.permitsLosses
      if losesUnasked { report.losesUnasked = true }
      let isLosing = losesUnasked && !toleratesLosses
      if index == 0, !isLosing, !listsObstacles { try refuseWhatIsPlain(database.path) }
      do {
        report.losses += try run(migrator, index)
      } catch let error as StoreError {
        guard case .migrationRefused(let obstacles) = error.fact, isLosing || listsObstacles else { throw error }
        if isLosing { throw StoreError(.migrationLosing(losses, obstacles: obstacles), path: database.path) }
        report.obstacles = obstacles
        return report
      }
      // Refused now and not before, so that all reasons are known at once.
      if isLosing { throw StoreError(.migrationLosing(losses, obstacles: []), path: database.path) }
    }
    return report
  }
}
