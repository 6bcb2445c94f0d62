internal import LuaBindings
internal import Modeling
internal import Storage
internal import Terminal

extension EngineSession {
  /// `.dump [TABLE]`
  var dumpCommand: Command {
    Command(
      name: "dump", arguments: "[TABLE]", summary: "SQL that makes the tables and their rows again",
      isPaged: true, inSandbox: .allowed
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      let table = try invocation.optionalArgument()
      if engine.store == nil { return }
      let store = try storeFile(".dump")
      try perform { try TableDump(store, surroundings.output).write(table) }
    }
  }
}

/// SQL that makes a file's tables and rows again, as sqlite3's `.dump` writes it.
private struct TableDump {
  private let store: SQLiteStore
  private let output: OutputSink

  init(_ store: SQLiteStore, _ output: OutputSink) {
    self.store = store
    self.output = output
  }

  func write(_ only: String?) throws {
    output.write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n")
    let argument = [only.map(Value.string) ?? .null]
    for row in try rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' AND (?1 IS NULL OR name LIKE ?1) ORDER BY rowid", argument)
    {
      output.write(row[1] + ";\n")
      try writeRows(of: row[0])
    }
    for row in try rows(
      "SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL "
        + "AND (?1 IS NULL OR tbl_name LIKE ?1) ORDER BY type = 'trigger', rowid", argument)
    {
      output.write(row[0] + ";\n")
    }
    output.write("COMMIT;\n")
    output.flush()
    try output.checkpoint()
  }

  private func writeRows(of table: String) throws {
    // Generated columns are made again by themselves.
    let columns = try rows("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid", [.string(table)])
      .map { Self.quoted($0[0]) }
    guard !columns.isEmpty else { return }
    // A text with a zero byte would end there.
    let values = columns.map { column in
      "CASE WHEN typeof(\(column)) = 'text' AND instr(\(column), char(0)) THEN 'CAST(' || quote(CAST(\(column) AS BLOB)) || "
        + "' AS TEXT)' ELSE quote(\(column)) END"
    }.joined(separator: " || ',' || ")
    let cursor = try store.sql("SELECT \(values) FROM \(Self.quoted(table))")
    defer { cursor.close() }
    let head = "INSERT INTO \(Self.quoted(table)) (\(columns.joined(separator: ","))) VALUES("
    while try cursor.step() {
      output.write(head)
      output.write(cursor.value(0).displayText)
      output.write(");\n")
      try output.checkpoint()
    }
  }

  private func rows(_ sql: String, _ arguments: [Value]) throws -> [[String]] {
    let cursor = try store.sql(sql, arguments)
    defer { cursor.close() }
    var rows: [[String]] = []
    while try cursor.step() { rows.append((0..<cursor.columns.count).map { cursor.value($0).displayText }) }
    return rows
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
