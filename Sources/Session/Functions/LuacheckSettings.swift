internal import LuaBindings
internal import Modeling

/// The globals of scripts for luacheck: the settings of a project, `.luacheckrc`.
struct LuacheckSettings {
  let engine: Engine

  /// The globals of Lua 5.4, which luacheck knows.
  private static let known: Set<String> = [
    "_G", "_VERSION", "assert", "collectgarbage", "coroutine", "debug", "dofile", "error", "getmetatable", "io",
    "ipairs",
    "load", "loadfile", "math", "next", "os", "package", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen",
    "rawset", "require", "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "warn",
    "xpcall",
  ]

  var text: String {
    let entities = (engine.store?.model.entities ?? []).map(\.name)
    let names = Set(LuaCompleter(engine: engine).globals + ["params", "test", "expect"])
      .subtracting(Self.known).subtracting(entities).sorted()
    return """
      -- What scripts find, for luacheck. Scripts may add methods to entities.
      std = "lua54"
      globals = { \(Self.list(entities.sorted())) }
      read_globals = { \(Self.list(names)) }
      files["types.lua"] = { ignore = { "" } }

      """
  }

  private static func list(_ names: [String]) -> String {
    var lines: [String] = []
    for name in names {
      let item = name.quotedForLua
      if let last = lines.last, last.count + item.count < 100 {
        lines[lines.count - 1] = last + ", " + item
      } else {
        lines.append((lines.isEmpty ? "" : "  ") + item)
      }
    }
    return lines.joined(separator: ",\n")
  }
}
