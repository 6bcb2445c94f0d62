internal import LuaBindings
internal import LuaRuntime
internal import Presentation

// Being in an object, as in a folder: its properties are names.
struct InCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [inCommand, outCommand] }

  /// `.in [EXPRESSION]`
  var inCommand: Command {
    Command(
      name: "in", arguments: "[EXPRESSION]",
      summary: "go into an object: its properties are names, and self is the object; .out leaves",
      parameters: [codeParameter], takesText: true, inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        try perform {
          guard !invocation.text.isEmpty else {
            return printText(
              (engine.scopes.object.map(ObjectText.line) ?? "in no object; .in EXPRESSION goes into one") + "\n")
          }
          let values = try engine.evaluate(invocation.text, name: "=in")
          guard let value = values.first, try engine.scopes.enter(value) else {
            throw ArgumentFailure(function: ".in", message: "expected an object, got \(try found(values.first))")
          }
        }
      })
  }

  /// What a value is that is no object, with the way to one.
  private func found(_ value: LuaReference?) throws -> String {
    guard let value else { return "nothing" }
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    switch try EngineValue(at: -1, on: stack, in: engine) {
    case .entity, .request: return stack.typeName(at: -1).lowercased() + "; :first() is its first object"
    case .result, .collection, .live, .section: return "several objects; [1] is the first"
    default: return stack.typeName(at: -1)
    }
  }

  /// `.out [all]`
  var outCommand: Command {
    Command(
      name: "out", arguments: "[all]", summary: "leave the object that .in went into; all leaves those around it, too",
      parameters: [.oneOf("all")], inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let word = try invocation.optionalArgument()
        if let word, word != "all" { throw .invalidArgument(word, expected: ["all"], nearest: nil) }
        try perform {
          guard try engine.scopes.leave(all: word != nil) else {
            throw ArgumentFailure(function: ".out", message: "no object was gone into; .in EXPRESSION does that")
          }
        }
      })
  }
}
