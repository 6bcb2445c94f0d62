/// A column with data of more than `limit` bytes in the table's rows; reading a row reads the data, too.
public struct LargeValues: Sendable {
  /// Above this size SQLite reads data more slowly than a file system does.
  public static let limit = 100_000
  /// The table that has the column.
  public let table: String
  /// The column with the data.
  public let column: String
  /// The number of such values.
  public let count: Int64
  /// The total bytes of these values.
  public let bytes: Int64

  package init(table: String, column: String, count: Int64, bytes: Int64) {
    (self.table, self.column, self.count, self.bytes) = (table, column, count, bytes)
  }
}
