internal import CSQLite
internal import StoreErrors

extension Connection {
  /// Opens connections to the same file that see one snapshot, the newest; nil where there is none that they can share with this
  /// connection.
  ///
  /// There is none for a database in memory or one that is read without locks, within a running statement and a transaction other than
  /// that of `reading`, beside attached databases and temporary tables, which others do not see, for a file that was moved or
  /// replaced, and while others commit without a pause.
  ///
  /// With `sharesMap` they read the file by the memory map of this connection, which may not be used until they are closed.
  func openSnapshot(_ count: Int, _ options: Options, sharesMap: Bool) throws(StoreError) -> SharedSnapshot? {
    guard companions != nil, canShareSnapshot, let file = fileName, try seesOnlyItsFile() else { return nil }
    // A transaction's snapshot is of its first read, which is here at the latest. It is not older than the transaction.
    if readingBegan != nil { _ = try first(Self.firstRead) }
    for _ in 0..<(readingBegan == nil ? 3 : 1) {
      let head = if let readingBegan { readingBegan } else { LogHead(self) }
      var others: [Connection] = []
      do throws(StoreError) {
        for _ in 0..<count {
          let other = try Connection(file, options, name: path)
          others.append(other)
          try other.run(.beginReading)
          // The first read takes the snapshot; without a log, its lock keeps others from committing.
          _ = try other.first(Self.firstRead)
        }
        if try isSnapshot(of: others, head) { return SharedSnapshot(others, mapOf: sharesMap ? self : nil) }
      } catch {
        for other in others { other.close() }
        throw error
      }
      for other in others { other.close() }
    }
    return nil
  }

  private static var firstRead: String { "SELECT 1 FROM main.sqlite_schema LIMIT 1 /* _perilune */" }

  /// Whether other connections can see what this one sees, as far as it knows.
  package var canShareSnapshot: Bool { isIdle || readingBegan != nil && !isWriting }

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

/// Connections that see one snapshot of a file. They may read it by the memory map of another connection: mapping its pages anew for
/// each of them takes a tenth of a scan.
struct SharedSnapshot {
  let connections: [Connection]
  private let map: UnsafeMutablePointer<perilune_shared_map>?

  fileprivate init(_ connections: [Connection], mapOf owner: Connection?) {
    self.connections = connections
    map = owner.flatMap { perilune_share_map($0.handle) }
    for connection in connections { perilune_use_map(connection.handle, map, 1) }
  }

  func close() {
    for connection in connections {
      perilune_use_map(connection.handle, map, 0)
      connection.close()
    }
    perilune_end_sharing(map)
  }
}
