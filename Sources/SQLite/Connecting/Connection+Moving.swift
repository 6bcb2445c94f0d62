internal import CSQLite

extension Connection {
  /// Whether the store's file was removed or replaced since it was opened: writes to this file are lost with it.
  package var isMoved: Bool {
    var isMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
  }
}
