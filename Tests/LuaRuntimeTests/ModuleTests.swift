import Testing

@testable import LuaRuntime

@Suite struct ModuleTests {
  private func paths(_ environment: [String: String]) throws -> (path: String, cpath: String) {
    try withState(sandboxed: false) { state in
      state.setModulePaths { environment[$0] }
      return (state.text(of: "return package.path"), state.text(of: "return package.cpath"))
    }
  }

  @Test func theDefaultIsLuasOwnAndTheTreeInTheHome() throws {
    let (path, cpath) = try paths(["HOME": "/home/ada"])
    #expect(path.hasPrefix("/usr/local/share/lua/5.4/?.lua;"))
    #expect(path.contains("./?.lua"))
    #expect(path.hasSuffix(";/home/ada/.luarocks/share/lua/5.4/?.lua;/home/ada/.luarocks/share/lua/5.4/?/init.lua"))
    #expect(cpath.hasSuffix(";/home/ada/.luarocks/lib/lua/5.4/?.so"))
  }

  @Test func theEnvironmentSaysWhere() throws {
    #expect(try paths(["LUA_PATH": "/a/?.lua"]).path == "/a/?.lua")
    #expect(try paths(["LUA_PATH": "/a/?.lua", "LUA_PATH_5_4": "/b/?.lua"]).path == "/b/?.lua")
    let ownDefault = try paths([:]).path
    #expect(try paths(["LUA_PATH": "/a/?.lua;;"]).path == "/a/?.lua;" + ownDefault)
    #expect(try paths(["LUA_PATH": ";;/a/?.lua"]).path == ownDefault + ";/a/?.lua")
    #expect(try paths(["LUA_PATH": "/a/?.lua;;/b/?.lua"]).path == "/a/?.lua;" + ownDefault + ";/b/?.lua")
    #expect(try paths(["LUA_PATH": ";;"]).path == ownDefault)
    #expect(try paths(["LUA_CPATH_5_4": "/c/?.so"]).cpath == "/c/?.so")
  }

  @Test func argumentsAreInArg() throws {
    try withState { state in
      state.setModulePaths { _ in nil }
      state.setArguments(script: "report.lua", ["a", "b"])
      #expect(state.text(of: "return arg[0] .. arg[1] .. arg[2] .. #arg") == "report.luaab2")
      state.setArguments(script: nil, [])
      #expect(state.text(of: "return tostring(arg[0]) .. #arg") == "nil0")
      #expect(state.stack.count == 0)
    }
  }
}
