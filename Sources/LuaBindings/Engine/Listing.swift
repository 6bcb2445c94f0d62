public import Modeling

/// Rows of plain values that a program may show; each is made when it is looked at.
public struct Listing {
  /// A column's name, and whether it holds numbers.
  public typealias Column = (name: String, isNumber: Bool)

  /// The columns, in order.
  public let columns: [Column]
  /// How many rows there are.
  public let count: Int
  /// What one row is called, and several.
  public let rowName: String?
  /// The values of a row, counted from 0.
  public let row: (Int) throws -> [Value]
}
