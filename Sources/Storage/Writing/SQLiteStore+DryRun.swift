// A time in which nothing is kept: one transaction around everything that is written, undone at its end.
extension SQLiteStore {
  /// Begins it. What is written is seen by this connection alone; other writers wait from the first write on.
  ///
  /// Nothing can commit meanwhile, neither SQL of the user's nor what is written after SQLite has undone the transaction
  /// by itself.
  public func beginDryRun() throws {
    guard !isReadOnly, !isDryRun else { return }
    try connection.execute("BEGIN")
    recorder.forget()
    connection.refusesCommits = true
    isDryRun = true
  }

  /// Ends it, and keeps what was written if `keeping`.
  public func endDryRun(keeping: Bool) throws {
    guard isDryRun else { return }
    isDryRun = false
    connection.refusesCommits = false
    guard connection.isInTransaction else { return }
    transactions.undoneCount += 1
    guard keeping else { return try connection.execute("ROLLBACK") }
    try committing { try connection.execute("COMMIT") }
    commits?.tell()
  }
}
