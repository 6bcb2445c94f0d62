internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

// The commands that users of sqlite3 type.
struct TableCommands: SessionPart {
  unowned let session: Session

  var all: [Command] { [tablesCommand, indexesCommand] }

  /// `.tables [PATTERN]`
  var tablesCommand: Command {
    Command(
      name: "tables", arguments: "[PATTERN]", summary: "the tables of the store; .entities shows what they are here",
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let pattern = try invocation.optionalArgument()
      try perform {
        let names = try names(
          "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
            + "AND name NOT LIKE '\\_perilune%' ESCAPE '\\' AND (?1 IS NULL OR name LIKE ?1) ORDER BY 1",
          onServer: "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition "
            + "AND relnamespace::regnamespace::text !~ '^(pg_|information_schema$)' AND relname !~ '^_perilune' "
            + "AND ($1::text IS NULL OR relname LIKE $1) ORDER BY 1", pattern)
        printColumns(names)
      }
    }
  }

  /// `.indexes [TABLE]`
  var indexesCommand: Command {
    Command(
      name: "indexes", arguments: "[TABLE]", summary: "the indexes of the store, or of a table", isPaged: true,
      inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let name = try invocation.optionalArgument()
      try perform {
        let entity = name.flatMap { name in engine.store?.model.entities.first { $0.name == name } }
        let table = entity.flatMap { entity in engine.store?.layout(of: entity).table } ?? name
        let names = try names(
          "SELECT name FROM sqlite_schema WHERE type = 'index' AND (?1 IS NULL OR tbl_name LIKE ?1) ORDER BY 1",
          onServer: "SELECT indexname FROM pg_indexes WHERE schemaname !~ '^(pg_|information_schema$)' "
            + "AND ($1::text IS NULL OR tablename LIKE $1) ORDER BY 1", table)
        printColumns(names)
      }
    }
  }

  /// The names that a statement answers: of SQLite, or of PostgreSQL where the store is on a server.
  private func names(_ sql: String, onServer: String, _ argument: String?) throws -> [String] {
    guard let store = engine.store else { return [] }
    let cursor = try store.sql(engine.sqliteStore == nil ? onServer : sql, [argument.map(Value.string) ?? .null])
    defer { cursor.close() }
    var names: [String] = []
    while try cursor.step() { names.append(cursor.value(0).displayText) }
    return names
  }

  /// Names in columns, as wide as the window; one per line if there is no window.
  private func printColumns(_ names: [String]) {
    let shown = names.map { DisplayText.picturingControls(in: $0, layout.charset) }
    guard let width = layout.width, !shown.isEmpty else {
      return printText(shown.map { $0 + "\n" }.joined())
    }
    let widest = shown.map(\.terminalWidth).max() ?? 1
    let count = max(1, width / (widest + 2))
    var text = ""
    for (number, name) in shown.enumerated() {
      let isLast = (number + 1) % count == 0 || number == shown.count - 1
      text += name + (isLast ? "\n" : String(repeating: " ", count: widest + 2 - name.terminalWidth))
    }
    printText(text)
  }
}
