internal import LuaBindings
internal import LuaRuntime

/// `help "topic"` and `describe(x)`.
struct HelpFunctions {
  let help: Help

  func install() {
    help.console.engine.define(
      "help", "help([topic])", "Tells about a function, a method, an entity, or everything that begins so.",
      inSandbox: true, example: #"help "where""#
    ) { [unowned help] stack in
      if stack.isNoneOrNil(at: 1) {
        help.show("")
      } else if case .entity(let entity, _) = try EngineValue(at: 1, on: stack, in: help.console.engine) {
        help.show(entity.name)
      } else if let name = stack.string(at: 1) {
        help.show(name)
      } else {
        throw ArgumentFailure(function: "help", message: "expected a name, got \(stack.typeName(at: 1))")
      }
      return 0
    }
    help.console.engine.define(
      "describe", "describe(value)",
      "Shows what a value is: an entity with its properties, a model, a store, an object.",
      inSandbox: true, example: "describe(Quake)"
    ) { [unowned help] stack in
      guard stack.count > 0 else { throw ArgumentFailure(function: "describe", message: "a value is missing") }
      try EntityHelp(console: help.console).show(at: 1, on: stack)
      return 0
    }
  }
}
