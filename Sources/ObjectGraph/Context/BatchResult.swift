public import Modeling

/// The kind of result a batch request returns, in Core Data's terms.
public enum BatchResultType: String, CaseIterable, Hashable, Sendable {
  case count
  case objectIDs
}

/// The result of a batch request.
public struct BatchResult: Sendable {
  /// The number of rows written.
  public var count = 0
  /// The IDs of the written objects in row order; empty unless requested.
  public var objectIDs: [ObjectID] = []
}
