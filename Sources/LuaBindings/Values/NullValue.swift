internal import LuaRuntime

/// `null`: nothing where Lua's nil cannot stand, in arrays, JSON and arguments.
final class NullValue: Bound {
  static let luaName = "null"
  static let members: [Member<NullValue>] = []
  var place: String { "null" }
  func summary() -> String { "null" }

  /// The only one of its kind.
  static func reference(in engine: Engine) -> LuaReference {
    engine.nulls.push(NullValue(), on: engine.lua.stack)
    return engine.lua.stack.popReference()
  }
}
