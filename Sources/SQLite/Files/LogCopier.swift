internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Copies a write-ahead log into its file where nobody waits for the disk: on a thread of its own.
///
/// The thread has a connection of its own and shares nothing with the rest of the program but the file, as another process
/// would. The connection is there only while something is copied, so that it is never in the way of `PRAGMA journal_mode`.
final class LogCopier: Sendable {
  private let path: String
  private let queue = DispatchQueue(label: "perilune.log", qos: .utility)
  private let work = DispatchGroup()
  private let isAtWork = Atomic(false)

  /// Copies the log of the database at `path`.
  package init(path: String) { self.path = path }

  /// Has as much copied as no reader needs; false if that is under way already, or cannot be done.
  ///
  /// SQLite has the disk keep what was copied only where that was the whole log; with `keeping` it is kept in any case, so
  /// that little remains to be waited for by whoever copies the rest.
  package func start(keeping: Bool = false) -> Bool {
    guard sqlite3_threadsafe() != 0, !isAtWork.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    queue.async(group: work) { [self] in
      Self.copy(path, keeping: keeping)
      isAtWork.store(false, ordering: .releasing)
    }
    return true
  }

  /// Waits until nothing is being copied.
  package func wait() { work.wait() }

  /// Waits so long at most; returns whether nothing is being copied.
  package func wait(milliseconds: Int) -> Bool { work.wait(timeout: .now() + .milliseconds(milliseconds)) == .success }

  /// Where it fails, nothing is lost: the log is read as before, and somebody tries again.
  private static func copy(_ path: String, keeping: Bool) {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard GuardedHandle.open(path, flags, &handle) == SQLITE_OK else { return }
    // Closing must not try whether this is the last connection: others would find the file locked for a moment.
    _ = perilune_keep_log_on_close(handle, 1)
    // A connection knows of a log once it has read.
    guard sqlite3_exec(handle, "PRAGMA main.schema_version", nil, nil, nil) == SQLITE_OK else { return }
    sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if keeping { _ = perilune_sync_file(handle) }
  }
}
