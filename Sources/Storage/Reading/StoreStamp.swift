/// A version of a store's data as one of its users sees it: between two equal stamps nothing was written.
///
/// The data of unequal stamps may be equal, if writes were rolled back.
public struct StoreStamp: Hashable, Sendable {
  /// A number that changes whenever another connection commits.
  let dataVersion: Int64
  /// The number of rows that this connection has changed.
  package let changeCount: Int64
  /// The number of rollbacks on this connection.
  package let undoneCount: Int

  /// Creates a stamp; each number changes with its own kind of event.
  package init(dataVersion: Int64, changeCount: Int64, undoneCount: Int) {
    self.dataVersion = dataVersion
    self.changeCount = changeCount
    self.undoneCount = undoneCount
  }
}

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
