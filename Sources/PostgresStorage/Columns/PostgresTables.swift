/// The facts about the store's tables that layouts do not have: the names in SQL, and the form of each column.
struct PostgresTables {
  struct Table {
    /// The name in SQL, with the schema if the search path does not find it.
    var sqlName: String
    /// The schema; nil for that of a store of our own.
    var schema: String?
    /// The name within the schema.
    var name = ""
    /// The forms of the columns, by name.
    var forms: [String: ColumnForm]
    /// Whether triggers or rules may change what is written.
    var hasTriggers = false
    /// Whether it has triggers of its makers, which may give a row another key.
    var hasUserTriggers = false
    /// Whether rows may be written by COPY, which ignores rules and row policies.
    var takesCopies = true
    /// Whether it is a view, whose rows are made when they are read.
    var isView = false
    /// The columns of unique constraints and indexes, by name.
    var uniques: [String: [String]] = [:]

    /// The columns of a unique constraint or index. Citus, which needs room for the number of a shard, puts eight digits in place of
    /// the end of a long name.
    func unique(_ name: String) -> [String]? {
      if let columns = uniques[name] { return columns }
      guard name.count > 40, name.dropLast(8).last == "_" else { return nil }
      let found = uniques.filter { $0.key.hasPrefix(name.dropLast(9)) }
      return found.count == 1 ? found.first?.value : nil
    }
  }

  private var tables: [String: Table]

  /// Knows tables by the names that layouts have for them.
  init(_ tables: [String: Table]) { self.tables = tables }

  subscript(name: String) -> Table { tables[name] ?? Table(sqlName: quoted(name), forms: [:]) }

  /// The name of a table without its schema.
  func name(of table: String) -> String {
    let name = self[table].name
    return name.isEmpty ? table : name
  }

  /// The form of a column; text where it is unknown.
  func form(_ table: String, _ column: String) -> ColumnForm {
    tables[table]?.forms[column] ?? ColumnForm(typeName: "text", name: "text")
  }
}
