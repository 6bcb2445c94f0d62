/// A row that prevents undoing a save.
public struct ReversalConflict: Hashable, Sendable {
  /// The entity of the row; its table if that has no entity.
  public var entity: String
  /// The row's key as text.
  public var key: String
  /// The kind of conflict.
  public var reason: Reason

  package init(entity: String, key: String, reason: Reason) {
    (self.entity, self.key, self.reason) = (entity, key, reason)
  }

  /// A kind of conflict.
  public enum Reason: Hashable, Sendable {
    /// The properties no longer have the values that the save wrote; empty for rows that the save inserted.
    case changed([String])
    /// The row was deleted.
    case deleted
    /// Another row has the key now.
    case insertedAgain
    /// This row, which the save did not write, refers to a row that would be deleted.
    case referredTo(by: String)
    /// The row would refer to a missing row.
    case leadsNowhere(to: String)
  }
}
