extension SQLiteStore {
  /// Changes whenever another connection commits (`PRAGMA data_version`). About a microsecond.
  public var dataVersion: Int64 {
    guard case .int(let version)? = try? connection.first("PRAGMA data_version") else { return 0 }
    return version
  }
}
