import Testing

@testable import LuaRuntime

@Suite struct ClassTests {
  private func makeClass(_ state: LuaState, keepsIdentity: Bool = false) throws -> LuaClass<Life> {
    try LuaClass<Life>(state, name: "Life", keepsIdentity: keepsIdentity) { definition in
      definition.method("add") { life, stack in
        life.value += try stack.integerArgument(at: 2)
        stack.push(life.value)
        return 1
      }
      definition.constant("kind") { $0.push("alive") }
      definition.index { life, stack in
        guard stack.string(at: 2) == "value" else { return 0 }
        stack.push(life.value)
        return 1
      }
      definition.newIndex { life, stack in
        life.value = try stack.integerArgument(at: 3)
        return 0
      }
      definition.length { life, stack in
        stack.push(life.value)
        return 1
      }
      definition.toString { "Life \($0.value)" }
      definition.call { life, stack in
        stack.push(life.value * (stack.integer(at: 2) ?? 1))
        return 1
      }
      definition.close { $0.value = -1 }
      for (event, operation) in [(LuaMetamethod.add, LuaOperation.add), (.bitAnd, .bitAnd), (.subtract, .subtract)] {
        definition.metamethod(event) { stack in
          for operand: Int32 in [1, 2] {
            stack.push(definition.object(at: operand, on: stack)?.value ?? stack.integer(at: operand) ?? 0)
          }
          try stack.calculate(operation)
          return 1
        }
      }
      definition.metamethod(.less) { stack in
        let values = [1, 2].map { definition.object(at: $0, on: stack)?.value ?? 0 }
        stack.push(values[0] < values[1])
        return 1
      }
      definition.metamethod(.bitNot) { stack in
        stack.push("not")
        return 1
      }
      definition.metamethod(.concatenate) { stack in
        stack.push(try stack.toDisplayString(at: 1) + stack.toDisplayString(at: 2))
        return 1
      }
      definition.metamethod(.pairs) { stack in
        stack.pushGlobal("next")
        stack.pushTable(hash: 1)
        stack.push(7)
        stack.rawSet(field: "seven", at: -2)
        return 2
      }
    }
  }

  @Test func objectsHaveMethodsFieldsAndOperators() throws {
    try withState { state in
      let lives = try makeClass(state)
      for (name, value) in [("a", Int64(3)), ("b", 5)] {
        lives.push(Life(Life.Counter(), value: value), on: state.stack)
        state.setGlobal(name)
      }
      try state.run(
        """
        assert(a:add(1) == 4 and a.value == 4 and a.kind == 'alive' and a.nothing == nil)
        a.value = 6
        assert(#a == 6 and tostring(a) == 'Life 6' and a(2) == 12)
        assert(a + b == 11 and a - 1 == 5 and 1 + a == 7 and a & 2 == 2 and ~a == 'not')
        assert(b < a and not (a < b) and a .. '!' == 'Life 6!')
        for key, value in pairs(a) do assert(key == 'seven' and value == 7) end
        assert(getmetatable(a) == 'Life')
        assert(not pcall(setmetatable, a, {}))
        do local closing <close> = b end
        assert(b.value == -1)
        """)
      #expect(
        state.failure(of: "a.add(5, 1)")?.message == "test:1: calling 'add' on bad self (Life expected, got number)")
      #expect(
        state.failure(of: "a:add('x')")?.message == "test:1: bad argument #1 to 'add' (number expected, got string)")
      #expect(state.failure(of: "a:nothing()")?.message.contains("nil value (method 'nothing')") == true)
    }
  }

  @Test func anObjectIsKnownByItsClassAlone() throws {
    try withState { state in
      let lives = try makeClass(state)
      let others = try LuaClass<Life>(state, name: "Other") { _ in }
      let stack = state.stack
      let life = Life(Life.Counter())
      lives.push(life, on: stack)
      stack.push(1)
      stack.pushTable()
      state.pushGlobal("print")
      stack.push(address: Unmanaged.passUnretained(life).toOpaque())
      #expect(lives.object(at: 1, on: stack) === life)
      #expect(others.object(at: 1, on: stack) == nil)
      for index: Int32 in 2...6 { #expect(lives.object(at: index, on: stack) == nil) }
      let error = #expect(throws: LuaError.self) { try others.argument(at: 1, on: stack) }
      #expect(error?.message == "bad argument #1 (Other expected, got Life)")
      #expect(stack.count == 5)
    }
  }

  @Test func oneObjectIsOneUserdataWhileLuaHoldsIt() throws {
    let counter = Life.Counter()
    try withState { state in
      let lives = try makeClass(state, keepsIdentity: true)
      let stack = state.stack
      let life = Life(counter)
      lives.push(life, on: stack)
      lives.push(life, on: stack)
      #expect(stack.rawEqual(1, 2))
      let identity = stack.identity(at: 1)
      stack.setCount(0)
      lives.push(life, on: stack)
      #expect(stack.identity(at: 1) == identity, "nothing was collected yet")
      stack.setCount(0)
      state.collectGarbage()
      lives.push(life, on: stack)
      #expect(lives.object(at: 1, on: stack) === life)
    }
    #expect(counter.live == 0)
  }

  @Test func aFinalizedObjectThatAWeakTableStillShowsIsNobody() throws {
    let counter = Life.Counter()
    try withState { state in
      let lives = try makeClass(state)
      try state.run("weak = setmetatable({}, {__mode = 'k'})")
      state.pushGlobal("weak")
      lives.push(Life(counter), on: state.stack)
      state.stack.push(true)
      state.stack.rawSet(at: 1)
      state.stack.setCount(0)
      state.setGlobal("use") { stack in
        stack.push(lives.object(at: 1, on: stack) != nil)
        return 1
      }
      // A step finalizes the key; the entry goes with the next cycle.
      try state.run(
        "collectgarbage('collect') for key in pairs(weak) do assert(use(key) == false and not pcall(key.add, key, 1)) end"
      )
      #expect(counter.live == 0)
    }
  }

  @Test func memoryOfObjectsCountsAgainstTheLimit() throws {
    let counter = Life.Counter()
    try withState(limit: 8 << 20) { state in
      let lives = try LuaClass<Life>(state, name: "Life", objectBytes: 10_000) { _ in }
      state.setGlobal("make") { stack in
        lives.push(Life(counter), on: stack)
        return 1
      }
      try state.run("for i = 1, 5000 do make() end")
      #expect(state.memoryPeak <= (8 << 20) + 20_000)
      let error = state.failure(of: "local kept = {} for i = 1, 5000 do kept[i] = make() end")
      #expect(error?.kind == .memory)
      #expect(counter.live < 900)
      state.collectGarbage()
      #expect(counter.live == 0)
      #expect(state.memoryUsed < 1 << 20)
    }
  }
}
