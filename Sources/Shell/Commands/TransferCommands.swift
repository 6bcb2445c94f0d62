internal import LuaBindings
internal import Modeling

extension EngineSession {
  /// `.export FILE [EXPRESSION]`
  var exportCommand: Command {
    Command(
      name: "export", arguments: "FILE [EXPRESSION]", summary: "write a value, or the last one, to a file of rows",
      inSandbox: .allowed
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard let path = invocation.arguments.first else { throw .usage(invocation.command.usage) }
      let expression = invocation.text.dropFirst(path.count).drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
      try perform { try callGlobal("export", with: expression.isEmpty ? "_" : String(expression), path) }
    }
  }

  /// `.import FILE ENTITY`
  var importCommand: Command {
    Command(
      name: "import", arguments: "FILE ENTITY", summary: "read a file of rows into an entity",
      candidates: { [unowned self] in entityCandidates },
      inSandbox: .refused(because: "scripts have no files in it"),
      run: { [unowned self] (invocation) throws(CommandFailure) in
        guard invocation.arguments.count == 2 else { throw .usage(invocation.command.usage) }
        let entity = try entity(invocation.arguments[1])
        try perform { try callGlobal("import", with: "store.entities[\"\(entity.name)\"]", invocation.arguments[0]) }
      })
  }

  /// Calls a function with the value of an expression and the name of a file, and prints the number of rows.
  private func callGlobal(_ name: String, with expression: String, _ path: String) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    let values = try engine.evaluate(expression, name: "=\(name)")
    guard let value = values.first else { throw ArgumentFailure(function: name, message: "a value is missing") }
    stack.pushGlobal(name)
    stack.push(value)
    stack.push(path)
    try stack.call(arguments: 2, results: 1)
    if isAtPrompt, let rows = stack.integer(at: -1) {
      surroundings.say("\(Quantity.count(Int(rows), "row"))\n")
    }
  }
}
