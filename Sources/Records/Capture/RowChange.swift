public import Modeling

/// A transaction's change of one row.
public struct RowChange: Hashable, Sendable {
  /// The row id, or the values of the key's columns.
  public var key: [Value]
  /// The kind of change.
  public var kind: Kind

  /// A column's values, as stored.
  public struct ColumnChange: Hashable, Sendable {
    /// The column, as an index of `TableChanges.columns`.
    public var column: Int
    /// The value before.
    public var old: Value
    /// The value after.
    public var new: Value
  }

  /// A kind of change.
  public enum Kind: Hashable, Sendable {
    /// The row was inserted.
    case inserted
    /// The row was updated in these columns.
    case updated([ColumnChange])
    /// The row was deleted; its values are in the order of `TableChanges.columns`.
    case deleted([Value])
  }
}
