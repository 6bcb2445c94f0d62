internal import Comparison
internal import LuaBindings
internal import LuaRuntime
internal import Presentation
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
      ], inSandbox: .refused(because: "scripts have no files in it")
    ) {
      (invocation) throws(CommandFailure) in
      guard let path = invocation.arguments.first else { throw .usage(invocation.command.usage) }
      var isEqual = true
      try perform {
        guard let store = engine.store else { throw ArgumentFailure(function: ".compare", message: "no store is open") }
        var options = StoreComparison.Options()
        options.entities = Array(invocation.arguments.dropFirst())
        let other = try console.openToRead(path)
        let comparison = try StoreComparison(store, other, options)
        isEqual = try show(comparison)
        if engine.stores.unsavedChangeCount > 0 { tellDone("unsaved changes are not compared; .diff shows them") }
      }
      // An unattended run learns of differences by the exit status.
      if !isEqual, !isAtPrompt { throw .failed(status: ExitStatus.failed) }
    }
  }

  /// Shows a comparison, which is in `_` afterwards: at a prompt on a full screen, unless a mode for data is chosen. Returns whether
  /// the stores are equal.
  private func show(_ comparison: StoreComparison) throws -> Bool {
    guard let difference = engine.reference(to: comparison) else { return true }
    engine.remember([difference])
    guard isAtPrompt, settings.chosenMode?.isData != true else { return try console.show(comparison) }
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.pushGlobal("browse")
    stack.push(difference)
    try stack.call(arguments: 1)
    return true
  }
}
