internal import Comparison
internal import LuaBindings
internal import Stores

struct CompareCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [compareCommand] }

  /// `.compare STORE [ENTITY ...]`
  var compareCommand: Command {
    Command(
      name: "compare", arguments: "STORE [ENTITY]...",
      summary: "what another store has: + new, ~ changed, - missing there",
      parameters: [
        .file, .words { tools.entityCandidates },
      ], isPaged: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      (invocation) throws(CommandFailure) in
      guard let path = invocation.arguments.first else { throw .usage(invocation.command.usage) }
      var isEqual = true
      try perform {
        guard let store = engine.store else { throw ArgumentFailure(function: ".compare", message: "no store is open") }
        var options = StoreComparison.Options()
        options.entities = Array(invocation.arguments.dropFirst())
        let other = try console.openToRead(path)
        defer { engine.stores.close(other) }
        isEqual = try console.show(StoreComparison(store, other, options))
        if engine.stores.unsavedChangeCount > 0 { tellDone("unsaved changes are not compared; .diff shows them") }
      }
      // An unattended run learns of differences by the exit status.
      if !isEqual, !isAtPrompt { throw .failed(status: ExitStatus.failed) }
    }
  }
}
