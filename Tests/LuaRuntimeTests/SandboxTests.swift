import Testing

@testable import LuaRuntime

@Suite struct SandboxTests {
  private func names(_ table: String, in state: LuaState) -> String {
    state.text(
      of: "local t = {} for k in pairs(\(table)) do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')")
  }

  @Test func theSandboxHasNoWayOut() throws {
    try withState(sandboxed: true) { state in
      #expect(
        names("_G", in: state)
          == "_G _VERSION assert collectgarbage coroutine error getmetatable io ipairs load math next os pairs pcall "
          + "print rawequal rawget rawlen rawset select setmetatable string table tonumber tostring type utf8 warn xpcall"
      )
      #expect(names("io", in: state) == "read write")
      #expect(names("os", in: state) == "clock date exit time")
      #expect(
        names("string", in: state)
          == "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper")
    }
  }

  @Test func theSandboxLoadsTextOnly() throws {
    try withState(sandboxed: false) { state in
      try state.run("return string.dump(function() return 1 end)", results: 1)
      let bytecode = try #require(state.stack.bytes(at: -1))
      try withState(sandboxed: true) { sandbox in
        sandbox.stack.push(bytecode)
        sandbox.setGlobal("bytecode")
        try sandbox.run(
          """
          for _, mode in ipairs{'t', 'b', 'bt', ''} do
            local f, message = load(bytecode, 'x', mode)
            assert(f == nil and type(message) == 'string')
          end
          assert(load(bytecode) == nil)
          assert(load('return 7')() == 7)
          assert(load('return x', 'name', 't', {x = 8})() == 8)
          assert(load('return x', 'name', 'bt', nil) ~= nil)
          local parts = {'return ', '9'}
          assert(load(function() return table.remove(parts, 1) end)() == 9)
          local f, message = load('x = = 1', '=chunk')
          assert(f == nil and message:find('^chunk:1:'))
          """)
      }
    }
  }

  @Test func fullRightsHaveTheStandardLibraries() throws {
    try withState(sandboxed: false) { state in
      try state.run("assert(io.open and os.getenv and require and package.path and dofile and string.dump and load)")
      #expect(
        names("debug", in: state)
          == "getinfo getlocal getmetatable getupvalue setlocal setupvalue traceback upvalueid upvaluejoin")
      try state.run(
        """
        assert(require('debug') == debug)
        local function outer(a) local b = 2 return debug.getlocal(1, 1), debug.getlocal(1, 2), debug.getinfo(1, 'l').currentline end
        local name, second, value, line = outer(1)
        assert(name == 'a' and second == 'b' and value == nil or value == 2)
        local up = 5
        local function f() return up end
        local upName, upValue = debug.getupvalue(f, 1)
        assert(upName == 'up' and upValue == 5)
        debug.setupvalue(f, 1, 6)
        assert(f() == 6)
        assert(debug.getinfo(f).func == f and debug.getinfo(print).func == nil)
        assert(debug.getinfo(1, 'f').func ~= nil and debug.getinfo(0, 'f').func == nil)
        assert(not pcall(debug.getupvalue, print, 1) and not pcall(debug.setupvalue, coroutine.wrap(f), 1, 1))
        assert(type(debug.traceback()) == 'string')
        local function set() local b = 1 assert(debug.setlocal(1, 1, 5) == 'b') return b end
        assert(set() == 5 and debug.setlocal(1, 200, 1) == nil and not pcall(debug.setlocal, 1000, 1, 1))
        for i = 1, 2 do
          for place = 1, 50 do
            local name = debug.getlocal(1, place)
            if name and name:sub(1, 1) == '(' then assert(debug.setlocal(1, place, 'x') == nil) end
          end
        end
        assert(debug.getinfo(1000) == nil and not pcall(debug.getlocal, 1000, 1))
        """)
    }
  }

  @Test func finalizersAreRefused() throws {
    try withState { state in
      #expect(state.failure(of: "setmetatable({}, {__gc = function() end})")?.message.contains("use <close>") == true)
      try state.run(
        """
        local t = setmetatable({}, {__index = {x = 1}})
        assert(t.x == 1 and setmetatable(t, nil) == t and getmetatable(t) == nil)
        setmetatable(t, {__metatable = 'locked'})
        assert(not pcall(setmetatable, t, {}) and not pcall(setmetatable, t) and not pcall(setmetatable, 1, {}))
        """)
    }
  }

  @Test func exitUnwindsEverything() throws {
    try withState { state in
      var closed = false
      state.setGlobal("closer") { stack in
        try stack.pushCloser { closed = true }
        return 1
      }
      let error = state.failure(
        of: """
          local x <close> = closer()
          while true do pcall(function() coroutine.wrap(function() os.exit(3) end)() end) end
          """)
      #expect(error?.kind == .exit(status: 3))
      #expect(closed)
      #expect(state.interruption == .exited(status: 3))
      state.clearInterrupt()
      for (call, status) in [
        ("os.exit()", Int32(0)), ("os.exit(true)", 0), ("os.exit(false)", 1), ("os.exit(7, true)", 7),
      ] {
        #expect(state.failure(of: call)?.kind == .exit(status: status))
        state.clearInterrupt()
      }
      #expect(state.text(of: "return 1") == "1")
    }
  }
}
