import Modeling
import RelationalStorage

extension StoreOpener {
  /// Migrates the store to `wanted`, with a backup next to it until that is done.
  mutating func migrate(_ metadata: StoreMetadata, to wanted: Model) throws -> ModelLayout {
    var metadata = metadata
    while true {
      let stored = try decoded(metadata)
      let route = try MigrationRoute(from: stored, to: wanted, options)
      // Only names and notes differ; those of a later version stay.
      if route.keepsTables, isReadOnly || isLater(stored, than: wanted) { return route.layout }
      if route.isEmpty, options.isRehearsal { return route.layout }
      if isReadOnly { throw StoreError(.modelMismatch(differences(route)), path: options.path) }
      if options.isRehearsal { try continueOnCopy() }
      if let report = try run(route, metadata) {
        migration = route.isEmpty ? nil : report
        return route.layout
      }
      // Another process may have written, even another model, between the backup and the transaction.
      metadata = try StoreMetadata(connection)
      if wanted.encoded() == metadata.model { return ModelLayout(layoutsOf: wanted) }
    }
  }

  private func isLater(_ stored: Model, than wanted: Model) -> Bool {
    guard let version = stored.version else { return false }
    return wanted.version.map { version.isNewer(than: $0) } ?? true
  }

  private func differences(_ route: MigrationRoute) -> [String] {
    let plans = route.legs.map { MigrationPlan(from: $0.old.model, to: $0.new.model) }
    return plans.flatMap { $0.steps.map(\.description) + $0.obstacles }
  }

  /// Leaves the file alone and continues on a copy.
  private mutating func continueOnCopy() throws(StoreError) {
    guard !connection.isPrivate else { return }
    let copy = try connection.privateCopy()
    copy.addFunctions = SQLFunctions().install
    connection.close()
    connection = copy
    try configureOwn()
  }

  /// Runs the migration; returns nil if the store changed before it could begin.
  private mutating func run(_ route: MigrationRoute, _ metadata: StoreMetadata) throws -> MigrationReport? {
    let version = try connection.first("PRAGMA data_version")
    let isInFile = !route.keepsTables && !connection.isPrivate && connection.path != ":memory:"
    let isLosing = isInFile ? try losesUnasked(route.legs[0]) : false
    if isInFile, !isLosing { try route.refuseWhatIsPlain(connection.path) }
    // A large file is not copied for a migration that is going to be refused.
    let backup = isInFile && options.backsUp && !isLosing ? try MigrationBackup(connection) : nil
    if let backup, backup.replacesOldest {
      notes.append(
        "Nine copies of earlier migrations were left: the oldest, '\(backup.path)', gave its place to a new one.")
    }
    do {
      let run = MigrationRun(
        connection: connection, route: route, toleratesLosses: options.isRehearsal,
        onProgress: options.onMigrationProgress)
      let report = try run.run(metadata) { () throws(StoreError) in
        try connection.first("PRAGMA data_version") == version
      }
      if let backup { settle(backup, after: report) }
      return report
    } catch {
      connection.close()
      if let backup {
        guard MigrationBackup.isIntact(options.path, metadata, isThorough: isAboutTheFile(error)) else {
          throw StoreError(.damagedByMigration(backup: backup.path, reason: "\(error)"), path: options.path)
        }
        backup.remove()
      }
      throw error
    }
  }

  /// Whether a leg loses what the options do not permit to be lost, so that it is refused if the store stays as it is.
  private func losesUnasked(_ leg: MigrationRoute.Leg) throws(StoreError) -> Bool {
    guard !leg.permitsLosses, !options.isRehearsal else { return false }
    return try !Migrator(connection, leg).losses().isEmpty
  }

  /// Removes the backup of a finished migration, unless only the backup has the lost content.
  private mutating func settle(_ backup: MigrationBackup, after report: MigrationReport?) {
    guard let report, !report.losses.isEmpty else { return backup.remove() }
    notes.append(
      "What the model given has no place for is only in '\(backup.path)' now, the store as it was before its migration."
    )
  }

  /// Whether the error may be the disk's fault.
  private func isAboutTheFile(_ error: any Error) -> Bool {
    switch (error as? StoreError)?.fact {
    case .corrupt, .full, .inputOutput, .outOfMemory: true
    default: false
    }
  }
}
