extension SQLiteStore {
  /// Copies the store to a new file, while others may read and write it.
  ///
  /// - Throws: StoreError; `.cannotCreate` where there is a file already.
  public func backup(to path: String) throws { try connection.backup(to: path) }
}
