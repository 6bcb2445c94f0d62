extension SQLiteStore {
  /// Changes whenever another connection commits (`PRAGMA data_version`). About a microsecond.
  ///
  /// It never waits: while another process has locked the file, it is the version that was seen last.
  public var dataVersion: Int64 {
    let timeout = connection.wait.timeout
    connection.wait.timeout = 0
    defer { connection.wait.timeout = timeout }
    if let version = try? connection.dataVersion() { transactions.dataVersion = version }
    return transactions.dataVersion
  }
}
