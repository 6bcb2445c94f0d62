import Modeling
package import Stores

extension SQLiteStore {
  /// Runs `body` in one transaction, which is rolled back if `body` throws; nested calls are savepoints.
  ///
  /// The outermost transaction takes the write lock at the beginning, so that it cannot fail for a lock later.
  ///
  /// - Throws: StoreError, or what `body` throws.
  @discardableResult
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try beginTransaction()
    do {
      let result = try body()
      try endTransaction(commit: true)
      return result
    } catch {
      try? endTransaction(commit: false)
      throw error
    }
  }

  /// Whether changes are rolled back when the outermost transaction ends (`--dry-run`).
  public var isDryRun: Bool {
    get { transactions.isDryRun }
    set { transactions.isDryRun = newValue }
  }

  /// What transactions of this connection may write. The database itself refuses the commits of others.
  package var permission: WritePermission {
    get { transactions.permission }
    set {
      transactions.permission = newValue
      connection.refusesCommits = newValue != .everything || isDryRun
    }
  }

  func beginTransaction() throws {
    if isReadOnly { throw readOnlyError }
    if permission == .nothing { throw StoreError(.notApproved, path: path) }
    if transactions.depth == 0, !connection.isInTransaction {
      if connection.isMoved { throw StoreError(.moved, path: path) }
      try connection.beginWriting()
      commits?.transactionBegan()
    } else {
      try checkTransaction()
      try connection.execute("SAVEPOINT perilune_\(transactions.depth)")
      if transactions.depth == 0 { transactions.savepointAtBottom = true }
    }
    if transactions.depth == 0 { beginRecording(continuing: transactions.savepointAtBottom) }
    transactions.depth += 1
  }

  /// Ends the innermost transaction. If the commit fails, the transaction is still open and can be rolled back.
  func endTransaction(commit: Bool) throws {
    let depth = transactions.depth
    guard depth > 0 else { return }
    if commit {
      try checkTransaction()
      if connection.isInterrupted() { throw StoreError(.interrupted, path: path) }
      if depth == 1 { try endRecording() }
    }
    let isOutermost = depth == 1 && !transactions.savepointAtBottom
    if isOutermost {
      if commit, !isDryRun {
        try committing { try connection.commit() }
      } else {
        connection.dataVersions.end()
        if connection.isInTransaction {
          transactions.undoneCount += 1
          try connection.execute("ROLLBACK")
        }
      }
    } else if commit {
      try connection.execute("RELEASE perilune_\(depth - 1)")
    } else if connection.isInTransaction {
      // SQLite may have rolled back the whole transaction on its own.
      transactions.undoneCount += 1
      try? connection.execute("ROLLBACK TO perilune_\(depth - 1); RELEASE perilune_\(depth - 1)")
    }
    transactions.depth = depth - 1
    if transactions.depth == 0 { transactions.savepointAtBottom = false }
    if isOutermost {
      format.transactionEnded()
      commits?.tell()
    }
  }

  /// Throws if SQLite has rolled back the transaction on its own, as it does on interruption or with a full disk. Later
  /// writes must not run as if it were still open.
  func checkTransaction() throws {
    if transactions.depth > 0, !connection.isInTransaction { throw StoreError(.interrupted, path: path) }
  }

  /// Runs a write in the current transaction, or in a new one.
  func write<Result>(_ body: () throws -> Result) throws -> Result {
    guard transactions.depth == 0 || isReadOnly else {
      try checkTransaction()
      return try body()
    }
    return try transaction(body)
  }
}

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

// The progress of work that writes many rows at once.
extension SQLiteStore {
  /// How many rows a batch request, or the undoing of a save, has written so far, and how many it will; nil where neither runs.
  ///
  /// It costs nothing, and may be asked while a statement runs.
  public var workInProgress: (rows: Int, expected: Int)? {
    guard let work, let capture = commits?.capture else { return nil }
    return (min(capture.writtenRows - work.start, work.expected), work.expected)
  }

  /// Runs `body`, which writes as many rows as `expected` returns. `expected` is called only if progress is shown.
  func measuringWork<Result>(_ expected: () throws -> Int, _ body: () throws -> Result) throws -> Result {
    guard work == nil, measuresWork(), let capture = commits?.capture else { return try body() }
    let rows = try expected()
    work = (capture.writtenRows, rows)
    defer { work = nil }
    return try body()
  }
}
