internal import CSQLite
import Foundation
import Synchronization

/// The files next to a database with a write-ahead log, as they were before this process opened it.
///
/// A reader restores that state: it does not copy another program's log into the file, and removes the files that
/// reading created.
final class CompanionFiles {
  private let path: String
  private let before: State

  /// The state of the files at one look.
  private struct State {
    var hasLog: Bool
    var hasIndex: Bool
    /// The log's size, modification time and inode.
    var log: [Int]

    init(_ path: String) {
      var status = stat()
      hasLog = stat(path + "-wal", &status) == 0
      log = hasLog ? [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_ino)] : []
      hasIndex = access(path + "-shm", F_OK) == 0
    }
  }

  /// The state that the first connection of this process to a file found. Later connections see the files it created.
  private struct Users {
    var count: Int
    var before: State
  }
  private static let users = Mutex<[String: Users]>([:])

  /// Records the state before the database at `path` is read.
  package init(_ path: String) {
    let name = realpath(path, nil).map { name in
      defer { free(name) }
      return String(cString: name)
    }
    let resolved = name ?? path
    self.path = resolved
    before = Self.users.withLock { users in
      var entry = users[resolved] ?? Users(count: 0, before: State(resolved))
      entry.count += 1
      users[resolved] = entry
      return entry.before
    }
  }

  /// Whether there was a log that was not empty.
  var hadLog: Bool { before.hasLog && before.log.first != 0 }
  /// Whether another process had the database open, or left it without closing it.
  var wereThere: Bool { before.hasLog || before.hasIndex }
  /// Whether the log was not written since.
  var areUnchanged: Bool { State(path).log == before.log }

  /// Removes the files that were not there before, unless another process has the database open. Call it after closing
  /// the connection.
  package func restore() {
    let isLast = Self.users.withLock { users in
      users[path]?.count -= 1
      if users[path]?.count != 0 { return false }
      users[path] = nil
      return true
    }
    let now = State(path)
    // A log that is not empty stays, and so do files that were there before.
    let freshLog = now.hasLog && !before.hasLog && now.log.first == 0
    let freshIndex = now.hasIndex && !before.hasIndex && (freshLog || !now.hasLog || before.hasLog)
    guard isLast, freshLog || freshIndex else { return }
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    // SQLite itself takes this lock to remove these files.
    guard GuardedHandle.open(path, flags, &handle) == SQLITE_OK, perilune_lock_alone(handle) == SQLITE_OK else {
      return
    }
    if freshLog { unlink(path + "-wal") }
    if freshIndex { unlink(path + "-shm") }
    perilune_unlock(handle)
  }
}
