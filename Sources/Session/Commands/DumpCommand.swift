internal import LuaBindings
internal import Modeling
internal import Presentation
internal import SQLiteStorage

struct DumpCommand: SessionPart {
  unowned let session: Session

  var all: [Command] { [dumpCommand] }

  /// `.dump [TABLE]`
  var dumpCommand: Command {
    Command(
      name: "dump", arguments: "[TABLE]", summary: "SQL that makes the tables and their rows again",
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let table = try invocation.optionalArgument()
      if engine.store == nil { return }
      let store = try session.storeFile(".dump")
      try perform { try TableDump(store, session).write(table) }
    }
  }
}

/// SQL that makes a file's tables and rows again, as sqlite3's `.dump` writes it.
private struct TableDump {
  private let store: SQLiteStore
  private let output: OutputSink
  /// The character set of the terminal that shows it; nil where a file or a program gets it, which must have names as they are.
  private let picturing: Charset?

  init(_ store: SQLiteStore, _ session: Session) {
    self.store = store
    output = session.client.output
    picturing = session.layout.isTerminal ? session.layout.charset : nil
  }

  func write(_ only: String?) throws {
    output.write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n")
    let argument = [only.map(Value.string) ?? .null]
    for row in try rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' AND (?1 IS NULL OR name LIKE ?1) ORDER BY rowid", argument)
    {
      write(line: row[1] + ";")
      try writeRows(of: row[0])
    }
    for row in try rows(
      "SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL "
        + "AND (?1 IS NULL OR tbl_name LIKE ?1) ORDER BY type = 'trigger', rowid", argument)
    {
      write(line: row[0] + ";")
    }
    output.write("COMMIT;\n")
    output.flush()
    try output.checkpoint()
  }

  private func write(line: String) {
    let shown = picturing.map { DisplayText.picturingControls(in: line, $0, keepingLines: true) } ?? line
    output.write(shown + "\n")
  }

  /// The pattern by which GLOB finds a text that a terminal would obey; newlines and tabs are shown as they are.
  private static let acting =
    "*[\u{1}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}-\u{202E}\u{2066}-\u{2069}]*"

  private func writeRows(of table: String) throws {
    // Generated columns are made again by themselves.
    let columns = try rows("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid", [.string(table)])
      .map { Self.quoted($0[0]) }
    guard !columns.isEmpty else { return }
    // A text with a zero byte would end there; in what a terminal obeys it would be read otherwise than it is. The bytes are those
    // of the file's own encoding.
    let isUTF8 = try rows("SELECT encoding FROM pragma_encoding", []) == [["UTF-8"]]
    let values = columns.map { column in
      "CASE WHEN typeof(\(column)) = 'text' AND (instr(\(column), char(0))\(isUTF8 ? " OR \(column) GLOB ?1" : "")) "
        + "THEN 'CAST(' || quote(CAST(\(column) AS BLOB)) || ' AS TEXT)' ELSE quote(\(column)) END"
    }.joined(separator: " || ',' || ")
    let cursor = try store.sql("SELECT \(values) FROM \(Self.quoted(table))", isUTF8 ? [.string(Self.acting)] : [])
    defer { cursor.close() }
    let head = "INSERT INTO \(Self.quoted(table)) (\(columns.joined(separator: ","))) VALUES("
    while try cursor.step() {
      write(line: head + cursor.value(0).displayText + ");")
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
