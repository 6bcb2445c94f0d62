import Modeling

/// SQL that makes a file's tables and rows again, as sqlite3's `.dump` writes it.
struct SQLiteDump {
  let store: SQLiteStore
  let line: (String) throws -> Void

  func write(_ pattern: String?) throws {
    try line("PRAGMA foreign_keys=OFF;")
    try line("BEGIN TRANSACTION;")
    let argument = [pattern.map(Value.string) ?? .null]
    for row in try store.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' AND (?1 IS NULL OR name LIKE ?1) ORDER BY rowid", argument)
    {
      try line(row[1] + ";")
      try writeRows(of: row[0])
    }
    for row in try store.rows(
      "SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL "
        + "AND (?1 IS NULL OR tbl_name LIKE ?1) ORDER BY type = 'trigger', rowid", argument)
    {
      try line(row[0] + ";")
    }
    try line("COMMIT;")
  }

  /// The pattern by which GLOB finds a text that a terminal would obey; newlines and tabs are shown as they are.
  private static let acting =
    "*[\u{1}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}-\u{202E}\u{2066}-\u{2069}]*"

  private func writeRows(of table: String) throws {
    // Generated columns are made again by themselves.
    let names = try store.rows(
      "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid", [.string(table)])
    let columns = names.map { quoteIdentifier($0[0]) }
    guard !columns.isEmpty else { return }
    // A text with a zero byte would end there; in what a terminal obeys it would be read otherwise than it is. The bytes are those
    // of the file's own encoding.
    let isUTF8 = try store.rows("SELECT encoding FROM pragma_encoding") == [["UTF-8"]]
    let values = columns.map { column in
      "CASE WHEN typeof(\(column)) = 'text' AND (instr(\(column), char(0))\(isUTF8 ? " OR \(column) GLOB ?1" : "")) "
        + "THEN 'CAST(' || quote(CAST(\(column) AS BLOB)) || ' AS TEXT)' ELSE quote(\(column)) END"
    }.joined(separator: " || ',' || ")
    let name = quoteIdentifier(table)
    let cursor = try store.sql("SELECT \(values) FROM \(name)", isUTF8 ? [.string(Self.acting)] : [])
    defer { cursor.close() }
    let head = "INSERT INTO \(name) (\(columns.joined(separator: ","))) VALUES("
    while try cursor.step() { try line(head + cursor.value(0).displayText + ");") }
  }
}
