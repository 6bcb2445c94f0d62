internal import CSQLite
import Modeling

// What others commit to the file.
extension SQLiteStore {
  /// Notices what others commit; nil where nobody else can, and after `close`.
  ///
  /// Changes are told from the moment on at which this was asked for the first time.
  public var foreignWatch: ForeignWatch? {
    if let watch { return watch }
    guard connection.handle != nil, let name = sqlite3_db_filename(connection.handle, "main"),
      case let file = String(cString: name),
      !file.isEmpty
    else { return nil }
    watch = try? ForeignWatch(self, file: file)
    return watch
  }

  /// What others committed since the last call; nil for nothing.
  ///
  /// Several of their transactions are told as one. Within a transaction of one's own, and while another process has
  /// the file locked, nothing is told until later.
  ///
  /// - Throws: StoreError.
  public func changesByOthers() throws -> TouchedRows? {
    guard let watch = foreignWatch, connection.handle != nil else { return nil }
    guard sqlite3_txn_state(connection.handle, "main") != SQLITE_TXN_WRITE else { return nil }
    let timeout = connection.wait.timeout
    connection.wait.timeout = 0
    defer { connection.wait.timeout = timeout }
    do {
      return try connection.reading { try changes(watch) }
    } catch let error as StoreError {
      if case .busy = error.fact { return nil }
      throw error
    }
  }

  private func changes(_ watch: ForeignWatch) throws -> TouchedRows? {
    guard let version = try connection.dataVersion(), version != watch.toldVersion else { return nil }
    var rows = TouchedRows()
    rows.isForeign = true
    if try watch.history.read(into: &rows) {
      watch.followed.forget()
    } else {
      try watch.followed.compare(into: &rows)
    }
    watch.told(version)
    return rows.isEmpty ? nil : rows
  }
}

extension SQLiteStore {
  /// Runs `body`, which reads, in one transaction: all of it sees the same state of the file, and locks are taken once.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result { try connection.reading(body) }
}
