public import Modeling

/// A save that can be undone or redone: when and by whom it was made, and the objects that reversing it writes.
public struct ReversibleSave: Sendable {
  /// The time of the save.
  public var time: Timestamp
  /// The author that the save had.
  public var author: String?
  /// Whether this process made it.
  public var isOwn: Bool
  /// The objects that come back.
  public var inserted: [ObjectID] = []
  /// The objects that get the values back that they had.
  public var updated: [ObjectID] = []
  /// The objects that are deleted.
  public var deleted: [ObjectID] = []

  /// All objects whose rows are written.
  public var objects: [ObjectID] { inserted + updated + deleted }

  /// Describes a save of which no objects are known yet.
  package init(time: Timestamp, author: String?, isOwn: Bool) {
    (self.time, self.author, self.isOwn) = (time, author, isOwn)
  }
}
