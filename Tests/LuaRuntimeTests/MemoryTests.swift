import Testing

@testable import LuaRuntime

/// Everything the runtime does, in small: objects, records, thrown errors, callbacks, tables, coroutines, iterators.
private struct Scenario {
  let counter = Life.Counter()

  static let script = """
    local kept = {}
    for i = 1, 10 do
      local life = make(i)
      kept[i] = life
      local s = life.name .. life:double()
      assert(not pcall(fail, 'boom ' .. i))
      assert(callback(function(x) return x * 2 end, i) == i * 2)
      assert(totable(life).name == life.name)
      local co = coroutine.wrap(function() for k = 1, 3 do coroutine.yield(join('k', tostring(k))) end end)
      co() co()
      local waiting = coroutine.wrap(wait)
      assert(waiting(i) == i and waiting('x') == 'x')
      pcall(callback, function() error({code = i}) end, i)
      assert(record(i).row == i)
      s = s:gsub('%d+', '<%0>'):rep(3, ', ')
      table.sort(kept, function(a, b) return a.name > b.name end)
    end
    for i, life in each(30) do if i == 15 then break end end
    return #kept
    """

  /// Opens libraries and defines the functions of the script, each with an object of its own in its frame.
  func setUp(_ state: LuaState) throws {
    try state.openStandardLibraries(sandboxed: true)
    let counter = counter
    let lives = try LuaClass<Life>(state, name: "Life", keepsIdentity: true, objectBytes: 100) { definition in
      definition.method("double") { life, stack in
        stack.push(life.value * 2)
        return 1
      }
      definition.index { life, stack in
        stack.push("life number \(life.value) of a state")
        return 1
      }
    }
    func define(_ name: String, _ body: @escaping (LuaStack) throws -> Int32) {
      state.setGlobal(name) { stack in
        let temporary = Life(counter)
        defer { withExtendedLifetime(temporary) {} }
        return try body(stack)
      }
    }
    define("make") { stack in
      lives.push(Life(counter, value: try stack.integerArgument(at: 1)), on: stack)
      return 1
    }
    define("fail") { stack in throw Mishap(description: "from Swift: \(try stack.stringArgument(at: 1))") }
    define("join") { stack in
      stack.push(try stack.stringArgument(at: 1) + stack.stringArgument(at: 2) + String(repeating: "-", count: 100))
      return 1
    }
    define("callback") { stack in
      try stack.call(arguments: stack.count - 1, results: 1)
      return 1
    }
    define("wait") { stack in
      let life = Life(counter)
      return try stack.yield(1) { stack in
        withExtendedLifetime(life) {}
        return stack.count
      }
    }
    define("totable") { stack in
      let name = "life number \(try lives.argument(at: 1, on: stack).value) of a state"
      stack.pushTable(hash: 4)
      for (field, value) in [("name", name), ("again", name + "!")] {
        stack.push(value)
        stack.rawSet(field: field, at: -2)
      }
      return 1
    }
    define("each") { stack in
      var left = try stack.integerArgument(at: 1)
      let life = Life(counter)
      return try stack.pushIterator(
        next: { stack in
          guard left > 0 else { return 0 }
          left -= 1
          stack.push(left)
          lives.push(Life(counter, value: left), on: stack)
          return 2
        }, close: { withExtendedLifetime(life) {} })
    }
    defineRecords(state)
  }

  private func defineRecords(_ state: LuaState) {
    let access = LuaRecordAccess(
      get: { thread, payload, _, _ in
        LuaStack(thread).push(payload.load(as: Int.self))
        return 1
      }, set: { _, _, _, _ in 0 }, missingGet: { _, _ in 0 }, missingSet: { _, _ in 0 })
    let records = LuaRecordClass<Int>(state, name: "Record", access: access) { $0.property("row", id: 0) }
    state.setGlobal("record") { stack in
      records.push(Int(stack.integer(at: 1) ?? 0), on: stack)
      return 1
    }
  }
}

