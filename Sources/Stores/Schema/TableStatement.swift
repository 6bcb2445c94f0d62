public import Layouts
public import Modeling

/// A statement that changes rows of a table, apart from the words of a database.
public enum TableStatement: Sendable {
  /// Inserts a row with these contents.
  case insert(table: String, [Setting])
  /// Sets columns of the rows with the other contents.
  case update(table: String, [Setting], where: [Setting])
  /// Deletes the rows with these contents.
  case delete(table: String, where: [Setting])

  /// A column and what is in it.
  public struct Setting: Sendable {
    /// The column.
    public var column: ColumnLayout
    /// What it holds.
    public var content: Content

    /// Creates a setting.
    public init(_ column: ColumnLayout, _ content: Content) { (self.column, self.content) = (column, content) }
  }

  /// What a column holds.
  public enum Content: Sendable {
    /// A value of the column's attribute.
    case value(Value)
    /// What a column of the row with these contents holds.
    indirect case lookUp(column: String, table: String, where: [Setting])
  }
}
