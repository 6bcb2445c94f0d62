/// A row that stands against undoing a save.
public struct ReversalConflict: Hashable, Sendable {
  /// The entity of the row; its table where no entity is kept there.
  public var entity: String
  /// The row's key, as people write it.
  public var key: String
  /// What is in the way.
  public var reason: Reason

  package init(entity: String, key: String, reason: Reason) {
    (self.entity, self.key, self.reason) = (entity, key, reason)
  }

  /// A kind of conflict.
  public enum Reason: Hashable, Sendable {
    /// The properties have other values than the save wrote; none are named for rows that the save inserted.
    case changed([String])
    /// The row is gone.
    case deleted
    /// There is a row with the key again.
    case insertedAgain
    /// The row would go, and this one, which the save did not write, leads to it.
    case referredTo(by: String)
    /// The row would lead to one that is gone.
    case leadsNowhere(to: String)
  }
}
