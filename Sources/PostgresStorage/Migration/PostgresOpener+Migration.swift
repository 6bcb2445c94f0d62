import Layouts
import Modeling
import Postgres
import RelationalStorage
import StoreErrors
import Stores

extension PostgresOpener {
  /// Migrates a store of our own to the model that is wanted, in one transaction.
  ///
  /// In a rehearsal the transaction stays open, and is rolled back when the store is closed.
  func migrate(_ stored: Model, to wanted: Model) throws -> OpenedDatabase {
    let route = try MigrationRoute(from: stored, to: wanted, options.migrationOptions(pool.address.shown))
    if route.keepsTables, options.isReadOnly || isLater(stored, than: wanted) { return try own(wanted) }
    if options.isReadOnly {
      let plans = route.legs.map { MigrationPlan(from: $0.old.model, to: $0.new.model) }
      throw StoreError(
        .modelMismatch(plans.flatMap { $0.steps.map(\.description) + $0.obstacles }), path: pool.address.shown)
    }
    let run = PostgresMigrationRun(pool: pool, route: route)
    let report = try run.run(stored, keepsOpen: options.isRehearsal, toleratesLosses: options.isRehearsal)
    // Another program may have migrated it meanwhile.
    guard let report else {
      guard let metadata = try PostgresMetadata(pool) else { throw StoreError(.notFound, path: pool.address.shown) }
      return try openOwn(metadata)
    }
    var opened = try own(wanted)
    if !route.isEmpty || !report.steps.isEmpty { opened.migration = report }
    return opened
  }

  private func isLater(_ stored: Model, than wanted: Model) -> Bool {
    guard let version = stored.version else { return false }
    return wanted.version.map { version.isNewer(than: $0) } ?? true
  }
}

extension PostgresOptions {
  /// The options of a migration.
  func migrationOptions(_ path: String) -> StoreOptions {
    var options = StoreOptions(path: path)
    (options.model, options.migrate, options.stages) = (model, migrate, stages)
    options.permitsLosses = permitsLosses
    return options
  }
}

/// A migration along a route, in one transaction.
struct PostgresMigrationRun {
  let pool: PostgresPool
  let route: MigrationRoute

  /// Makes all changes or none; returns nil if the store has another model by now.
  ///
  /// - Throws: StoreError, `.migrationRefused` with every obstacle unless they are listed, `.migrationLosing` unless it is
  ///   tolerated; what a function throws.
  func run(
    _ stored: Model, keepsOpen: Bool = false, undoes: Bool = false, listsObstacles: Bool = false,
    toleratesLosses: Bool = false
  ) throws -> MigrationReport? {
    guard route.keepsTables || pool.profile.has(.transactionalDefinitions) else {
      let feature = "transactions that change several tables"
      throw StoreError(.lacking(server: pool.profile.engine.name, feature: feature), path: pool.address.shown)
    }
    try pool.begin()
    pool.pin()
    var isKept = false
    defer { if !isKept { pool.unpin() } }
    do {
      let model = try pool.run(
        "SELECT value FROM \(name: BookTables.metadata) WHERE key = 'model' FOR UPDATE")
      guard model.rowCount > 0, model.text(0, 0) == stored.encoded() else {
        _ = try pool.run("ROLLBACK")
        return nil
      }
      let report = try route.change(
        PostgresMigrationDatabase(pool), listsObstacles: listsObstacles, toleratesLosses: toleratesLosses)
      if undoes {
        _ = try pool.run("ROLLBACK")
        return report
      }
      _ = try pool.run(
        "UPDATE \(name: BookTables.metadata) SET value = \(.text(route.layout.model.encoded())) WHERE key = 'model'")
      if keepsOpen { isKept = true } else { _ = try pool.run("COMMIT") }
      return report
    } catch {
      _ = try? pool.run("ROLLBACK")
      throw error
    }
  }
}
