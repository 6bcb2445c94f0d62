/// A version of a store's data as one of its users sees it: between two equal stamps nothing was written.
///
/// The data of unequal stamps may be equal, if writes were rolled back.
public struct StoreStamp: Hashable, Sendable {
  /// A number that changes whenever another connection commits.
  package let dataVersion: Int64
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
