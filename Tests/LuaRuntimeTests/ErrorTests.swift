import Testing

@testable import LuaRuntime

@Suite struct ErrorTests {
  /// A state with `callback(f, ...)`, which calls `f` from Swift, and `fail()`, which throws a `Mishap`.
  private func withCallbacks(_ body: (LuaState) throws -> Void) throws {
    try withState { state in
      state.setGlobal("callback") { stack in
        try stack.call(arguments: stack.count - 1, results: LuaStack.allResults)
        return stack.count
      }
      state.setGlobal("fail") { _ in throw Mishap(description: "a mishap") }
      try body(state)
    }
  }

  @Test func anErrorHasMessageTracebackAndValue() throws {
    try withCallbacks { state in
      let error = try #require(state.failure(of: "local function inner() error('boom') end\ninner()"))
      #expect(error.kind == .runtime)
      #expect(error.message == "test:1: boom")
      #expect(error.traceback?.contains("inner") == true)
      error.value?.push(on: state.stack)
      #expect(state.stack.string(at: -1) == "test:1: boom")
    }
  }

  @Test func aTracedCallHasItsTracebackWhereverItIsMade() throws {
    try withCallbacks { state in
      var errors: [LuaError] = []
      state.setGlobal("traced") { stack in
        do {
          try state.tracingCalls { try stack.call() }
        } catch let error as LuaError {
          errors.append(error)
        }
        return 0
      }
      try state.run(
        """
        local function inner() error('boom') end
        traced(function() inner() end)
        -- What fails within it is not traced once more, nor what comes after it.
        traced(function() pcall(callback, inner) callback(inner) end)
        traced(function() end)
        pcall(callback, inner)
        """)
      #expect(errors.count == 2)
      for error in errors {
        let traceback = try #require(error.traceback)
        #expect(traceback.contains("in upvalue 'inner'") || traceback.contains("callback"), "\(traceback)")
        #expect(traceback.hasSuffix("in main chunk"), "\(traceback)")
      }
      let outer = try #require(state.failure(of: "traced(function() error 'a' end) error 'b'"))
      #expect(outer.message == "test:1: b")
      #expect(outer.traceback?.contains("test:1: in main chunk") == true)
      #expect(errors.last?.traceback?.contains("test:1: in function <test:1>") == true)
    }
  }

  @Test func errorValuesOfAnyTypePassThroughSwiftUntouched() throws {
    try withCallbacks { state in
      try state.run(
        """
        local t = setmetatable({}, {__tostring = function() return 'an object' end})
        local ok, err = pcall(callback, callback, function() error(t) end)
        assert(not ok and rawequal(err, t))
        ok, err = pcall(callback, function() error(nil) end)
        assert(not ok and err == nil)
        ok, err = pcall(callback, function() error(42) end)
        assert(not ok and err == 42)
        """)
      let error = state.failure(of: "error(setmetatable({}, {__tostring = function() return 'an object' end}))")
      #expect(error?.message == "an object")
      #expect(state.failure(of: "error()")?.message == "nil")
      #expect(state.failure(of: "error({})")?.message.hasPrefix("table: ") == true)
      #expect(
        state.failure(of: "error(setmetatable({}, {__tostring = error}))")?.message.hasPrefix(
          "(error object is a table")
          == true)
    }
  }

  @Test func aSwiftErrorBecomesAStringWithItsPosition() throws {
    try withCallbacks { state in
      #expect(
        state.text(of: "local ok, err = pcall(function()\n fail() end) return type(err) .. ' ' .. err")
          == "string test:2: a mishap")
    }
  }

  @Test func aSwiftErrorComesBackToSwiftAsItself() throws {
    try withCallbacks { state in
      let error = try #require(state.failure(of: "callback(callback, fail)"))
      #expect(error.underlying as? Mishap == Mishap(description: "a mishap"))
      #expect(state.failure(of: "error('another')")?.underlying == nil)
    }
  }

  @Test func theUpperLayerDecidesWhatASwiftErrorBecomes() throws {
    try withCallbacks { state in
      state.errorConverter = { error, stack in
        do {
          try stack.push(error: error, description: "converted \(error)")
        } catch {
          stack.push("not converted")
        }
      }
      #expect(
        state.text(of: "local ok, e = pcall(fail) return type(e) .. '|' .. tostring(e) .. '|' .. e.message .. '|' .. e")
          == "userdata|converted a mishap|converted a mishap|converted a mishap")
      let error = try #require(state.failure(of: "callback(function() fail() end)"))
      #expect(error.message == "converted a mishap")
      #expect(error.underlying as? Mishap == Mishap(description: "a mishap"))
    }
  }

  @Test func aLuaErrorMadeInSwiftHasThePositionOfTheCaller() throws {
    try withCallbacks { state in
      state.setGlobal("complain") { _ in throw LuaError("no such thing") }
      #expect(state.failure(of: "\n complain()")?.message == "test:2: no such thing")
    }
  }

  @Test func anErrorInTheMessageHandlerIsReported() throws {
    try withCallbacks { state in
      let count = state.text(of: "return select('#', xpcall(error, function(m) error(m) end, 'x'))")
      #expect(count == "2")
      let handled = state.text(of: "return select(2, xpcall(error, function(m) return 'handled ' .. m end, 'x'))")
      #expect(handled == "handled x")
    }
  }

  @Test func pcallAnswersAsTheStockOneDoes() throws {
    try withCallbacks { state in
      try state.run(
        """
        assert(select('#', pcall(function() return 1, nil, 3, nil end)) == 5)
        assert(not pcall(pcall))
        local ok, message = pcall(error)
        assert(ok == false and message == nil)
        local co = coroutine.wrap(function() return pcall(function(...) return coroutine.yield(1), ... end, 'x') end)
        assert(co() == 1)
        local a, b, c = co('resumed')
        assert(a == true and b == 'resumed' and c == 'x')
        assert(not pcall(xpcall, print))
        """)
    }
  }
}
