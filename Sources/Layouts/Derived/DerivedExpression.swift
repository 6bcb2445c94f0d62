import Modeling
import Queries

/// A derivation as SQL that every SQLite supports, with its dependencies on other rows.
struct DerivedExpression {
  /// The value for a row. Columns of the row are bare names, or qualified by the table's name if `isQualified`.
  var sql = ""
  /// Columns of the row itself.
  var ownColumns: Set<String> = []
  var chains: [DerivedChain] = []
  var collections: [DerivedCollection] = []
  /// Whether it is the time of the last change.
  var isNow = false

  /// Whether it needs a subquery although it depends only on the row.
  var hasSubquery = false

  /// Whether it depends only on the row, so that SQLite can generate it.
  var isGenerated: Bool { chains.isEmpty && collections.isEmpty && !isNow && !hasSubquery }
}

/// A path through to-one relationships to columns of the last table.
struct DerivedChain: Hashable {
  /// The foreign keys of the path: the column in the previous table, and the table to which it refers.
  struct Hop: Hashable {
    var column: String
    var table: String
  }

  var hops: [Hop]
  /// The columns of the last table on which the value depends.
  var columns: [String]
}

/// An aggregate over a to-many relationship.
struct DerivedCollection: Hashable {
  /// The table that relates members and owners, with the column that refers to the owner.
  var table: String
  var owner: String
  /// In a join table: the column that refers to the member, and the member's table.
  var member: (column: String, table: String)?
  /// The columns of a member on which the value depends.
  var columns: [String] = []
  /// Whether it is just `count(*)`, which triggers can increment and decrement.
  var isCount = false

  static func == (left: Self, right: Self) -> Bool {
    left.table == right.table && left.owner == right.owner && left.member?.column == right.member?.column
      && left.columns == right.columns && left.isCount == right.isCount
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(owner)
    hasher.combine(columns)
  }
}
