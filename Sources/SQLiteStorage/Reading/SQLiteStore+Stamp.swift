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
}
