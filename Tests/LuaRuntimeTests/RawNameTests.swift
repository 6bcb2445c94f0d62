import Foundation
import Testing

/// A Lua error never crosses a Swift frame: Swift calls only functions of the C API that cannot raise.
@Suite struct RawNameTests {
  /// From the manual's notes on each function (`[-o, +p, x]`).
  private static let allowed: Set<String> = [
    // x is "-": never raises.
    "lua_absindex", "lua_checkstack", "lua_copy", "lua_getmetatable", "lua_getstack", "lua_gettop", "lua_isinteger",
    "lua_pushboolean", "lua_pushinteger", "lua_pushlightuserdata", "lua_pushnil", "lua_pushnumber",
    "lua_pushvalue", "lua_rawequal", "lua_rawget", "lua_rawgeti", "lua_rawgetp", "lua_rawlen", "lua_rotate",
    "lua_setmetatable", "lua_toboolean", "lua_tointegerx", "lua_tonumberx", "lua_topointer", "lua_touserdata",
    "lua_type",
    "luaL_unref",
    // x is "m": raises for want of memory only, which the shim holds back while Swift is on the stack.
    "lua_createtable", "lua_getinfo", "lua_pushlstring", "lua_rawset", "lua_rawseti", "lua_rawsetp", "lua_tolstring",
    "luaL_ref", "luaL_where",
    // x is "e", for closing what is to be closed: no stack of a Swift function has such a slot.
    "lua_settop",
    // Types.
    "lua_Debug", "lua_Integer", "lua_State",
  ]

  @Test func swiftCallsOnlyWhatCannotRaise() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      // A debug build takes a millisecond to try the expression on a line.
      where line.contains("lua_") || line.contains("luaL_") {
        let code = line.prefix(upTo: line.range(of: "//")?.lowerBound ?? line.endIndex)
        for name in code.matches(of: /\bluaL?_\w+/).map({ String($0.output) }) {
          found.insert(name)
          #expect(Self.allowed.contains(name), "\(name) in \(file.lastPathComponent)")
        }
      }
    }
    #expect(found.count > 20)
    #expect(Self.allowed.subtracting(found).subtracting(["lua_State"]).isEmpty, "allowed, and not used")
  }
}
