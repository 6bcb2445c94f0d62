/// A column with data of more than `limit` bytes in rows of the table, which whoever reads the row reads, too.
public struct LargeValues: Sendable {
  /// From here on SQLite reads data more slowly than a file system does.
  public static let limit = 100_000
  public let table: String
  public let column: String
  public let count: Int64
  public let bytes: Int64
}
