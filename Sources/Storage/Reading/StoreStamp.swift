/// A moment in the life of a store as one of its users sees it: between two equal stamps nothing was written.
///
/// Unequal stamps may be the same data, when what was written was taken back.
public struct StoreStamp: Hashable, Sendable {
  /// Changes whenever another connection commits.
  let dataVersion: Int64
  /// How many rows were changed here.
  let changeCount: Int64
  /// How often something that was written here was taken back.
  let undoneCount: Int

  /// Names the moment; each number is another where one of its things happened.
  package init(dataVersion: Int64, changeCount: Int64, undoneCount: Int) {
    self.dataVersion = dataVersion
    self.changeCount = changeCount
    self.undoneCount = undoneCount
  }
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
