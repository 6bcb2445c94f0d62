internal import LuaBindings
internal import Modeling

extension EngineSession {
  /// `.browse [EXPRESSION]`
  var browseCommand: Command {
    screenCommand("browse", "walk through an entity or a request on a full screen; q leaves")
  }

  /// A command that calls the function of its name with the value of an expression, or with `_`.
  func screenCommand(_ name: String, _ summary: String) -> Command {
    var command = Command(
      name: name, arguments: "[EXPRESSION]", summary: summary, parameters: [codeParameter],
      inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let expression = invocation.text.contains { !$0.isWhitespace } ? invocation.text : "_"
        try perform { try call(name, withValueOf: expression) }
      })
    (command.takesText, command.mayBePiped) = (true, false)
    return command
  }

  /// The completions of Lua that stands behind the words of a command.
  var codeParameter: Command.Parameter {
    .rest { [unowned self] text, cursor, _ in completions(text, at: cursor) }
  }

  private func call(_ name: String, withValueOf expression: String) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    let values = try engine.evaluate(expression, name: "=\(name)")
    stack.pushGlobal(name)
    for value in values.prefix(1) { stack.push(value) }
    try stack.call(arguments: stack.count - top - 1)
  }
}
