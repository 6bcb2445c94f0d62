import Testing

@testable import LuaRuntime

@Suite struct StackTests {
  @Test func valuesComeBackAsTheyWerePushed() throws {
    try withState { state in
      let stack = state.stack
      stack.pushNil()
      stack.push(true)
      stack.push(Int64.min)
      stack.push(1.5)
      stack.push("naïve")
      stack.push([0xff, 0x00, 0x41] as [UInt8])
      stack.push(literal: "literal")
      #expect(stack.count == 7)
      #expect(stack.isNil(at: 1) && !stack.isNil(at: 8) && stack.isNoneOrNil(at: 8))
      #expect(stack.bool(at: 2))
      #expect(stack.integer(at: 3) == .min)
      #expect(stack.number(at: 4) == 1.5)
      #expect(stack.string(at: 5) == "naïve")
      #expect(stack.bytes(at: 6) == [0xff, 0x00, 0x41])
      #expect(stack.string(at: -1) == "literal")
      #expect(
        (1...8).map { stack.type(at: $0).name }.joined(separator: " ")
          == "nil boolean number number string string string no value")
    }
  }

  @Test func numbersAndStringsAreNotConverted() throws {
    try withState { state in
      let stack = state.stack
      stack.push(3.0)
      stack.push("10")
      stack.push(3.5)
      stack.push(1e300)
      #expect(stack.integer(at: 1) == 3 && !stack.isInteger(at: 1))
      #expect(stack.integer(at: 2) == nil && stack.number(at: 2) == nil)
      #expect(stack.integer(at: 3) == nil && stack.integer(at: 4) == nil)
      #expect(stack.string(at: 1) == nil)
      #expect(stack.type(at: 1) == .number, "asking for a string does not change the number")
    }
  }

  @Test func fieldsArePushedInTheOrderOfTheirNamesAndOthersCounted() throws {
    try withState { state in
      let stack = state.stack
      try state.load("return { 'a', 'b', 'c' }", name: "=names")
      try stack.call(results: 1)
      let names = stack.popReference()
      let source = """
        return setmetatable({ c = 3, a = 1, d = 4, [7] = true }, { __index = { b = 2 } }), {}, { b = false }
        """
      try state.load(source, name: "=tables")
      try stack.call(results: 3)
      for (table, others, fields) in [(1, 2, "number nil number"), (2, 0, "nil nil nil"), (3, 0, "nil boolean nil")] {
        #expect(stack.pushFields(of: Int32(table), named: names, count: 3) == others)
        #expect((4...6).map { stack.type(at: $0).name }.joined(separator: " ") == fields)
        stack.setCount(3)
      }
    }
  }

  @Test func invalidUTF8IsNotAStringButCanBeRepaired() throws {
    try withState { state in
      state.stack.push([0x61, 0xff] as [UInt8])
      #expect(state.stack.string(at: 1) == nil)
      #expect(state.stack.repairedString(at: 1) == "a\u{FFFD}")
    }
  }

  @Test func valuesMoveOnTheStack() throws {
    try withState { state in
      let stack = state.stack
      for number in 1...4 { stack.push(number) }
      stack.insert(at: 1)  // 4 1 2 3
      stack.remove(at: 2)  // 4 2 3
      stack.replace(at: 1)  // 3 2
      stack.pushCopy(of: 1)  // 3 2 3
      stack.rotate(from: 1, by: 1)  // 3 3 2
      #expect((1...3).map { stack.integer(at: $0) } == [3, 3, 2])
      #expect(stack.absolute(-1) == 3)
    }
  }

  @Test func rawAccessAsksNoMetamethod() throws {
    try withState { state in
      let stack = state.stack
      try state.run("return setmetatable({}, {__index = error, __newindex = error, __len = error})", results: 1)
      stack.push(5)
      stack.rawSet(field: "five", at: 1)
      stack.push("first")
      stack.rawSet(element: 1, at: 1)
      #expect(stack.rawGet(field: "five", at: 1) == .number)
      #expect(stack.rawGet(element: 1, at: 1) == .string)
      #expect(stack.rawGet(field: "absent", at: 1) == .nil)
      #expect(stack.rawLength(at: 1) == 1)
      #expect(stack.rawGet(field: "x", at: 2) == .nil, "a number has no fields")
    }
  }

  @Test func aRawKeyIsNeitherNilNorNaN() throws {
    try withState { state in
      let stack = state.stack
      stack.pushTable()
      stack.pushNil()
      stack.push(1)
      #expect(!stack.rawSet(at: 1))
      stack.push(Double.nan)
      stack.push(1)
      #expect(!stack.rawSet(at: 1))
      stack.push(2.0)
      stack.push(1)
      #expect(stack.rawSet(at: 1))
      #expect(stack.count == 1 && stack.rawGet(element: 2, at: 1) == .number)
    }
  }

  @Test func protectedAccessThrowsWhatMetamethodsRaise() throws {
    try withState { state in
      let stack = state.stack
      try state.run(
        """
        return setmetatable({}, {
          __index = function(_, key) if key == 'bad' then error('no ' .. key, 0) end return key end,
          __newindex = function() error('read only', 0) end,
          __len = function() return 7 end, __tostring = function() return 'seven' end,
          __eq = function() return true end, __lt = function() error('unordered', 0) end,
          __concat = function() return 'joined' end, __unm = function() return 'minus' end })
        """, results: 1)
      try stack.get(field: "good", at: 1)
      #expect(stack.string(at: -1) == "good")
      try stack.get(element: 3, at: 1)
      #expect(stack.integer(at: -1) == 3)
      stack.setCount(1)
      #expect(throws: LuaError.self) { try stack.get(field: "bad", at: 1) }
      stack.push(1)
      #expect(throws: LuaError.self) { try stack.set(field: "x", at: 1) }
      stack.push(1)
      #expect(throws: LuaError.self) { try stack.set(element: 1, at: -2) }
      #expect(stack.count == 1, "a failed operation leaves nothing")
      #expect(try stack.length(at: 1) == 7)
      #expect(try stack.toDisplayString(at: 1) == "seven")
      stack.pushTable()
      #expect(try stack.compare(1, .equal, 2))
      #expect(throws: LuaError.self) { try stack.compare(1, .less, 2) }
      try stack.concatenate(2)
      #expect(stack.string(at: -1) == "joined")
      stack.push(20)
      stack.push(22)
      try stack.calculate(.add)
      #expect(stack.integer(at: -1) == 42)
      #expect(throws: LuaError.self) {
        stack.pushNil()
        try stack.calculate(.negate)
      }
      #expect(stack.count == 2)
    }
  }

  @Test func everyPairIsVisitedOnceAndTheStackIsKept() throws {
    try withState { state in
      let stack = state.stack
      try state.run("return {10, 20, x = 30}", results: 1)
      var sum: Int64 = 0
      var keys = 0
      try stack.forEachPair(at: -1) { stack in
        sum += stack.integer(at: -1) ?? 0
        keys += stack.type(at: -2) == .string ? 1 : 0
      }
      #expect(sum == 60 && keys == 1 && stack.count == 1)
      #expect(throws: Mishap.self) { try stack.forEachPair(at: 1) { _ in throw Mishap(description: "stop") } }
      #expect(stack.count == 1)
      #expect(throws: LuaError.self) {
        try stack.forEachPair(at: 1) { stack in
          for index in 1...100 {
            stack.push(true)
            stack.rawSet(field: "new\(index)", at: 1)
          }
          stack.pushNil()
          stack.rawSet(element: 1, at: 1)
          stack.pushNil()
          stack.rawSet(element: 2, at: 1)
          stack.state.collectGarbage()
          throw LuaError("a changed table")
        }
      }
    }
  }

  @Test func referencesKeepValuesAndForgetThem() throws {
    let counter = Life.Counter()
    var kept: LuaReference?
    try withState { state in
      let lives = try LuaClass<Life>(state, name: "Life") { _ in }
      lives.push(Life(counter), on: state.stack)
      var reference: LuaReference? = state.stack.popReference()
      state.collectGarbage()
      #expect(counter.live == 1)
      reference?.push(on: state.stack)
      #expect(lives.object(at: -1, on: state.stack) != nil)
      state.stack.pop()
      reference = nil
      state.collectGarbage()
      #expect(counter.live == 0)
      state.stack.push("outlives the state")
      kept = state.stack.popReference()
    }
    try withState { state in
      kept?.push(on: state.stack)
      #expect(state.stack.isNil(at: -1), "a reference to another state is nil")
    }
  }

  @Test func globalsAreSetAndRead() throws {
    try withState { state in
      state.stack.push(5)
      state.setGlobal("five")
      #expect(state.text(of: "return five + 1") == "6")
      #expect(state.pushGlobal("five") == .number)
      #expect(state.pushGlobal("absent") == .nil)
    }
  }

  @Test func aChunkMayBeIncomplete() throws {
    try withState { state in
      #expect(state.failure(of: "for i = 1, 3 do")?.kind == .syntax(isIncomplete: true))
      #expect(state.failure(of: "x = 'open")?.kind == .syntax(isIncomplete: false))
      #expect(state.failure(of: "x = = 1")?.message.hasPrefix("test:1:") == true)
      #expect(state.stack.count == 0)
    }
  }

  @Test func theFirstLineOfAFileMayNameItsInterpreter() throws {
    try withState { state in
      try state.load("#!/usr/bin/env perilune\nreturn 1, debug, error", name: "@f.lua", isFile: true)
      try state.load("#! nothing else", name: "@f.lua", isFile: true)
      try state.load("", name: "@f.lua", isFile: true)
      #expect(state.failure(of: "# x")?.kind == .syntax(isIncomplete: false))
      let error = #expect(throws: LuaError.self) {
        try state.load("#!/usr/bin/env perilune\nx = = 1", name: "@f.lua", isFile: true)
      }
      #expect(error?.message.hasPrefix("f.lua:2:") == true)
    }
  }

  @Test func bytecodeIsNotLoaded() throws {
    try withState(sandboxed: false) { state in
      try state.run("return string.dump(function() end)", results: 1)
      let bytecode = try #require(state.stack.bytes(at: -1))
      #expect(throws: LuaError.self) { try state.load(bytecode, name: "=bytecode") }
    }
  }
}
