extension SQLiteStore {
  /// Has what the saves have left in the write-ahead log copied into the file, if that is much; returns whether that has
  /// begun. Does not wait for it.
  @discardableResult
  public func checkpointIfNeeded() -> Bool { log?.copyIfLong() ?? false }
}
