internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Checkpoints a write-ahead log on a background thread, so that no caller waits for the disk.
///
/// The thread has its own connection, and shares nothing with the rest of the program but the file, like another
/// process. The connection is open only during a checkpoint, so that it never blocks `PRAGMA journal_mode`.
final class LogCopier: Sendable {
  private let path: String
  private let queue = DispatchQueue(label: "perilune.log", qos: .utility)
  private let work = DispatchGroup()
  private let isAtWork = Atomic(false)

  /// Creates a copier for the log of the database at `path`.
  package init(path: String) { self.path = path }

  /// Starts to copy the pages that no reader needs; returns false if a copy is running or cannot start.
  ///
  /// SQLite syncs the copied pages to the disk only after it has copied the whole log. With `keeping` they are always
  /// synced, so that the next checkpoint has little to wait for.
  package func start(keeping: Bool = false) -> Bool {
    guard sqlite3_threadsafe() != 0, !isAtWork.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    queue.async(group: work) { [self] in
      Self.copy(path, keeping: keeping)
      isAtWork.store(false, ordering: .releasing)
    }
    return true
  }

  /// Waits until no copy is running.
  package func wait() { work.wait() }

  /// Waits for at most this time; returns whether no copy is running.
  package func wait(milliseconds: Int) -> Bool { work.wait(timeout: .now() + .milliseconds(milliseconds)) == .success }

  /// A failure loses nothing: the log stays valid, and a later call tries again.
  private static func copy(_ path: String, keeping: Bool) {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard GuardedHandle.open(path, flags, &handle) == SQLITE_OK else { return }
    // Closing must not check whether this is the last connection: others would find the file locked for a moment.
    _ = perilune_keep_log_on_close(handle, 1)
    // A connection finds the log at its first read.
    guard sqlite3_exec(handle, "PRAGMA main.schema_version", nil, nil, nil) == SQLITE_OK else { return }
    sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if keeping { _ = perilune_sync_file(handle) }
  }
}
