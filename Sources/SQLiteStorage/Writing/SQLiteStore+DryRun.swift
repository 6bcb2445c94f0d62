// Dry runs: one transaction around all writes, rolled back at the end.
extension SQLiteStore {
  /// Begins a dry run. Only this connection sees its writes; other writers wait from the first write on.
  ///
  /// Commits fail until the end, including those of the user's SQL. So do writes after SQLite has rolled back the
  /// transaction on its own.
  public func beginDryRun() throws {
    guard !isReadOnly, !isDryRun else { return }
    try connection.execute("BEGIN")
    recorder.forget()
    connection.refusesCommits = true
    isDryRun = true
  }

  /// Ends the dry run; commits the writes if `keeping`.
  public func endDryRun(keeping: Bool) throws {
    guard isDryRun else { return }
    isDryRun = false
    connection.refusesCommits = permission != .everything
    guard connection.isInTransaction else { return }
    transactions.undoneCount += 1
    guard keeping else { return try connection.execute("ROLLBACK") }
    try committing { try connection.execute("COMMIT") }
    commits?.tell()
  }
}
