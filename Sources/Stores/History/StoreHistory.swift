package import Modeling
package import StoreErrors

/// What a store keeps of its past.
///
/// There are two: `HistoryReader` for the history that stores of our own keep, and that of Core Data's, which its format
/// reads.
package protocol StoreHistory {
  /// The transactions that a request asks for, the oldest first.
  func answer(_ request: HistoryRequest) throws -> [HistoryTransaction]
  /// The changes with the numbers in `range`; those of one entity if it is given.
  func answer(_ range: ClosedRange<Int64>, of entity: Entity?) throws -> [HistoryChange]
  /// The place behind everything that was recorded.
  func newestToken() throws -> HistoryToken
}
