import Glibc
import Testing

@testable import LuaRuntime

/// Interrupts a state from another thread, and ends the process if that does not help for long.
private final class Interrupter: @unchecked Sendable {
  enum Means: CaseIterable {
    case signal, call
  }

  private let state: LuaState
  private let means: Means
  private let name: String
  private let delay: UInt32
  private var thread = pthread_t()
  private var isDone: UnsafeMutablePointer<sig_atomic_t>

  init(_ state: LuaState, _ means: Means, name: String, after milliseconds: UInt32 = 20) {
    self.state = state
    self.means = means
    self.name = name
    delay = milliseconds * 1000
    isDone = .allocate(capacity: 1)
    isDone.initialize(to: 0)
    let this = Unmanaged.passRetained(self).toOpaque()
    pthread_create(&thread, nil, { Unmanaged<Interrupter>.fromOpaque($0!).takeRetainedValue().run() }, this)
  }

  private func run() -> UnsafeMutableRawPointer? {
    usleep(delay)
    for round in 0..<12_000 {
      if isDone.pointee != 0 { return nil }
      // On a busy machine the first one may come before the script begins.
      if round % 100 == 0 { interrupt() }
      usleep(10_000)
    }
    fatalError("not stopped after 120 s: \(name)")
  }

  private func interrupt() {
    switch means {
    case .signal: kill(getpid(), SIGINT)  // to the process: any thread may take it
    case .call: state.interrupt()
    }
  }

  func finish() {
    isDone.pointee = 1
    pthread_join(thread, nil)
    isDone.deallocate()
  }
}

@Suite(.serialized) struct InterruptTests {
  private func withInterruptible(_ body: (LuaState) throws -> Void) throws {
    try withState(limit: 256 << 20) { state in
      state.installSignalHandler()
      defer { state.uninstallSignalHandler() }
      defineFunctions(state)
      try body(state)
    }
  }

  private func defineFunctions(_ state: LuaState) {
    state.setGlobal("swiftloop") { stack in
      while true {
        stack.pushCopy(of: 1)
        do {
          try stack.call()
        } catch {
          if stack.state.isInterrupted { throw error }
        }
        try stack.state.checkInterrupt()
      }
    }
    state.setGlobal("sleeploop") { stack in
      while !stack.state.isInterrupted { usleep(1000) }
      return 0
    }
    state.setGlobal("empty") { stack in
      stack.push("")
      return 1
    }
    state.setGlobal("zero") { stack in
      stack.push(0)
      return 1
    }
  }

  private static let endless = [
    "while true do end",
    "local function f() return f() end f()",
    "for i = 1, math.huge do end",
    "while true do pcall(function() while true do end end) end",
    "while true do pcall(error, 'x') end",
    "while true do xpcall(function() while true do end end, function() while true do end end) end",
    "coroutine.wrap(function() while true do end end)()",
    """
    while true do
      pcall(function()
        local co = coroutine.create(function() while true do pcall(function() while true do end end) end end)
        while true do coroutine.resume(co) end
      end)
    end
    """,
    "local co = coroutine.wrap(function() while true do coroutine.yield(1) end end) while true do co() end",
    """
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, {__close = function() while true do end end})
      coroutine.yield()
    end)
    coroutine.resume(co)
    while true do pcall(coroutine.close, co) end
    """,
    "local t = {} for i = 1, 2e5 do t[i] = math.random() end while true do table.sort(t, function(a, b) return a < b end) end",
    "local t = {} for i = 1, 2e5 do t[i] = math.random() end while true do table.sort(t) t[1] = 2 end",
    "table.sort(setmetatable({}, {__len = function() return 2^31 - 2 end, __index = zero, __newindex = zero}), rawequal)",
    "local s = ('x'):rep(1e6) while true do s:gsub('.', function(c) return c end) end",
    "local s = ('x'):rep(1e6) while true do s:gsub('.', string.upper) end",
    "do local x <close> = setmetatable({}, {__close = function() while true do end end}) end",
    "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
    "load(function() return ' ' end)",
    "while true do pcall(load, empty) load(function() return ' ' end) end",
    "swiftloop(function() end)",
    "swiftloop(function() error('x') end)",
    "while true do pcall(swiftloop, function() end) end",
    "sleeploop()",
    "return table.concat(setmetatable({}, {__len = function() return 1e15 end, __index = function() return '' end}))",
    "return table.concat(setmetatable({}, {__len = function() return math.maxinteger end, __index = empty}))",
    "while true do string.rep('', 1e15) end",
    "return table.move({}, 1, 1e15, 2)",
    "return table.move({}, 1, 1e15, 2, setmetatable({}, {__newindex = zero}))",
    "table.insert(setmetatable({}, {__len = function() return 1e15 end}), 1, 1)",
    "table.remove(setmetatable({}, {__len = function() return 1e15 end}), 1)",
    "local t = {} for i = 0, 62 do t[1 << i] = 1 end table.insert(t, 1, 1) while true do end",
    "return ('a'):rep(3000):find('.-.-.-.-b')",
    "return ('a'):rep(5000):match('(.*)(.*)(.*)(.*)b')",
    "while true do (('('):rep(2e6)):gsub('%b()', '') end",
    "for word in ('a'):rep(5000):gmatch('.-.-.-.-b') do end",
  ]

