public import Modeling

/// What other connections, of this or another process, committed.
public struct RemoteChange {
  /// The root entities whose objects were changed, as far as that is known, by name.
  public var entities: [Entity]
  /// The objects of those entities that were changed, by ID.
  public var objectIDs: [ObjectID]
  /// Whether every changed object is listed; false if there were too many, or they are unknown.
  public var isComplete: Bool
  /// Who made the last of the changes, as far as that was said.
  public var author: String?
}
