import Foundation
import Modeling
import SQLite

/// The tables of a Core Data store, and its bookkeeping about them.
///
/// Everything is read from `PRAGMA table_info`, `Z_PRIMARYKEY` and `Z_METADATA`. Column names are compared without
/// case, as in SQLite.
struct CoreDataSchema {
  /// An entity's entry in `Z_PRIMARYKEY`. After a migration its name may be a former name of the entity.
  struct Registration: Hashable {
    var number: Int64
    var name: String
    /// The number of the parent entity; 0 for none.
    var parent: Int64
  }

  /// A table, with its columns by their names in capitals.
  struct Table {
    var name: String
    var columns: [Column]

    struct Column: Hashable {
      var name: String
      var declaredType: String
    }

    /// The column with a name.
    func column(_ name: String) -> Column? {
      let wanted = name.uppercased()
      return columns.first { $0.name.uppercased() == wanted }
    }
  }

  /// The entities, by number.
  let registrations: [Registration]
  /// The tables whose names begin with Z, by their names in capitals.
  let tables: [String: Table]
  /// The columns with an index of their own, as `TABLE.COLUMN` in capitals.
  let indexed: Set<String>
  let metadata: CoreDataMetadata
  /// The file's triggers, by name.
  let triggers: [String: String]
  /// The names of all tables, in capitals.
  let tableNames: Set<String>

  /// The first entity number that belongs to the history.
  static let firstHistoryNumber: Int64 = 16000

  init(_ connection: Connection) throws(StoreError) {
    metadata = try CoreDataMetadata(connection)
    var registrations: [Registration] = []
    let known = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    for row in try connection.all(known) {
      guard case .int(let number) = row[0], case .string(let name) = row[1], !name.isEmpty,
        (1..<Self.firstHistoryNumber).contains(number)
      else { continue }
      let parent: Int64 = if case .int(let parent) = row[2] { parent } else { 0 }
      registrations.append(Registration(number: number, name: name, parent: parent))
    }
    self.registrations = registrations
    var tables: [String: Table] = [:]
    let columns = """
      SELECT t.name, c.name, c.type FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name LIKE 'Z%' ORDER BY t.rowid, c.cid
      """
    for row in try connection.all(columns) {
      guard case .string(let table) = row[0], case .string(let column) = row[1] else { continue }
      let type: String = if case .string(let type) = row[2] { type } else { "" }
      tables[table.uppercased(), default: Table(name: table, columns: [])].columns.append(
        Table.Column(name: column, declaredType: type.uppercased()))
    }
    self.tables = tables
    indexed = try Self.indexedColumns(connection)
    var (triggers, names): ([String: String], Set<String>) = ([:], [])
    for row in try connection.all("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'trigger')") {
      guard case .string(let name) = row[1], case .string(let sql) = row[2] else { continue }
      if row[0] == .string("table") { names.insert(name.uppercased()) } else { triggers[name] = sql }
    }
    (self.triggers, tableNames) = (triggers, names)
  }

  /// Whether a trigger writes the column.
  func triggersSet(_ column: String) -> Bool {
    triggers.values.contains { $0.uppercased().contains("SET \(column.uppercased()) =") }
  }

  private static func indexedColumns(_ connection: Connection) throws(StoreError) -> Set<String> {
    let indexes = """
      SELECT i.tbl_name, min(c.name) FROM sqlite_schema AS i JOIN pragma_index_info(i.name) AS c
      WHERE i.type = 'index' GROUP BY i.name HAVING count(*) = 1
      """
    var indexed: Set<String> = []
    for row in try connection.all(indexes) {
      guard case .string(let table) = row[0], case .string(let column) = row[1] else { continue }
      indexed.insert("\(table.uppercased()).\(column.uppercased())")
    }
    return indexed
  }

  /// The table with a name.
  func table(_ name: String) -> Table? { tables[name.uppercased()] }

  /// The registration of an entity, by one of its names.
  func registration(_ names: [String]) -> Registration? {
    for name in names {
      if let found = registrations.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  func registration(number: Int64) -> Registration? { registrations.first { $0.number == number } }
}
