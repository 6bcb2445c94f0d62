internal import CSQLite

extension Connection {
  /// Whether no file, or another one, stands where the store's was when it was opened: what is written to this one is lost
  /// with it.
  package var isMoved: Bool {
    var isMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
  }
}
