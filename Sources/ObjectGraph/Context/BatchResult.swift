public import Modeling

/// What a batch request answers, with Core Data's words.
public enum BatchResultType: String, CaseIterable, Hashable, Sendable {
  case count
  case objectIDs
}

/// What a batch request did.
public struct BatchResult: Sendable {
  /// How many rows it wrote.
  public var count = 0
  /// The objects it wrote, in the order of the rows; empty unless they were asked for.
  public var objectIDs: [ObjectID] = []
}
