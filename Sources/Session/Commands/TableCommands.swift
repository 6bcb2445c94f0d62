internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

// The commands that users of sqlite3 type.
struct TableCommands: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [tablesCommand, indexesCommand] }

  /// `.tables [PATTERN]`
  var tablesCommand: Command {
    Command(
      name: "tables", arguments: "[PATTERN]", summary: "the tables of the store; .entities shows what they are here",
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let pattern = try invocation.optionalArgument()
      try perform { printColumns(try engine.store?.tableNames(like: pattern) ?? []) }
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
        printColumns(try engine.store?.indexNames(ofTablesLike: table) ?? [])
      }
    }
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
