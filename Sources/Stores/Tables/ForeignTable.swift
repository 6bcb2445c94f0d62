import Modeling

/// A table or view of a file made elsewhere, as SQLite describes it.
package struct ForeignTable {
  package enum Kind: String {
    case table
    case view
    case virtual
  }

  package var name: String
  package var kind: Kind
  package var isWithoutRowID: Bool
  package var isStrict: Bool
  package var columns: [ForeignColumn]
  package var foreignKeys: [ForeignKey] = []
  package var indexes: [ForeignIndex] = []
  /// The column that is the row id by another name.
  package var rowIDAlias: String?

  package init(name: String, kind: Kind, isWithoutRowID: Bool, isStrict: Bool, columns: [ForeignColumn]) {
    (self.name, self.kind, self.columns) = (name, kind, columns)
    (self.isWithoutRowID, self.isStrict) = (isWithoutRowID, isStrict)
  }

  /// The column with a name, compared as SQLite compares names.
  package func column(_ name: String) -> ForeignColumn? {
    let wanted = asciiLowercased(name)
    return columns.first { asciiLowercased($0.name) == wanted }
  }

  /// The columns of the declared primary key, in the key's order.
  package var primaryKey: [String] {
    columns.filter { $0.primaryKeyPlace > 0 }.sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }.map(\.name)
  }

  /// Finds the alias of the row id: a single INTEGER PRIMARY KEY column, for which SQLite creates no index.
  package mutating func findRowIDAlias() {
    guard kind == .table, !isWithoutRowID, primaryKey.count == 1, let column = column(primaryKey[0]) else { return }
    guard asciiLowercased(column.declaredType) == "integer", !indexes.contains(where: \.isPrimaryKey) else { return }
    rowIDAlias = column.name
  }

  /// A name of the row id that no column hides; nil where there is none.
  package var rowIDName: String? {
    guard kind == .table, !isWithoutRowID else { return nil }
    return rowIDAlias ?? ["rowid", "_rowid_", "oid"].first { column($0) == nil }
  }
}

/// A column as declared.
package struct ForeignColumn {
  package var name: String
  package var declaredType: String
  package var isNotNull: Bool
  /// The DEFAULT clause as SQL.
  package var defaultSQL: String?
  /// The place in the primary key, from 1; 0 for none.
  package var primaryKeyPlace: Int
  package var isGenerated: Bool

  /// Describes a column; without a declared type it is known otherwise.
  package init(
    name: String, declaredType: String = "", isNotNull: Bool, defaultSQL: String? = nil, primaryKeyPlace: Int,
    isGenerated: Bool
  ) {
    (self.name, self.declaredType, self.isNotNull) = (name, declaredType, isNotNull)
    (self.defaultSQL, self.primaryKeyPlace, self.isGenerated) = (defaultSQL, primaryKeyPlace, isGenerated)
  }
}

/// A foreign key as declared; `target` is empty where it leads to the other table's primary key.
package struct ForeignKey {
  package var table: String
  package var columns: [String]
  package var target: [String]
  package var deleteAction: String

  /// Describes a foreign key; `target` is empty where it leads to the other table's primary key.
  package init(from columns: [String], to table: String, _ target: [String], deleteAction: String) {
    (self.table, self.columns, self.target, self.deleteAction) = (table, columns, target, deleteAction)
  }
}

/// An index over columns; expressions and conditions make it unfit for uniqueness.
package struct ForeignIndex {
  package var name: String
  package var isUnique: Bool
  package var isPrimaryKey: Bool
  package var isPartial: Bool
  /// nil where it holds an expression.
  package var columns: [String]?

  package init(name: String, columns: [String]?, isUnique: Bool, isPrimaryKey: Bool, isPartial: Bool = false) {
    (self.name, self.columns) = (name, columns)
    (self.isUnique, self.isPrimaryKey, self.isPartial) = (isUnique, isPrimaryKey, isPartial)
  }
}

extension ForeignTable {
  /// Describes a table or view of a database that is read otherwise; `key` is the lone integer column of its primary key.
  package init(name: String, kind: Kind, columns: [ForeignColumn], key: String?) {
    self.init(name: name, kind: kind, isWithoutRowID: key == nil, isStrict: true, columns: columns)
    rowIDAlias = key
  }
}
