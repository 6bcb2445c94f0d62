internal import CSQLite
import Foundation
import Synchronization

/// The files that SQLite keeps beside a database with a write-ahead log, as they were before this process opened it.
///
/// Who only reads leaves what was there and nothing else: a log that another program left is not copied into the file, and
/// the files that reading made go again.
final class CompanionFiles {
  private let path: String
  private let before: State

  /// What a look tells of them.
  private struct State {
    var hasLog: Bool
    var hasIndex: Bool
    /// The log's size, time and number.
    var log: [Int]

    init(_ path: String) {
      var status = stat()
      hasLog = stat(path + "-wal", &status) == 0
      log = hasLog ? [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_ino)] : []
      hasIndex = access(path + "-shm", F_OK) == 0
    }
  }

  /// What the first of this process's connections to a file found: later ones see what it has made.
  private struct Users {
    var count: Int
    var before: State
  }
  private static let users = Mutex<[String: Users]>([:])

  /// Looks before the database at `path` is read.
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

  /// Whether there was a log with something in it.
  var hadLog: Bool { before.hasLog && before.log.first != 0 }
  /// Whether somebody had the database open, or left it without closing it.
  var wereThere: Bool { before.hasLog || before.hasIndex }
  /// Whether nobody has written to the log since.
  var areUnchanged: Bool { State(path).log == before.log }

  /// Removes what was not there before, unless somebody has the database open; called once the connection is closed.
  package func restore() {
    let isLast = Self.users.withLock { users in
      users[path]?.count -= 1
      if users[path]?.count != 0 { return false }
      users[path] = nil
      return true
    }
    let now = State(path)
    // A log with something in it stays, and so does what was there.
    let freshLog = now.hasLog && !before.hasLog && now.log.first == 0
    let freshIndex = now.hasIndex && !before.hasIndex && (freshLog || !now.hasLog || before.hasLog)
    guard isLast, freshLog || freshIndex else { return }
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    // The lock under which SQLite itself removes these files.
    guard GuardedHandle.open(path, flags, &handle) == SQLITE_OK, perilune_lock_alone(handle) == SQLITE_OK else {
      return
    }
    if freshLog { unlink(path + "-wal") }
    if freshIndex { unlink(path + "-shm") }
    perilune_unlock(handle)
  }
}
