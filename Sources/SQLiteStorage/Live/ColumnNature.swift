import Modeling
import SQLite

/// How SQLite compares the values of a column: as numbers, as text, or unconverted, and by which collation.
///
/// Two columns of the same nature find the same rows, whether SQLite compares the columns with each other or one column
/// with a value of the other.
struct ColumnNature: Hashable {
  private enum Affinity {
    case number
    case text
    case none
  }

  private let affinity: Affinity
  private let collation: String

  /// Reads the nature of a column of the main database; nil if the column does not exist.
  init?(_ column: String, of table: String, _ connection: Connection) {
    guard let (type, collation) = connection.declaration(ofColumn: column, table: table) else { return nil }
    affinity = Self.affinity(asciiLowercased(type))
    self.collation = asciiLowercased(collation)
  }

  /// Whether the columns of two tables have the same natures, pair by pair.
  static func areSame(
    _ one: [String], of oneTable: String, _ other: [String], of otherTable: String, _ connection: Connection
  ) -> Bool {
    zip(one, other).allSatisfy { one, other in
      let nature = ColumnNature(one, of: oneTable, connection)
      return nature != nil && nature == ColumnNature(other, of: otherTable, connection)
    }
  }

  /// The affinity of a declared type, by SQLite's rules.
  private static func affinity(_ type: String) -> Affinity {
    if type.contains("int") { return .number }
    if ["char", "clob", "text"].contains(where: type.contains) { return .text }
    return type.isEmpty || type.contains("blob") ? .none : .number
  }
}
