public import Modeling

/// Rows of plain values for display, each made on demand.
public struct Listing {
  /// A column's name, and whether it contains numbers.
  public typealias Column = (name: String, isNumber: Bool)

  /// The columns, in order.
  public let columns: [Column]
  /// The number of rows.
  public let count: Int
  /// The noun for one row.
  public let rowName: String?
  /// The values of a row, by its zero-based index.
  public let row: (Int) throws -> [Value]
}
