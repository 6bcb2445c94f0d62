internal import LuaBindings
internal import Modeling

extension EngineSession {
  /// `.watch [EXPRESSION]`
  var watchCommand: Command {
    var command = Command(
      name: "watch", arguments: "[EXPRESSION]",
      summary: "live results, a request or an entity on a full screen; q leaves",
      candidates: { [unowned self] in entityCandidates },
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let expression = invocation.text.contains { !$0.isWhitespace } ? invocation.text : "_"
        try perform { _ = try engine.evaluate("watch(\(expression))", name: "=.watch") }
      })
    command.takesText = true
    return command
  }
}
