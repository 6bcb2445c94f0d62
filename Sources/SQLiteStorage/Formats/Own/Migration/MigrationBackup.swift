import Glibc
import Modeling
import SQLite

/// The backup of a store, next to it, during a migration: `quakes.sqlite.migration-backup`.
///
/// The migration is one transaction, so the backup serves against damage that SQLite cannot roll back: a failing disk, and
/// the loss of content that has no place in the new model.
struct MigrationBackup {
  let path: String
  /// Whether it replaces the oldest of nine backups that earlier migrations left behind.
  let replacesOldest: Bool

  /// Backs up the store of `connection` under a free name, or in place of the oldest backup if there is none.
  ///
  /// - Throws: StoreError, `.backupFailed`.
  init(_ connection: Connection) throws(StoreError) {
    let names = Self.names(beside: connection.path)
    let free = names.first { access($0, F_OK) != 0 }
    path = free ?? Self.oldest(of: names)
    replacesOldest = free == nil
    // Nine backups are enough, and a migration must remain possible.
    if replacesOldest { unlink(path) }
    do throws(StoreError) {
      try connection.backup(to: path)
    } catch {
      if error.fact == .interrupted { throw error }
      throw StoreError(.backupFailed(error.fact, backup: path), path: connection.path)
    }
  }

  /// Removes the backup.
  func remove() { unlink(path) }

  /// Notes on the backups beside a store that has the given metadata.
  static func notes(beside path: String, _ metadata: StoreMetadata) -> [String] {
    names(beside: path).filter { access($0, F_OK) == 0 }.map { backup in
      isOfSameModel(backup, metadata)
        ? "A migration of this store was cut off, or is under way: '\(backup)' is the store as it was before."
        : "'\(backup)' is this store before a migration that lost what its model has no place for; delete it when nothing"
          + " of that is needed."
    }
  }

  /// Whether a backup has the model of the store: one that was migrated has another.
  private static func isOfSameModel(_ backup: String, _ metadata: StoreMetadata) -> Bool {
    guard let connection = try? Connection(backup, Connection.Options(readOnly: true, immutable: true)) else {
      return true
    }
    defer { connection.close() }
    // A backup that cannot be read was cut off while it was written.
    guard let kept = try? StoreMetadata(connection) else { return true }
    return kept.model == metadata.model
  }

  /// Whether the store at `path` is unchanged after a failed migration.
  ///
  /// - Parameter isThorough: Reads every page.
  static func isIntact(_ path: String, _ metadata: StoreMetadata, isThorough: Bool) -> Bool {
    do throws(StoreError) {
      // Opened for writing: a read-only connection would leave its log behind.
      let connection = try Connection(path)
      defer { connection.close() }
      guard try StoreMetadata(connection).model == metadata.model else { return false }
      if !isThorough { return true }
      return try connection.first("PRAGMA quick_check(1)") == .string("ok")
    } catch {
      return false
    }
  }

  private static func oldest(of names: [String]) -> String {
    func time(_ path: String) -> (Int, Int) {
      var status = stat()
      return stat(path, &status) == 0 ? (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : (0, 0)
    }
    return names.min { time($0) < time($1) } ?? names[0]
  }

  private static func names(beside path: String) -> [String] {
    (1...9).map { path + ".migration-backup" + ($0 == 1 ? "" : "-\($0)") }
  }
}
