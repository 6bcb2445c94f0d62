import Modeling
import SQLite

/// How SQLite compares what a column holds: as numbers, as text, or as it is, and by which collation.
///
/// Two columns of one nature find the same rows whether they are compared with one another or each with a value of the
/// other.
struct ColumnNature: Hashable {
  private enum Affinity {
    case number
    case text
    case none
  }

  private let affinity: Affinity
  private let collation: String

  /// Reads the nature of a column of the main database; nil where there is no such column.
  init?(_ column: String, of table: String, _ connection: Connection) {
    guard let (type, collation) = connection.declaration(ofColumn: column, table: table) else { return nil }
    affinity = Self.affinity(asciiLowercased(type))
    self.collation = asciiLowercased(collation)
  }

  /// Whether columns of two tables are of one nature, one by one.
  static func areSame(
    _ one: [String], of oneTable: String, _ other: [String], of otherTable: String, _ connection: Connection
  ) -> Bool {
    zip(one, other).allSatisfy { one, other in
      let nature = ColumnNature(one, of: oneTable, connection)
      return nature != nil && nature == ColumnNature(other, of: otherTable, connection)
    }
  }

  /// By the rules of SQLite for declared types.
  private static func affinity(_ type: String) -> Affinity {
    if type.contains("int") { return .number }
    if ["char", "clob", "text"].contains(where: type.contains) { return .text }
    return type.isEmpty || type.contains("blob") ? .none : .number
  }
}
