internal import LuaRuntime

/// `null`: the null value in arrays, JSON and arguments, where Lua's nil is not possible.
final class NullValue: Bound {
  static let luaName = "null"
  var place: String { "null" }
  func summary() -> String { "null" }

  /// The only instance.
  static func reference(in engine: Engine) -> LuaReference {
    engine.values.nulls.push(NullValue(), on: engine.lua.stack)
    return engine.lua.stack.popReference()
  }
}
