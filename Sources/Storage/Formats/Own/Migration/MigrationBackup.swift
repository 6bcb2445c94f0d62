import Glibc
import Modeling
import SQLite

/// The copy of a store beside it for as long as it is being migrated: `quakes.sqlite.migration-backup`.
///
/// The migration is one transaction, so the copy is only for what SQLite cannot undo: a failing disk.
struct MigrationBackup {
  let path: String
  /// Whether it stands in the place of the oldest of nine copies that earlier migrations left behind.
  let replacesOldest: Bool

  /// Copies the store of `connection`, whatever other files there are.
  ///
  /// - Throws: StoreError, `.backupFailed`.
  init(_ connection: Connection) throws(StoreError) {
    let names = Self.names(beside: connection.path)
    let free = names.first { access($0, F_OK) != 0 }
    path = free ?? Self.oldest(of: names)
    replacesOldest = free == nil
    // Nine copies are enough of what the store was: a migration must go on being possible.
    if replacesOldest { unlink(path) }
    do throws(StoreError) {
      try connection.backup(to: path)
    } catch {
      if error.fact == .interrupted { throw error }
      throw StoreError(.backupFailed(error.fact, backup: path), path: connection.path)
    }
  }

  /// Takes the copy away.
  func remove() { unlink(path) }

  /// Copies that a migration left behind when it was cut off, or that one makes right now.
  static func remains(beside path: String) -> [String] {
    names(beside: path).filter { access($0, F_OK) == 0 }
  }

  /// Whether the store at `path` is what it was, after a migration that failed.
  ///
  /// - Parameter isThorough: Reads every page.
  static func isIntact(_ path: String, _ metadata: StoreMetadata, isThorough: Bool) -> Bool {
    do throws(StoreError) {
      // Not read-only: that would leave its log behind.
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
