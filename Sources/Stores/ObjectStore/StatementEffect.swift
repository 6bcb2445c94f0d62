/// The effect of a handwritten statement on existing rows.
public struct StatementEffect: Hashable, Sendable {
  /// A kind of effect.
  public enum Kind: Hashable, Sendable {
    /// Rows are deleted.
    case deletion
    /// Rows get other values, or some are deleted and some changed.
    case change
    /// Rows go with their table.
    case drop
  }

  /// The kind of its effect.
  public let kind: Kind
  /// To how many rows.
  public let rows: Int
  /// The table of the rows, as the statement names it; nil if it is not known.
  public let table: String?

  /// Creates an effect.
  public init(_ kind: Kind, rows: Int, of table: String?) {
    (self.kind, self.rows, self.table) = (kind, rows, table)
  }
}
