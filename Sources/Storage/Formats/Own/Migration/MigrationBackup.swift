import Glibc
import Modeling
import SQLite

/// The backup of a store, next to it, during a migration: `quakes.sqlite.migration-backup`.
///
/// The migration is one transaction, so the backup serves only against what SQLite cannot roll back: a failing disk.
struct MigrationBackup {
  let path: String
  /// Whether it replaces the oldest of nine backups that earlier migrations left behind.
  let replacesOldest: Bool

  /// Backs up the store of `connection`, whatever other files exist.
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

  /// Backups of interrupted migrations, and of migrations that are running.
  static func remains(beside path: String) -> [String] {
    names(beside: path).filter { access($0, F_OK) == 0 }
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
