internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

struct DumpCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [dumpCommand] }

  /// `.dump [TABLE]`
  var dumpCommand: Command {
    Command(
      name: "dump", arguments: "[TABLE]", summary: "SQL that makes the tables and their rows again",
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let pattern = try invocation.optionalArgument()
      guard let store = engine.store else { return }
      try perform { try write(store, pattern) }
    }
  }

  private func write(_ store: any OpenedStore, _ pattern: String?) throws {
    let output = console.output
    // A file or a program gets names as they are.
    let picturing = layout.isTerminal ? layout.charset : nil
    try store.dump(tablesLike: pattern) { line in
      let shown = picturing.map { DisplayText.picturingControls(in: line, $0, keepingLines: true) } ?? line
      output.write(shown + "\n")
      try output.checkpoint()
    }
    output.flush()
    try output.checkpoint()
  }
}