  @Test(arguments: Interrupter.Means.allCases)
  fileprivate func whatNeverEndsIsStopped(by means: Interrupter.Means) throws {
    try withInterruptible { state in
      for code in Self.endless {
        let interrupter = Interrupter(state, means, name: code)
        let error = state.failure(of: code)
        interrupter.finish()
        #expect(error?.kind == .interrupted, "\(code): \(error?.message ?? "ended by itself")")
        #expect(error?.message == "interrupted" && state.isInterrupted)
        state.clearInterrupt()
        #expect(state.stack.count == 0)
        state.collectGarbage()
      }
      try state.run(
        """
        local n = 0
        for i = 1, 1000 do n = n + i end
        assert(n == 500500)
        local co = coroutine.wrap(function() coroutine.yield(7) end)
        assert(co() == 7 and pcall(error) == false)
        """)
    }
  }

  @Test func anInterruptionStaysUntilItIsCleared() throws {
    try withState { state in
      state.interrupt()
      #expect(state.interruption == .interrupted)
      #expect(state.failure(of: "return 1")?.kind == .interrupted)
      #expect(state.failure(of: "return 1")?.kind == .interrupted)
      #expect(throws: LuaError.self) { try state.checkInterrupt() }
      state.clearInterrupt()
      #expect(state.text(of: "return 1") == "1")
      try state.checkInterrupt()
    }
  }

  @Test func aTracebackSaysWhereItWas() throws {
    try withState { state in
      state.setGlobal("interrupt") { stack in
        stack.state.interrupt()
        return 0
      }
      let error = state.failure(of: "local function inner() interrupt() end\n\ninner()")
      #expect(error?.kind == .interrupted)
      #expect(error?.traceback?.contains("test:1: in") == true)
      state.clearInterrupt()
    }
  }

  @Test func closersOfSwiftRunWhenALoopIsInterrupted() throws {
    try withInterruptible { state in
      var open = 0
      state.setGlobal("each") { stack in
        open += 1
        return try stack.pushIterator(
          next: { stack in
            stack.push(true)
            return 1
          }, close: { open -= 1 })
      }
      for code in [
        "for _ in each() do end", "while true do pcall(function() for _ in each() do end end) end",
        "coroutine.wrap(function() for _ in each() do while true do end end end)()",
      ] {
        let interrupter = Interrupter(state, .signal, name: code)
        #expect(state.failure(of: code)?.kind == .interrupted)
        interrupter.finish()
        state.clearInterrupt()
        state.collectGarbage()
        #expect(open == 0, "\(code)")
      }
    }
  }

  @Test func interruptiblesAreToldAndMayBeRemoved() throws {
    try withState { state in
      let told = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      defer { told.deallocate() }
      told.initialize(to: 0)
      let place = state.addInterruptible(told) { $0!.assumingMemoryBound(to: Int32.self).pointee += 1 }
      state.interrupt()
      #expect(told.pointee == 1)
      place.remove()
      state.interrupt()
      #expect(told.pointee == 1)
      state.clearInterrupt()
      for _ in 0..<100 { state.addInterruptible(told) { _ in }.remove() }
    }
  }

  @Test func aTimeLimitStopsWhatRuns() throws {
    try withInterruptible { state in
      for code in [
        "while true do end", "while true do pcall(function() while true do end end) end", "sleeploop()",
        "return ('a'):rep(3000):find('.-.-.-.-b')",
      ] {
        try state.setTimeLimit(seconds: 0.02)
        let error = state.failure(of: code)
        #expect(error?.kind == .timedOut && error?.message == "time limit exceeded")
        #expect(state.interruption == .timedOut)
        state.clearInterrupt()
      }
      try state.setTimeLimit(seconds: 0.02)
      try state.setTimeLimit(seconds: nil)
      usleep(30_000)
      #expect(state.interruption == nil)
      try state.setTimeLimit(seconds: 3600)
      #expect(state.text(of: "return 1") == "1")
      try state.setTimeLimit(seconds: 0.001)
      usleep(5000)
      #expect(state.failure(of: "return 1")?.kind == .timedOut)
      try state.setTimeLimit(seconds: .infinity)
      state.clearInterrupt()
      #expect(state.text(of: "return 1") == "1")
    }
  }

  @Test func theFirstReasonStays() throws {
    try withState { state in
      try state.setTimeLimit(seconds: 0.001)
      usleep(5000)
      state.interrupt()
      #expect(state.interruption == .timedOut)
      state.clearInterrupt()
    }
  }
}
