import Modeling
import SQLite

/// Reads the tables and views of a file from SQLite's own descriptions, without reading rows.
struct ForeignSchemaReader {
  private let connection: Connection
  private(set) var tables: [ForeignTable] = []
  private(set) var notes: [String] = []

  /// Reads everything except SQLite's own tables, in the order of creation.
  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    var places: [String: Int] = [:]
    for row in try connection.all("SELECT name FROM sqlite_schema ORDER BY rowid") {
      if case .string(let name) = row[0] { places[name] = places.count }
    }
    let list =
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    func place(_ row: [Value]) -> Int {
      if case .string(let name) = row[0] { places[name, default: 0] } else { 0 }
    }
    let rows = try connection.all(list).sorted { place($0) < place($1) }
    for row in rows {
      guard case .string(let name) = row[0], case .string(let type) = row[1] else { continue }
      // The shadow tables of virtual tables belong to these.
      guard let kind = ForeignTable.Kind(rawValue: type) else { continue }
      do throws(StoreError) {
        tables.append(try table(name, kind, isWithoutRowID: row[2] == .int(1), isStrict: row[3] == .int(1)))
      } catch {
        guard kind != .table, case .sql(let message, _, _) = error.fact else { throw error }
        notes.append("The \(kind == .view ? "view" : "virtual table") \(name) is left out: \(message).")
      }
    }
  }

  private func table(
    _ name: String, _ kind: ForeignTable.Kind, isWithoutRowID: Bool, isStrict: Bool
  ) throws(StoreError) -> ForeignTable {
    // SQLite describes a view that it cannot read as one without columns; only compiling a query gives the reason.
    if kind != .table { _ = try connection.prepare("SELECT * FROM \(quoteIdentifier(name))") }
    var table = ForeignTable(
      name: name, kind: kind, isWithoutRowID: isWithoutRowID, isStrict: isStrict, columns: try columns(name))
    guard kind == .table else { return table }
    table.foreignKeys = try foreignKeys(name)
    table.indexes = try indexes(name)
    table.findRowIDAlias()
    return table
  }

  private func columns(_ table: String) throws(StoreError) -> [ForeignColumn] {
    let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1"
    return try connection.with(sql, [.string(table)]) { row throws(StoreError) in
      var columns: [ForeignColumn] = []
      while try row.step() {
        columns.append(
          ForeignColumn(
            name: row.text(0), declaredType: row.text(1), isNotNull: row.integer(2) != 0,
            defaultSQL: row.storageClass(3) == .null ? nil : row.text(3), primaryKeyPlace: Int(row.integer(4)),
            isGenerated: row.integer(5) > 1))
      }
      return columns
    }
  }

  private func foreignKeys(_ table: String) throws(StoreError) -> [ForeignKey] {
    let sql = """
      SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq
      """
    return try connection.with(sql, [.string(table)]) { row throws(StoreError) in
      var keys: [ForeignKey] = []
      var last: Int64?
      while try row.step() {
        if row.integer(0) != last {
          keys.append(ForeignKey(from: [], to: row.text(1), [], deleteAction: row.text(4)))
        }
        last = row.integer(0)
        keys[keys.count - 1].columns.append(row.text(2))
        if row.storageClass(3) != .null { keys[keys.count - 1].target.append(row.text(3)) }
      }
      return keys
    }
  }

  private func indexes(_ table: String) throws(StoreError) -> [ForeignIndex] {
    let sql = "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) ORDER BY seq DESC"
    var indexes = try connection.with(sql, [.string(table)]) { row throws(StoreError) in
      var indexes: [ForeignIndex] = []
      while try row.step() {
        indexes.append(
          ForeignIndex(
            name: row.text(0), columns: [], isUnique: row.integer(1) != 0, isPrimaryKey: row.text(2) == "pk",
            isPartial: row.integer(3) != 0))
      }
      return indexes
    }
    for position in indexes.indices {
      let names = try connection.all(
        "SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.string(indexes[position].name)])
      indexes[position].columns = names.reduce([]) { known, row in
        guard let known, case .string(let name) = row[0] else { return nil }
        return known + [name]
      }
    }
    return indexes
  }
}
