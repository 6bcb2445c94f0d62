public import Modeling

/// The commits of other connections, of this or another process.
public struct RemoteChange {
  /// The root entities whose objects changed, as far as known, by name.
  public var entities: [Entity]
  /// The changed objects of those entities, by ID.
  public var objectIDs: [ObjectID]
  /// Whether every changed object is listed; false if there were too many, or some are unknown.
  public var isComplete: Bool
  /// The author of the last change, if the transaction named one.
  public var author: String?
}
