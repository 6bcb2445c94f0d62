/// A moment in the life of a store as one connection sees it: between two equal stamps nobody wrote anything.
///
/// Unequal stamps may be the same data, when what was written was taken back.
public struct StoreStamp: Hashable, Sendable {
  /// Changes whenever another connection commits.
  let dataVersion: Int64
  /// How many rows this connection has changed.
  let changeCount: Int64
  /// How often something that this connection wrote was taken back.
  let undoneCount: Int
}

extension SQLiteStore {
  /// How many rows triggers have changed, besides those that were written and those of the history: another number, in
  /// the same transaction, means that some were.
  public var triggeredChangeCount: Int64 {
    connection.totalChanges - connection.directChanges - recorder.rowsRecorded(connection)
  }

  /// A number that grows whenever this connection writes a row, commits, or takes something back.
  ///
  /// Asking for it costs no more than reading memory.
  public var writeCount: Int64 {
    connection.totalChanges &+ Int64(transactions.undoneCount &+ transactions.commitCount)
  }

  /// The stamp of the present moment. About a microsecond.
  public var stamp: StoreStamp {
    StoreStamp(dataVersion: dataVersion, changeCount: changeCount, undoneCount: transactions.undoneCount)
  }
}
