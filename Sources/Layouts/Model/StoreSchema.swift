import Modeling

/// Everything that CREATE statements make for a model, as values that can be compared and printed.
package struct StoreSchema: Equatable {
  package private(set) var tables: [TableSchema] = []
  /// The index of each table, by its name.
  private var places: [String: Int] = [:]

  /// The table called `name`.
  package func table(_ name: String) -> TableSchema? { places[name].map { tables[$0] } }

  /// Adds a table, whose name no other has.
  mutating func add(_ table: TableSchema) {
    places[table.name] = tables.count
    tables.append(table)
  }

  /// Changes the table called `name`, but not its name.
  mutating func change(_ name: String, _ body: (inout TableSchema) -> Void) {
    if let place = places[name] { body(&tables[place]) }
  }

  /// All statements, in an order in which they can be run.
  package var statements: [String] {
    tables.map(\.createStatement) + tables.flatMap { $0.indexes.map(\.createStatement) }
      + tables.flatMap { $0.triggers.map(\.sql) }
  }
}

/// A table with its indexes and triggers.
package struct TableSchema: Equatable {
  package var name: String
  package var columns: [ColumnSchema]
  /// The columns of the primary key of a table of pairs; empty where `_pk` is the key.
  package var pairKey: [String] = []
  package var indexes: [IndexSchema] = []
  /// What computes the columns that triggers keep, for rows that were there before the triggers.
  package var computations: [ComputationSchema] = []
  package var triggers: [TriggerSchema] = []

  /// The statement that makes the table under its own name.
  package var createStatement: String { createStatement(as: name) }

  /// The statement that makes the table under another name, to be filled before it takes the old one's place.
  package func createStatement(as name: String) -> String {
    var lines = columns.map { "  \(quoteIdentifier($0.name)) \($0.declaration)" }
    if !pairKey.isEmpty { lines.append("  PRIMARY KEY (\(pairKey.map(quoteIdentifier).joined(separator: ", ")))") }
    let suffix = pairKey.isEmpty ? "" : " WITHOUT ROWID"
    return "CREATE TABLE \(quoteIdentifier(name)) (\n\(lines.joined(separator: ",\n"))\n)\(suffix)"
  }
}

/// A column and its declaration.
package struct ColumnSchema: Equatable {
  package var name: String
  /// Type and constraints, as SQL.
  package var declaration: String
  /// Whether only the store writes it, as a generated column or by triggers.
  package var isComputed = false
}

/// A named index.
package struct IndexSchema: Equatable {
  package var name: String
  package var table: String
  /// Columns, and paths of elements within composite ones: `place.city`.
  package var columns: [String]
  /// The indexed expression for such a path, as SQL.
  package var expressions: [String: String] = [:]
  package var isUnique = false
  /// The condition on the rows it holds, as SQL.
  package var condition: String?

  package var createStatement: String {
    let list = columns.map { expressions[$0] ?? quoteIdentifier($0) }.joined(separator: ", ")
    let condition = condition.map { " WHERE \($0)" } ?? ""
    return
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoteIdentifier(name)) ON \(quoteIdentifier(table)) (\(list))\(condition)"
  }
}

/// A trigger that keeps a derived column.
package struct TriggerSchema: Equatable {
  package var name: String
  package var sql: String
}

/// The computation of a column that triggers keep.
package struct ComputationSchema: Equatable {
  package var column: String
  /// An UPDATE of all rows; for a time of the last change, of those that have none.
  package var statement: String
  /// Whether it is the time of the last change, which cannot be computed again.
  package var isMoment = false
}
