internal import CSQLite

extension Connection {
  /// Whether no file, or another one, stands where the store's was when it was opened: what is written to this one is lost
  /// with it.
  var isMoved: Bool {
    var isMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
  }
}

extension SQLiteStore {
  /// Whether the store's file was moved, deleted or replaced since it was opened. What it holds can still be read, and
  /// copied by `backup(to:)`; writing is refused.
  public var isMoved: Bool { connection.isMoved }
}
