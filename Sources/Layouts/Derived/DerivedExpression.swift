import Modeling
import Queries

/// A derivation as SQL that every SQLite knows, and what it depends on outside the row.
struct DerivedExpression {
  /// The value for a row; columns of the row itself are bare names, or stand after the table's where `isQualified`.
  var sql = ""
  /// Columns of the row itself.
  var ownColumns: Set<String> = []
  var chains: [DerivedChain] = []
  var collections: [DerivedCollection] = []
  /// Whether it is the time of the last change.
  var isNow = false

  /// Whether it needs a subquery although it looks at the row alone.
  var hasSubquery = false

  /// Whether it looks at nothing but the row, so that SQLite can generate it.
  var isGenerated: Bool { chains.isEmpty && collections.isEmpty && !isNow && !hasSubquery }
}

/// A path through to-one relationships to columns of the last table.
struct DerivedChain: Hashable {
  /// The foreign keys walked: the column in the table reached before, and the table it leads to.
  struct Hop: Hashable {
    var column: String
    var table: String
  }

  var hops: [Hop]
  /// The columns of the last table that the value is made from.
  var columns: [String]
}

/// An aggregate over a to-many relationship.
struct DerivedCollection: Hashable {
  /// The table that says who belongs to whom, with the column that names the owner.
  var table: String
  var owner: String
  /// In a table of pairs: the column that names the member, and the member's table.
  var member: (column: String, table: String)?
  /// The columns of a member that the value is made from.
  var columns: [String] = []
  /// `count(*)` and nothing around it, which can be counted up and down.
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
