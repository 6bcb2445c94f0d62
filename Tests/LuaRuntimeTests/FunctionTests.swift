import Testing

@testable import LuaRuntime

@Suite struct FunctionTests {
  @Test func aFunctionGetsArgumentsAndAnswersResults() throws {
    try withState { state in
      state.setGlobal("add") { stack in
        stack.push((stack.integer(at: 1) ?? 0) + (stack.integer(at: 2) ?? 0))
        return 1
      }
      #expect(state.text(of: "return add(20, 22)") == "42")
    }
  }

  @Test func luaOwnsTheClosureAndReleasesItWhenItIsCollected() throws {
    let counter = Life.Counter()
    try withState { state in
      let life = Life(counter)
      state.setGlobal("f") { [life] stack in
        stack.push(life.value)
        return 1
      }
    }
    #expect(counter.live == 0, "closing the state")
    try withState { state in
      do {
        let life = Life(counter)
        state.setGlobal("f") { [life] _ in Int32(life.value) }
      }
      try state.run("f() f = nil")
      #expect(counter.live == 1)
      try state.run("collectgarbage()")
      #expect(counter.live == 0, "the end of a call is a safe point")
    }
  }

  @Test func anObjectCollectedDuringALoopOfCallsIsReleasedBeforeItsEnd() throws {
    let counter = Life.Counter()
    var most = 0
    try withState { state in
      let lives = try LuaClass<Life>(state, name: "Life") { _ in }
      state.setGlobal("make") { stack in
        lives.push(Life(counter), on: stack)
        most = max(most, counter.live)
        return 1
      }
      try state.run("for i = 1, 100000 do make() end")
      #expect(most < 20_000)
    }
    #expect(counter.live == 0)
  }

  @Test func rawFunctionsHaveContextAndUpvalues() throws {
    try withState { state in
      let life = Life(Life.Counter(), value: 40)
      state.stack.push(2)
      state.stack.pushFunction(
        raw: { thread, context in
          let stack = LuaStack(thread)
          let life = Unmanaged<Life>.fromOpaque(context!).takeUnretainedValue()
          stack.push(life.value + (stack.integer(at: LuaStack.upvalue(1)) ?? 0))
          return 1
        }, context: Unmanaged.passUnretained(life).toOpaque(), upvalues: 1)
      state.setGlobal("sum")
      #expect(state.text(of: "return sum()") == "42")
    }
  }

  @Test func aRawFunctionMayKeepItsContextAlive() throws {
    let counter = Life.Counter()
    try withState { state in
      state.stack.push(2)
      state.stack.pushFunction(
        raw: { thread, context in
          let stack = LuaStack(thread)
          let life = Unmanaged<Life>.fromOpaque(context!).takeUnretainedValue()
          stack.push(life.value + (stack.integer(at: LuaStack.upvalue(1)) ?? 0))
          return 1
        }, retaining: Life(counter, value: 40), upvalues: 1)
      state.setGlobal("sum")
      #expect(state.text(of: "return sum()") == "42")
      #expect(counter.live == 1)
    }
    #expect(counter.live == 0)
  }

  @Test func aThrownErrorLeavesNothingBehind() throws {
    let counter = Life.Counter()
    try withState { state in
      state.setGlobal("fail") { _ in
        let temporary = Life(counter)
        throw Mishap(description: "failed \(temporary.value)")
      }
      try state.run("for i = 1, 100 do assert(not pcall(fail)) end")
      #expect(counter.live == 0)
    }
  }

  @Test func argumentErrorsNameTheFunctionAsLuaDoes() throws {
    try withState { state in
      state.setGlobal("half") { stack in
        stack.push(try stack.numberArgument(at: 1) / 2)
        return 1
      }
      state.setGlobal("whole") { stack in
        stack.push(try stack.integerArgument(at: 1))
        return 1
      }
      state.setGlobal("name") { stack in
        stack.push(try stack.stringArgument(at: 1))
        return 1
      }
      try state.run("t = {half = half}")
      #expect(
        state.failure(of: "half({})")?.message == "test:1: bad argument #1 to 'half' (number expected, got table)")
      #expect(
        state.failure(of: "half()")?.message == "test:1: bad argument #1 to 'half' (number expected, got no value)")
      #expect(
        state.failure(of: "t:half()")?.message == "test:1: calling 'half' on bad self (number expected, got table)")
      #expect(
        state.failure(of: "whole(1.5)")?.message
          == "test:1: bad argument #1 to 'whole' (number has no integer representation)")
      #expect(
        state.failure(of: "name('\\xff')")?.message
          == "test:1: bad argument #1 to 'name' (the string is not valid UTF-8)")
    }
  }

  @Test func deepRecursionEndsInAnError() throws {
    try withState(limit: 512 << 20) { state in
      state.setGlobal("through") { stack in
        stack.pushCopy(of: 1)
        stack.pushCopy(of: 2)
        try stack.call(arguments: 1, results: 1)
        return 1
      }
      let error = state.failure(of: "local function f(n) return through(f, n + 1) end return f(1)")
      #expect(error?.message.contains("overflow") == true)
      #expect((error?.message.utf8.count ?? 0) < 1000)
      let recursion = state.failure(of: "local function f() return f() + 1 end f()")
      #expect(recursion?.message.contains("stack overflow") == true, "\(recursion?.message ?? "none")")
      #expect(state.failure(of: "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x") != nil)
      #expect(state.text(of: "return through(tostring, 5)") == "5")
    }
  }

  @Test func coroutinesThatCloseOneAnotherDoNotOverflowTheStack() throws {
    try withState { state in
      let result = state.text(
        of: """
          local previous
          for i = 1, 20000 do
            local inner = previous
            local co = coroutine.create(function()
              local x <close> = setmetatable({}, {__close = function() if inner then coroutine.close(inner) end end})
              coroutine.yield()
            end)
            coroutine.resume(co)
            previous = co
          end
          local ok, message = coroutine.close(previous)
          return ok
          """)
      #expect(result == "true" || result == "false")
    }
  }
}
