internal import CSQLite

/// Sees to it that the write-ahead log is copied into the file when nobody waits, and not in the middle of a save.
///
/// SQLite would copy it within every commit that makes it longer than a thousand pages, and wait for the disk twice.
final class WriteAheadLog {
  /// So long it may be when the store has nothing to do.
  static let idleLimit = 1000
  /// So long it may become: some 400 MB. Then the commit that made it so copies it.
  var limit = 100_000

  /// How many pages it had after the last commit.
  private(set) var pages = 0
  /// How many pages were left when it was copied last: a reader may have been in the way.
  private var leftPages = 0
  private let connection: Connection

  /// Takes over from SQLite.
  init(_ connection: Connection) {
    self.connection = connection
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
        log.pages = Int(pages)
        if log.pages - log.leftPages >= log.limit { log.copy() }
        return SQLITE_OK
      }, context)
  }

  /// Leaves it to itself.
  func stop() {
    if connection.handle != nil { _ = sqlite3_wal_hook(connection.handle, nil, nil) }
  }

  /// Copies it if it is long; returns whether it did.
  func copyIfLong() -> Bool {
    guard connection.handle != nil, pages - leftPages >= Self.idleLimit,
      sqlite3_txn_state(connection.handle, nil) == SQLITE_TXN_NONE
    else { return false }
    copy()
    return true
  }

  /// Copies as much as no reader needs, without waiting for anybody.
  private func copy() {
    let timeout = connection.wait.timeout
    connection.wait.timeout = 0
    defer { connection.wait.timeout = timeout }
    var (total, copied): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, &total, &copied)
    // Where it fails, nothing is lost: the log is read as before, and the next commit tries again.
    guard code == SQLITE_OK, total >= 0 else { return leftPages = pages }
    pages = Int(total)
    leftPages = copied == total ? 0 : Int(total)
    if copied == total { pages = 0 }
  }
}

extension SQLiteStore {
  /// Copies what the saves have left in the write-ahead log into the file, if that is much; returns whether it did.
  ///
  /// To be called when nobody waits: it may take tens of milliseconds, and milliseconds more for each megabyte.
  @discardableResult
  public func checkpointIfNeeded() -> Bool { log?.copyIfLong() ?? false }
}
