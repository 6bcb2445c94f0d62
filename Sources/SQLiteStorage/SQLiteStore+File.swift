import SQLite
public import Stores

// The store as a file: its place, remote commits to it, its log, and copies.
extension SQLiteStore {
  /// False: SQLite reverts a statement that fails and goes on in the transaction.
  public var isFailureFatalToTransaction: Bool { false }

  /// Whether another store is open on the same file, under any of its names.
  public func isSame(as other: any OpenedStore) -> Bool {
    other === self || other is SQLiteStore && StoreFile(path: path).isSame(as: StoreFile(path: other.path))
  }

  /// Whether the store's file was moved, deleted or replaced since it was opened. What it holds can still be read, and
  /// copied by `backup(to:)`; writing is refused.
  public var isMoved: Bool { connection.isMoved }

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

  /// Has what the saves have left in the write-ahead log copied into the file, if that is much; returns whether that has
  /// begun. Does not wait for it.
  @discardableResult
  public func checkpointIfNeeded() -> Bool { log?.copyIfLong() ?? false }

  /// Copies the store to a new file, while others may read and write it.
  ///
  /// - Throws: StoreError; `.cannotCreate` where there is a file already.
  public func backup(to path: String) throws { try connection.backup(to: path) }
}

// Counts of what was written, as versions of the data.
extension SQLiteStore {
  /// The number of rows that triggers changed, beyond the rows of statements and of the history. If it changes within a
  /// transaction, triggers changed rows.
  public var triggeredChangeCount: Int64 {
    connection.totalChanges - connection.directChanges - recorder.rowsRecorded(connection)
  }

  /// A number that grows whenever this connection writes a row, commits or rolls back.
  ///
  /// Reading it costs no more than reading memory.
  public var writeCount: Int64 {
    connection.totalChanges &+ Int64(transactions.undoneCount &+ transactions.commitCount)
  }

  /// The current stamp. Takes about a microsecond.
  public var stamp: StoreStamp {
    StoreStamp(dataVersion: dataVersion, changeCount: changeCount, undoneCount: transactions.undoneCount)
  }

  /// The number of rows changed since the store was opened, without those of its history. If the number differs,
  /// something was written.
  public var changeCount: Int64 {
    let recorded = recorder.rowsWritten + recorder.rowsRecorded(connection)
    return connection.totalChanges - recorded - (commits?.rowsWritten ?? 0)
  }
}
