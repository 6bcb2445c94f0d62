internal import LuaBindings
internal import Modeling

extension EngineSession {
  /// `.watch [EXPRESSION]`
  var watchCommand: Command {
    var command = Command(
      name: "watch", arguments: "[EXPRESSION]",
      summary: "live results, a request or an entity on a full screen; q leaves",
      candidates: { [unowned self] in entityCandidates },
      inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let expression = invocation.text.contains { !$0.isWhitespace } ? invocation.text : "_"
        try perform { try watch(expression) }
      })
    command.takesText = true
    return command
  }

  /// Calls `watch` with the value of an expression.
  private func watch(_ expression: String) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    let values = try engine.evaluate(expression, name: "=watch")
    stack.pushGlobal("watch")
    for value in values.prefix(1) { stack.push(value) }
    try stack.call(arguments: stack.count - top - 1)
  }
}
