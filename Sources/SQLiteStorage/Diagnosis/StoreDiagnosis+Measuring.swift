import Modeling
import SQLite
import Stores

extension StoreDiagnosis {
  /// The number of rows from which the size of a table is estimated if SQLite does not report it.
  private static let sampleSize = 200

  mutating func measure(_ connection: Connection, _ entities: [String: [String]]) throws {
    if case .string(let text)? = try connection.first("PRAGMA encoding") { encoding = text }
    if case .int(let count)? = try connection.first("PRAGMA freelist_count") { freePages = count }
    var bytes: [String: Int64]?
    // Some builds of SQLite lack this table, and a damaged file has no answer.
    if let rows = try? connection.all("SELECT name, sum(pgsize) FROM dbstat GROUP BY name") {
      bytes = [:]
      for row in rows { if case .string(let name) = row[0], case .int(let size) = row[1] { bytes?[name] = size } }
    }
    let schema = "SELECT name, tbl_name, type FROM sqlite_schema WHERE type IN ('table', 'index') ORDER BY name"
    for row in try connection.all(schema) {
      guard case .string(let name) = row[0], case .string(let table) = row[1] else { continue }
      var size = StoredSize(
        name: name, table: table, entities: entities[name] ?? [], bytes: bytes?[name],
        isIndex: row[2] == .string("index"))
      if !size.isIndex, case .int(let count)? = try? connection.first("SELECT count(*) FROM \(quotedName(name))") {
        size.rows = count
        if bytes == nil {
          (size.bytes, size.isEstimate) = (try? Self.estimate(connection, name, rows: count), true)
        }
      }
      sizes.append(size)
    }
    sortSizes()
  }

  /// The size of a table's rows, extrapolated from the first ones.
  static func estimate(_ connection: Connection, _ table: String, rows: Int64) throws -> Int64 {
    let columns = try connection.all("SELECT name FROM pragma_table_info(?)", [.string(table)]).map { row in
      guard case .string(let name) = row[0] else { return "0" }
      return "ifnull(length(CAST(\(quotedName(name)) AS BLOB)), 0) + 1"
    }
    let sample = "SELECT \(columns.joined(separator: " + ")) + 4 AS n FROM \(quotedName(table)) LIMIT \(sampleSize)"
    guard !columns.isEmpty, case .double(let mean)? = try connection.first("SELECT avg(n) FROM (\(sample))") else {
      return 0
    }
    return Int64(saturating: mean * Double(rows))
  }

  mutating func findLargeValues(_ store: SQLiteStore) throws {
    var seen: Set<[String]> = []
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for column in layout.columns where [.data, .transformable, .any].contains(column.type) {
        guard seen.insert([layout.table, column.name]).inserted else { continue }
        let name = quotedName(column.name)
        // SQLite knows the length of data without reading it.
        let sql = """
          SELECT count(*), sum(length(\(name))) FROM \(quotedName(layout.table))
          WHERE typeof(\(name)) = 'blob' AND length(\(name)) > \(LargeValues.limit)
          """
        guard let row = try store.connection.all(sql).first, case .int(let count) = row[0],
          case .int(let bytes) = row[1]
        else { continue }
        largeValues.append(LargeValues(table: layout.table, column: column.name, count: count, bytes: bytes))
      }
    }
    largeValues.sort { $0.bytes > $1.bytes }
  }

  /// The columns of to-one relationships without an index: reading the inverse scans the table.
  static func unindexed(_ store: SQLiteStore) throws -> [String] {
    let isIndexed = """
      SELECT 1 FROM pragma_index_list(?1) AS i JOIN pragma_index_info(i.name) AS c ON c.seqno = 0
      WHERE c.name = ?2 COLLATE NOCASE
      UNION ALL SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE AND pk = 1
      """
    var found: Set<String> = []
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for case .reference(let columns, _) in layout.properties {
        guard let first = columns.first else { continue }
        let column = layout.columns[first].name
        let known = try store.connection.first(isIndexed, [.string(layout.table), .string(column)])
        if known == nil { found.insert("\(layout.table).\(column)") }
      }
    }
    return found.sorted()
  }

  /// Triggers that neither record the history nor maintain derived attributes: a write has side effects.
  static func foreignTriggers(_ store: SQLiteStore) throws -> [String] {
    try store.connection.all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
      .compactMap { row in
        guard case .string(let name) = row[0], case .string(let sql) = row[1] else { return nil }
        if name.hasPrefix(HistoryTriggers.prefix) { return nil }
        return try store.format.isUsualTrigger(name, sql, in: store) ? nil : name
      }
  }
}