@Suite struct MemoryTests {
  @Test func everyAllocationMayFail() throws {
    let scenario = Scenario()
    let total = try {
      let state = try LuaState(memoryLimit: 1 << 30)
      defer { state.close() }
      try scenario.setUp(state)
      try state.run(Scenario.script)
      return state.allocations
    }()
    #expect(total > 500 && scenario.counter.live == 0, "\(total) allocations")
    var reported = 0
    var deferred: UInt64 = 0
    for number in 1...total {
      do {
        let state = try LuaState(memoryLimit: 1 << 30, failingAllocation: number)
        defer { state.close() }
        do {
          try scenario.setUp(state)
          try state.run(Scenario.script)
        } catch {
          reported += 1
        }
        deferred += state.deferredFailures
        state.failAllocation(0)
        #expect(throws: Never.self, "usable after the failure of allocation \(number)") {
          try state.run("local t = {} for i = 1, 10 do t[i] = i .. '' end")
        }
      } catch {
        reported += 1
        #expect(error.kind == .memory)
      }
      try #require(scenario.counter.live == 0, "after the failure of allocation \(number)")
    }
    // The others were caught by a pcall of the script.
    #expect(reported > total / 2)
    #expect(deferred > 100)
  }

  @Test func everyLimitIsKept() throws {
    let scenario = Scenario()
    var endings: Set<String> = []
    for limit in stride(from: 10_000, through: 150_000, by: 499) {
      do {
        let state = try LuaState(memoryLimit: limit)
        defer { state.close() }
        try scenario.setUp(state)
        try state.run(Scenario.script)
        endings.insert("done")
      } catch let error as LuaError {
        endings.insert(error.kind == .memory ? "memory" : error.message)
      }
      try #require(scenario.counter.live == 0, "with a limit of \(limit)")
    }
    #expect(endings.isSuperset(of: ["done", "memory"]))
  }

  @Test(arguments: [
    "return #string.rep('a', 1e9)",
    "local s = 'a' while true do s = s .. s end",
    "local t = {} for i = 1, 1e9 do t[i] = i end",
    "local t = {} for i = 1, 1e9 do t[i] = {} end",
    "local t = {} for i = 1, 1e9 do t[i] = swift(i) end",
    "local s = ('x'):rep(1e6) return (s:gsub('x', s))",
    "return table.concat(setmetatable({}, {__len = function() return 1e9 end, __index = function() return 'xxxxxxxx' end}))",
    "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end",
    "local t = {} for i = 1, 1e9 do t[i] = function() return i end end",
    "for i = 1, 1e9 do long(1e6) end kept = {} for i = 1, 1e9 do kept[i] = long(1e6) end",
  ])
  func theLimitEndsWhatGrowsWithoutEnd(_ code: String) throws {
    let counter = Life.Counter()
    try withState(limit: 32 << 20) { state in
      let lives = try LuaClass<Life>(state, name: "Life", objectBytes: 48) { _ in }
      state.setGlobal("swift") { stack in
        lives.push(Life(counter), on: stack)
        return 1
      }
      var calls = 0
      state.setGlobal("long") { stack in
        calls += 1
        guard calls != 1000 else { throw LuaError("garbage is collected") }
        stack.push([UInt8](repeating: 120, count: Int(stack.integer(at: 1) ?? 0)))
        return 1
      }
      let error = state.failure(of: code)
      #expect(error?.kind == .memory || error?.message.contains("garbage is collected") == true)
      #expect(state.memoryPeak < (32 << 20) + (2 << 20))
      state.collectGarbage()
      #expect(state.text(of: "local t = {} for i = 1, 1000 do t[i] = i end return #t") == "1000")
    }
    #expect(counter.live == 0)
  }

  @Test func accountedBytesDriveTheCollector() throws {
    let counter = Life.Counter()
    try withState(limit: 64 << 20) { state in
      // Small for Lua, large for Swift: the collector alone would wait too long.
      let lives = try LuaClass<Life>(state, name: "Life", objectBytes: 1 << 20) { _ in }
      state.setGlobal("make") { stack in
        lives.push(Life(counter), on: stack)
        return 1
      }
      try state.run("for i = 1, 1000 do make() end")
      state.accountExternalBytes(63 << 20)
      #expect(state.failure(of: "local t = {} for i = 1, 1000 do t[i] = make() end")?.kind == .memory)
      state.accountExternalBytes(-63 << 20)
      state.collectGarbage()
      #expect(state.memoryUsed < 1 << 20)
      try state.run("collectgarbage('stop') make() make()")
    }
    #expect(counter.live == 0)
  }

  @Test func oldObjectsThatSwiftHoldsMuchForAreCollected() throws {
    let counter = Life.Counter()
    var most = 0
    try withState(limit: 1 << 30) { state in
      let lives = try LuaClass<Life>(state, name: "Life", objectBytes: 1 << 20) { _ in }
      state.setGlobal("make") { stack in
        most = max(most, counter.live)
        lives.push(Life(counter), on: stack)
        return 1
      }
      // Each object survives young collections before it is dropped.
      try state.run(
        """
        for round = 1, 200 do
          local held = {}
          for i = 1, 10 do held[i] = make() end
          for i = 1, 3 do collectgarbage "step" end
        end
        """)
    }
    #expect(most < 200, "of 2,000 objects")
    #expect(counter.live == 0)
  }

  @Test func memoryOfSmallObjectsGoesBackWhenTheyAreDropped() throws {
    try withState(limit: 1 << 30) { state in
      let before = state.smallBlockBytes
      try state.run("held = {} for i = 1, 200000 do held[i] = { i, tostring(i), function() return i end } end")
      let full = state.smallBlockBytes
      try state.run("held = nil")
      state.collectGarbage()
      #expect(before == 0 || full > before + (20 << 20))
      #expect(state.smallBlockBytes <= before + (1 << 20))
    }
  }

  @Test(arguments: UInt64(1)...8) func listsOfSmallBlocksStaySound(seed: UInt64) throws {
    try withState(limit: 1 << 30) { state in
      try state.run("seed, held = \(seed), {}")
      for _ in 1...40 {
        // Strings of all sizes, tables and closures that grow and are dropped in any order.
        try state.run(
          """
          local function random(n)
            seed = (seed * 6364136223846793005 + 1442695040888963407)
            return (seed >> 33) % n + 1
          end
          for step = 1, 2000 do
            local place, kind = random(500), random(6)
            if kind == 1 then held[place] = string.rep("x", random(400))
            elseif kind == 2 then held[place] = { place, step }
            elseif kind == 3 then
              local grown = type(held[place]) == "table" and held[place] or {}
              for i = 1, random(40) do grown[#grown + 1] = i end
              held[place] = grown
            elseif kind == 4 then held[place] = function() return place, step end
            elseif kind == 5 then held[place] = { [tostring(step)] = place }
            else held[place] = nil end
          end
          if random(4) == 1 then collectgarbage() end
          """)
        #expect(state.areSmallBlocksSound)
      }
      try state.run("held = nil")
      state.collectGarbage()
      #expect(state.areSmallBlocksSound)
    }
  }

  @Test func aLimitMayBeRaised() throws {
    try withState(limit: 1 << 20) { state in
      let code = "return #string.rep('x', 2000000)"
      #expect(state.failure(of: code)?.kind == .memory)
      state.memoryLimit = 16 << 20
      #expect(state.text(of: code) == "2000000")
      #expect(throws: LuaError.self) { _ = try LuaState(memoryLimit: 100) }
    }
  }
}
