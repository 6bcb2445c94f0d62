import Modeling

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// All rows of a store, byte for byte, by table.
func snapshot(_ store: SQLiteStore) throws -> [String: [String]] {
  let connection = store.connection
  var tables: [String: [String]] = [:]
  let names = try connection.all(
    """
    SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_perilune%' ESCAPE '\\'
    """)
  for case let row in names {
    guard case .string(let table) = row[0] else { continue }
    let columns = try connection.all(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", [.string(table)])
    var parts = columns.compactMap { column -> String? in
      guard case .string(let name) = column[0] else { return nil }
      return "typeof(\(quotedName(name))) || ' ' || hex(\(quotedName(name))) || ' ' || quote(\(quotedName(name)))"
    }
    if row[1] == .int(0) { parts.append("rowid") }
    let rows = try connection.all("SELECT \(parts.joined(separator: " || ', ' || ")) FROM \(quotedName(table))")
    tables[table] = rows.map { "\($0[0])" }.sorted()
  }
  return tables
}
