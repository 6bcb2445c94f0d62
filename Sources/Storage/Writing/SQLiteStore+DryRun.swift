// A dry run: one transaction around everything that is written, which is rolled back at the end.
extension SQLiteStore {
  /// Begins a dry run. Only this connection sees what is written; other writers wait from the first write on.
  ///
  /// Commits are refused until the end, also those of the user's SQL, and of writes after SQLite has rolled back the
  /// transaction by itself.
  public func beginDryRun() throws {
    guard !isReadOnly, !isDryRun else { return }
    try connection.execute("BEGIN")
    recorder.forget()
    connection.refusesCommits = true
    isDryRun = true
  }

  /// Ends the dry run; commits what was written if `keeping`.
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
