internal import LuaBindings
internal import Modeling
internal import Stores

struct UndoSaveCommands: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [undoSaveCommand, redoSaveCommand] }

  /// `.undosave`
  var undoSaveCommand: Command { reversing(.undo, "undosave", "take back what the last save wrote") }

  /// `.redosave`
  var redoSaveCommand: Command { reversing(.redo, "redosave", "write again what .undosave took back") }

  private func reversing(_ direction: SaveDirection, _ name: String, _ summary: String) -> Command {
    Command(name: name, arguments: "", summary: summary, changesThings: true, inSandbox: .allowed) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        guard let result = try engine.reverseSave(direction), isAtPrompt else { return }
        let count = result.inserted + result.updated + result.deleted + result.links
        let rows = Quantity.count(count, "row")
        tellDone("\(rows) \(direction == .undo ? "as before the save" : "as saved")")
      }
    }
  }
}
