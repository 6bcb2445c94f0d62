/// A row that stands against undoing a save.
public struct RowConflict: Hashable, Sendable {
  /// The entity of the row; its table where no entity is kept there.
  public var entity: String
  /// The row's key, as people write it.
  public var key: String
  /// What is in the way.
  public var reason: Reason

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

/// Why a save cannot be undone at all.
public enum UndoObstacle: Hashable, Sendable {
  /// It wrote more rows, or larger ones, than are recorded.
  case tooLarge
  /// The table was changed since; nil where the save itself changed tables.
  case schemaChanged(table: String?)
  /// It wrote to a table whose rows cannot be told apart, or that belongs to a virtual one.
  case virtualTable(String)
  /// Its changes could not be read.
  case unreadable
}
