import Modeling
import RelationalStorage
import SQLite
import StoreErrors

/// A migration along a route, in one transaction.
struct MigrationRun {
  let connection: Connection
  let route: MigrationRoute
  /// Whether to list obstacles instead of throwing them.
  var listsObstacles = false
  /// Whether to go on where the options do not permit a loss.
  let toleratesLosses: Bool
  /// Called every few thousand rows; nil counts none.
  var onProgress: ((MigrationProgress) -> Void)?

  /// Runs all legs or none; `isCurrent` checks within the transaction whether the store is still unchanged.
  ///
  /// - Returns: the report; nil if the store has changed meanwhile.
  /// - Throws: StoreError, `.migrationRefused` with every obstacle, `.migrationLosing`; what a `migrate` function throws.
  func run(_ metadata: StoreMetadata, isCurrent: () throws(StoreError) -> Bool) throws -> MigrationReport? {
    ValueConversion.register(on: connection)
    // Neither setting can be changed within a transaction, and both would follow renamed tables.
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON") }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      guard try isCurrent() else {
        try connection.execute("ROLLBACK")
        return nil
      }
      let report = try change()
      var metadata = metadata
      metadata.model = route.layout.model.encoded()
      try metadata.write(connection)
      try connection.execute("COMMIT")
      return report
    } catch {
      connection.resetAll()
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  private func change() throws -> MigrationReport {
    try route.change(connection, listsObstacles: listsObstacles, toleratesLosses: toleratesLosses, run)
  }

  private func run(_ migrator: Migrator, _ index: Int) throws -> [String] {
    guard let onProgress else { return try migrator.run() }
    var progress = MigrationProgress(
      stage: index + 1, stageCount: route.legs.count, rows: 0, expectedRows: try migrator.expectedRows())
    return try connection.countingRows({ rows in
      progress.rows = min(rows, progress.expectedRows)
      onProgress(progress)
    }) { try migrator.run() }
  }
}
