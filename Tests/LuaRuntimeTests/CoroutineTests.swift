import Testing

@testable import LuaRuntime

@Suite struct CoroutineTests {
  @Test func aSwiftFunctionYields() throws {
    try withState { state in
      state.setGlobal("yield") { stack in try stack.yield(stack.count) }
      try state.run(
        """
        local co = coroutine.wrap(function(...) local a, b = yield(...) return a, b, 'end' end)
        local x, y = co(1, 2)
        assert(x == 1 and y == 2)
        local a, b, c = co('r', 's')
        assert(a == 'r' and b == 's' and c == 'end')
        local within = coroutine.wrap(function() return pcall(yield, 5) end)
        assert(within() == 5)
        local ok, value = within('r')
        assert(ok == true and value == 'r')
        """)
      #expect(state.failure(of: "yield(1)")?.message.contains("outside a coroutine") == true)
    }
  }

  @Test func aContinuationYieldsAgainAndAgain() throws {
    let counter = Life.Counter()
    try withState { state in
      func countDown(_ number: Int64, _ life: Life) -> (LuaStack) throws -> Int32 {
        { stack in
          guard number > 0 else {
            stack.push("done \(life.value)")
            return 1
          }
          stack.push(number)
          return try stack.yield(1, then: countDown(number - 1, life))
        }
      }
      state.setGlobal("countdown") { stack in try countDown(stack.integer(at: 1) ?? 0, Life(counter, value: 7))(stack) }
      #expect(
        state.text(
          of: """
            local seen = {}
            for value in coroutine.wrap(function() return countdown(3) end) do
              seen[#seen + 1] = value
              if value == 'done 7' then break end
            end
            return table.concat(seen, ' ')
            """) == "3 2 1 done 7")
      try state.run("for i = 1, 10 do coroutine.wrap(countdown)(3) end")
      #expect(counter.live > 0)
      state.collectGarbage()
      #expect(counter.live == 0, "a continuation that is never called goes with its coroutine")
    }
  }

  @Test func aContinuationFindsItsValuesAndWhatResumePassed() throws {
    try withState { state in
      state.setGlobal("ask") { stack in
        stack.push("question")
        return try stack.yield(1) { stack in
          stack.push("\(stack.string(at: 1) ?? "?") \(stack.string(at: 2) ?? "?") \(stack.count)")
          return 1
        }
      }
      try state.run(
        "local co = coroutine.wrap(ask) assert(co('kept') == 'question') local r = co('answer') assert(r == 'kept answer 2', r)"
      )
    }
  }

  @Test func aYieldAcrossSwiftIsAnError() throws {
    try withState { state in
      state.setGlobal("callback") { stack in
        try stack.call(arguments: stack.count - 1, results: 0)
        return 0
      }
      try state.run(
        """
        local co = coroutine.create(function() return callback(coroutine.yield, 1) end)
        local ok, message = coroutine.resume(co)
        assert(not ok and message:find('attempt to yield across a C-call boundary', 1, true), message)
        """)
    }
  }

  @Test func anIterationIsClosedHoweverItEnds() throws {
    var open = 0
    try withState { state in
      state.setGlobal("each") { stack in
        let last = stack.integer(at: 1) ?? 0
        var current: Int64 = 0
        open += 1
        return try stack.pushIterator(
          next: { stack in
            current += 1
            guard current <= last else { return 0 }
            stack.push(current)
            stack.push(current * current)
            return 2
          }, close: { open -= 1 })
      }
      state.setGlobal("open") { stack in
        stack.push(open)
        return 1
      }
      try state.run(
        """
        local sum = 0
        for i, square in each(10) do sum = sum + square end
        assert(sum == 385 and open() == 0)
        for i in each(10) do break end
        assert(open() == 0)
        assert(not pcall(function() for i in each(10) do error('x') end end) and open() == 0)
        local function first() for i in each(10) do return i end end
        assert(first() == 1 and open() == 0)
        local co = coroutine.create(function() for i in each(10) do coroutine.yield(i) end end)
        coroutine.resume(co)
        assert(open() == 1)
        assert(coroutine.close(co) and open() == 0)
        do local wrapped = coroutine.wrap(function() for i in each(10) do coroutine.yield(i) end end) wrapped() end
        assert(open() == 1)
        collectgarbage() collectgarbage()
        """)
      #expect(open == 0, "an abandoned coroutine's iteration")
    }
  }

  @Test func coroutineFunctionsAnswerAsTheStockOnesDo() throws {
    try withState { state in
      try state.run(
        """
        local co = coroutine.create(function() error({}) end)
        local ok, value = coroutine.resume(co)
        assert(not ok and type(value) == 'table')
        ok, value = coroutine.resume(co)
        assert(not ok and value == 'cannot resume dead coroutine')
        assert(coroutine.status(co) == 'dead')
        ok, value = pcall(coroutine.wrap(function() error('x', 0) end))
        assert(not ok and value == 'x')
        ok, value = pcall(function() coroutine.wrap(function() error('x', 0) end)() end)
        assert(value == 'test:9: x', value)
        ok, value = pcall(coroutine.close, coroutine.running())
        assert(not ok and value:find('cannot close a running coroutine'), value)
        local closed = {}
        co = coroutine.create(function()
          local a <close> = setmetatable({}, {__close = function() closed[#closed + 1] = 'a' end})
          local b <close> = setmetatable({}, {__close = function() error('in close', 0) end})
          coroutine.yield()
        end)
        coroutine.resume(co)
        ok, value = coroutine.close(co)
        assert(ok == false and value == 'in close' and closed[1] == 'a')
        assert(select('#', coroutine.resume(coroutine.create(function() return 1, 2, 3 end))) == 4)
        assert(not pcall(coroutine.resume, 1) and not pcall(coroutine.wrap, 1) and not pcall(coroutine.close))
        """)
    }
  }
}
