/// The size of a table or an index.
public struct StoredSize: Sendable {
  /// The name of the table or index.
  public let name: String
  /// The table, for an index.
  public let table: String
  /// The entities whose objects are rows of the table.
  public let entities: [String]
  /// The number of rows; nil for an index, and if it cannot be counted.
  public package(set) var rows: Int64?
  /// The bytes of its pages; nil if unknown.
  public package(set) var bytes: Int64?
  /// Whether `bytes` is extrapolated from some rows, because the database does not report it.
  public package(set) var isEstimate = false
  /// Whether it is an index.
  public let isIndex: Bool

  package init(
    name: String, table: String, entities: [String] = [], rows: Int64? = nil, bytes: Int64?, isIndex: Bool
  ) {
    (self.name, self.table, self.entities, self.isIndex) = (name, table, entities, isIndex)
    (self.rows, self.bytes) = (rows, bytes)
  }
}
