/// A table or an index of a file, and what it takes.
public struct StoredSize: Sendable {
  /// The name of the table or index.
  public let name: String
  /// The table, for an index.
  public let table: String
  /// The entities whose objects are rows of it.
  public let entities: [String]
  /// Nil for an index, and where it cannot be counted.
  public internal(set) var rows: Int64?
  /// What its pages take; nil where that is not known.
  public internal(set) var bytes: Int64?
  /// Whether `bytes` is reckoned from some rows, because SQLite cannot tell.
  public internal(set) var isEstimate = false
  /// Whether it is an index.
  public let isIndex: Bool
}
