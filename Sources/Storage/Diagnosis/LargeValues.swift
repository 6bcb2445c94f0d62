/// A column with data of more than `limit` bytes in the rows of its table; reading a row reads them, too.
public struct LargeValues: Sendable {
  /// From here on SQLite reads data more slowly than a file system does.
  public static let limit = 100_000
  /// The table that has the column.
  public let table: String
  /// The column with the data.
  public let column: String
  /// How many values are that large.
  public let count: Int64
  /// The bytes of these values together.
  public let bytes: Int64
}
