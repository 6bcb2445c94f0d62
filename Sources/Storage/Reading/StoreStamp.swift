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
  /// The stamp of the present moment. About a microsecond.
  public var stamp: StoreStamp {
    StoreStamp(dataVersion: dataVersion, changeCount: changeCount, undoneCount: transactions.undoneCount)
  }
}
