import Modeling

// Commits by other connections.
extension SQLiteStore {
  /// The watch on other connections' commits; nil if the store cannot have one, and after `close`.
  ///
  /// The store reports changes from the first access on.
  public var foreignWatch: ForeignWatch? {
    if let watch { return watch }
    guard let file = connection.fileName else { return nil }
    watch = try? ForeignWatch(self, file: file)
    return watch
  }

  /// Returns the rows that others have touched since the last call; nil for none.
  ///
  /// Several transactions are merged into one. Within a transaction of its own, and while another process has the file
  /// locked, the store reports nothing until later.
  ///
  /// - Throws: StoreError.
  public func changesByOthers() throws -> TouchedRows? {
    guard let watch = foreignWatch, connection.handle != nil else { return nil }
    guard !connection.isWriting else { return nil }
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
  /// Runs `body` in one read transaction, so that all its reads see the same snapshot and take the lock once.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result { try connection.reading(body) }
}
