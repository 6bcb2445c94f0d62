/// The effect of a handwritten statement on existing rows.
public struct StatementEffect: Hashable, Sendable {
  /// A kind of effect.
  public enum Kind: Hashable, Sendable {
    /// Rows were deleted.
    case deletion
    /// Rows were given other values, or some were deleted and some changed.
    case change
  }

  /// The text of the statement.
  public let statement: String
  /// The kind of its effect.
  public let kind: Kind
  /// To how many rows.
  public let rows: Int

  /// Creates what a statement has done.
  public init(statement: String, kind: Kind, rows: Int) {
    (self.statement, self.kind, self.rows) = (statement, kind, rows)
  }
}
