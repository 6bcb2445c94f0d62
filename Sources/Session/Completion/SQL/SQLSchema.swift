internal import Modeling
internal import SQLiteStorage
internal import Stores

/// The tables and views of a file, as completion needs them.
struct SQLSchema {
  struct Column: Equatable {
    var name: String
    var type: String
  }

  struct ForeignKey: Equatable {
    var column: String
    var table: String
    var target: String
  }

  struct Table {
    var name: String
    var isView = false
    var columns: [Column] = []
    var foreignKeys: [ForeignKey] = []
  }

  private(set) var tables: [Table] = []
  /// The names of the functions that SQLite has.
  private(set) var functions: [String] = []

  /// Reads them from the file; what cannot be read is left out.
  init(_ store: SQLiteStore) {
    var places: [String: Int] = [:]
    each(
      store,
      """
      SELECT m.name, m.type = 'view', c.name, c.type FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
      WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND m.name NOT LIKE '\\_perilune%' ESCAPE '\\' ORDER BY m.name, c.cid
      """
    ) { row in
      if places[row[0]] == nil {
        places[row[0]] = tables.count
        tables.append(Table(name: row[0], isView: row[1] == "1"))
      }
      tables[tables.count - 1].columns.append(Column(name: row[2], type: row[3]))
    }
    each(
      store,
      """
      SELECT m.name, k."from", k."table", coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = 1))
      FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'
      """
    ) { row in
      guard let place = places[row[0]] else { return }
      tables[place].foreignKeys.append(ForeignKey(column: row[1], table: row[2], target: row[3]))
    }
    addRelationships(of: store)
    each(store, "SELECT DISTINCT name FROM pragma_function_list WHERE name GLOB '[a-z]*' ORDER BY name") { row in
      functions.append(row[0])
    }
  }

  /// Adds what the columns of relationships lead to where the file does not declare it, as in the stores of apps.
  private mutating func addRelationships(of store: SQLiteStore) {
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for (index, property) in layout.properties.enumerated() {
        switch property {
        case .reference(let columns, let target):
          let columns = columns.map { layout.columns[$0].name }
          add(columns, of: layout.table, target, of: store.layout(of: entity.destination(at: index)))
        case .join(let join):
          add(join.ownerColumns, of: join.table, join.ownerTarget, of: layout)
          add(
            join.memberColumns, of: join.table, join.memberTarget, of: store.layout(of: entity.destination(at: index)))
        case .column, .inverse, .none: break
        }
      }
    }
  }

  private mutating func add(_ columns: [String], of table: String, _ target: ReferenceTarget, of other: EntityLayout) {
    let targets: [String]
    switch (target, other.key) {
    case (.columns(let names), _), (.key, .columns(let names)): targets = names
    case (.key, .rowID(let name)): targets = [name]
    }
    guard columns.count == 1, targets.count == 1,
      let place = tables.firstIndex(where: { $0.name.lowercased() == table.lowercased() }),
      !tables[place].foreignKeys.contains(where: { $0.column.lowercased() == columns[0].lowercased() })
    else { return }
    tables[place].foreignKeys.append(ForeignKey(column: columns[0], table: other.table, target: targets[0]))
  }

  /// The table or view of that name; case does not count.
  func table(_ name: String) -> Table? {
    let small = name.lowercased()
    return tables.first { $0.name.lowercased() == small }
  }

  private func each(_ store: SQLiteStore, _ sql: String, _ body: ([String]) -> Void) {
    guard let cursor = try? store.sql(sql) else { return }
    defer { cursor.close() }
    while (try? cursor.step()) == true {
      body(cursor.columns.indices.map { cursor.value($0) == .null ? "" : cursor.value($0).displayText })
    }
  }
}
