internal import CSQLite
internal import StoreErrors

extension Connection {
  /// Opens connections to the same file that see one snapshot, the newest; nil where there is none that they can share with this
  /// connection.
  ///
  /// There is none for a database in memory or one that is read without locks, within a transaction or a running statement, beside attached databases and temporary
  /// tables, which others do not see, for a file that was moved or replaced, and while others commit without a pause.
  func openSnapshot(_ count: Int, _ options: Options) throws(StoreError) -> [Connection]? {
    guard companions != nil, isIdle, let file = fileName, try seesOnlyItsFile() else { return nil }
    for _ in 0..<3 {
      let head = LogHead(self)
      var others: [Connection] = []
      do throws(StoreError) {
        for _ in 0..<count {
          let other = try Connection(file, options, name: path)
          others.append(other)
          try other.run(.beginReading)
          // The first read takes the snapshot; without a log, its lock keeps others from committing.
          _ = try other.first("SELECT 1 FROM main.sqlite_schema LIMIT 1")
        }
        if try isSnapshot(of: others, head) { return others }
      } catch {
        for other in others { other.close() }
        throw error
      }
      for other in others { other.close() }
    }
    return nil
  }

  /// Whether nothing was committed since the log had this head, and the connections have the file that this one has.
  private func isSnapshot(of others: [Connection], _ head: LogHead?) throws(StoreError) -> Bool {
    for connection in [self] + others where connection.fileHasMoved { return false }
    if let head { return LogHead(self) == head }
    // Another process may have begun a log meanwhile.
    for other in others where try other.first("PRAGMA journal_mode") == .string("wal") { return false }
    return true
  }

  /// The size of the file without its log, in bytes; 0 without a file.
  package var fileSize: Int64 { handle == nil ? 0 : perilune_file_size(handle) }

  /// Whether the file's path no longer leads to it.
  private var fileHasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved != 0
  }

  /// Whether names in statements cannot mean tables that this connection alone has.
  private func seesOnlyItsFile() throws(StoreError) -> Bool {
    if try first("SELECT 1 FROM sqlite_temp_schema LIMIT 1 /* _perilune */") != nil { return false }
    return try all("PRAGMA database_list /* _perilune */").allSatisfy {
      $0[1] == .string("main") || $0[1] == .string("temp")
    }
  }
}
