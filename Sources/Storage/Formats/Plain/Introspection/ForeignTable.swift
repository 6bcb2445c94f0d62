import Modeling

/// A table or view of a file made elsewhere, as SQLite describes it.
struct ForeignTable {
  enum Kind: String {
    case table
    case view
    case virtual
  }

  var name: String
  var kind: Kind
  var isWithoutRowID: Bool
  var isStrict: Bool
  var columns: [ForeignColumn]
  var foreignKeys: [ForeignKey] = []
  var indexes: [ForeignIndex] = []
  /// The column that is the row id by another name.
  var rowIDAlias: String?

  /// The column called `name`, as SQLite compares names.
  func column(_ name: String) -> ForeignColumn? {
    let wanted = asciiLowercased(name)
    return columns.first { asciiLowercased($0.name) == wanted }
  }

  /// The columns of the declared primary key, in the key's order.
  var primaryKey: [String] {
    columns.filter { $0.primaryKeyPlace > 0 }.sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }.map(\.name)
  }

  /// Finds the row id's other name: a lone INTEGER PRIMARY KEY, for which SQLite makes no index.
  mutating func findRowIDAlias() {
    guard kind == .table, !isWithoutRowID, primaryKey.count == 1, let column = column(primaryKey[0]) else { return }
    guard asciiLowercased(column.declaredType) == "integer", !indexes.contains(where: \.isPrimaryKey) else { return }
    rowIDAlias = column.name
  }

  /// A name of the row id that no column hides; nil where there is none.
  var rowIDName: String? {
    guard kind == .table, !isWithoutRowID else { return nil }
    return rowIDAlias ?? ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

/// A column as declared.
struct ForeignColumn {
  var name: String
  var declaredType: String
  var isNotNull: Bool
  /// The DEFAULT clause as SQL.
  var defaultSQL: String?
  /// The place in the primary key, from 1; 0 for none.
  var primaryKeyPlace: Int
  var isGenerated: Bool
}

/// A foreign key as declared; `target` is empty where it leads to the other table's primary key.
struct ForeignKey {
  var table: String
  var columns: [String]
  var target: [String]
  var deleteAction: String
}

/// An index over columns; expressions and conditions make it unfit for uniqueness.
struct ForeignIndex {
  var name: String
  var isUnique: Bool
  var isPrimaryKey: Bool
  var isPartial: Bool
  /// nil where it holds an expression.
  var columns: [String]?
}
