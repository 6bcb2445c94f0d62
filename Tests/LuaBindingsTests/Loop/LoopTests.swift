import Glibc
import LuaBindings
import LuaRuntime
import Reactive
import Testing

/// Timers, `runLoop` and the turns of programs with a loop of their own.
@Suite struct LoopTests {
  /// The messages of callbacks that failed.
  private final class Told {
    var reports: [ErrorReport] = []
    var messages: [String] { reports.map(\.message) }

    init(_ engine: Engine) {
      engine.host.onCallbackErrors = { [unowned self, unowned engine] in reports += $0.map(engine.report) }
    }
  }

  // MARK: Lua

  @Test func afterCallsOnceAndEveryAgainAndAgain() throws {
    let script = try Script()
    try script.run(
      """
      once, ticks = 0, 0
      after(0.001, function() once = once + 1 end)
      every(0.002, function() ticks = ticks + 1 if ticks == 4 then stopLoop() end end)
      runLoop { seconds = 60 }
      """)
    #expect(try script.value("once, ticks") == "1 4")
  }

  @Test func theLoopEndsWhenItsTimeIsOver() throws {
    let script = try Script()
    try script.run("calls = 0 after(0, function() calls = calls + 1 end) runLoop { seconds = 0 }")
    #expect(try script.value("calls") == "1")
    try script.run("after(0.02, function() calls = calls + 1 end) runLoop { seconds = 0.02 } runLoop { seconds = 0 }")
    #expect(try script.value("calls") == "2")
  }

  @Test func stopLoopSaysWhetherThereIsALoop() throws {
    let script = try Script()
    #expect(try script.value("stopLoop()") == "false")
    try script.run("after(0, function() first, second = stopLoop(), stopLoop() end) runLoop()")
    #expect(try script.value("first, second, stopLoop()") == "true false false")
  }

  @Test func aTimerThatATimerAddsRunsInTheNextRound() throws {
    let script = try Script()
    try script.run(
      """
      log = {}
      after(0, function()
        after(0, function() log[#log + 1] = "inner" stopLoop() end)
        log[#log + 1] = "first"
      end)
      after(0, function() log[#log + 1] = "second" end)
      runLoop()
      """)
    #expect(try script.value("table.concat(log, ' ')") == "first second inner")
  }

  @Test func aTokenEndsATimerByCancelAndAtTheEndOfItsBlock() throws {
    let script = try Script()
    try script.run(
      """
      calls = 0
      local function call() calls = calls + 1 end
      local token = every(0.001, call)
      do local closed <close> = every(0.001, call) end
      token:cancel()
      token:cancel()
      local own
      own = every(0.001, function() call() own:cancel() end)
      after(0.02, stopLoop)
      runLoop()
      """)
    #expect(try script.value("calls") == "1")
    #expect(script.engine.loop.secondsToNextTimer == nil)
  }

  @Test func wrongTimesAndFunctionsAreErrorsThatSayWhatIsWanted() throws {
    let script = try Script()
    for (call, message) in [
      ("after(-1, print)", "after: expected 0 seconds or more, got -1"),
      ("after(-math.huge, print)", "after: expected 0 seconds or more, got -inf"),
      ("after(math.huge, print)", "after: expected at most 1000000000 seconds, got inf"),
      ("every(1e300, print)", "every: expected at most 1000000000 seconds, got 1e+300"),
      ("every(0, print)", "every: expected more than 0 seconds, got 0"),
      ("after()", "after: expected a number of seconds, got no value"),
      ("after('soon', print)", "after: expected a number of seconds, got string"),
      ("after(1)", "after: expected a function, got no value"),
      ("every(1, {})", "every: expected a function, got table"),
      ("after(1, print, 2)", "after: expected at most 2 arguments, got 3: after(seconds, function() ... end) -> token"),
      ("runLoop(5)", "runLoop: expected a table of options, got number"),
      ("runLoop { seconds = -1 }", "runLoop: seconds: expected 0 seconds or more, got -1"),
      ("runLoop { seconds = 'x' }", "runLoop: seconds: expected a number, got string"),
      ("runLoop { second = 1 }", "runLoop: there is no option 'second'; did you mean 'seconds'?"),
      ("runLoop { deadline = 1 }", "runLoop: there is no option 'deadline'; expected seconds"),
      ("stopLoop(1)", "stopLoop: expected no arguments, got 1: stopLoop() -> boolean"),
    ] {
      #expect(script.error(call) == message)
    }
    #expect(script.error("after(0/0, print)")?.hasPrefix("after: expected 0 seconds or more, got ") == true)
    #expect(script.engine.loop.secondsToNextTimer == nil)
  }

  @Test func aCallbackCannotWaitInALoop() throws {
    let script = try Script()
    try script.run(
      """
      after(0, function() ok, message = pcall(runLoop) stopLoop() end)
      runLoop()
      """)
    #expect(try script.value("ok, message.message") == "false runLoop: the loop runs already")
    // Nor in a turn of the program's own loop.
    try script.run("after(0, function() ok, message = pcall(runLoop) end)")
    script.engine.loop.runTurn(ready: [])
    #expect(try script.value("message.message") == "runLoop: the loop runs already")
  }

  @Test func anObserverAndASaveCannotWait() throws {
    let script = try Script.sample()
    try script.run("function wait() ok, message = pcall(runLoop, { seconds = 0 }) end")
    let wait = try #require(try script.run("return wait").first)
    script.engine.turn.enqueue(order: 1, name: "waits") {
      script.engine.lua.stack.push(wait)
      try? script.engine.lua.stack.call()
    }
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("ok, message.message").hasPrefix("false runLoop: an observer cannot wait"))
    try script.run("context:on('willSave', wait) Quake { code = 'a' } save()")
    #expect(try script.value("ok, message.message").hasPrefix("false runLoop: a save or a batch insert is under way"))
  }

  @Test func aLoopInACoroutineRunsItsTimers() throws {
    let script = try Script()
    #expect(
      try script.value(
        """
        coroutine.wrap(function()
          local calls = 0
          after(0, function() calls = calls + 1 end)
          after(0.001, function() stopLoop() end)
          runLoop()
          return calls
        end)()
        """) == "1")
  }

  // MARK: Errors and interruption

  @Test func anErrorInATimerIsToldWithItsTracebackAndStopsNothing() throws {
    let script = try Script()
    let told = Told(script.engine)
    try script.run(
      """
      calls = 0
      every(0.001, function() calls = calls + 1 if calls == 3 then stopLoop() end error("number " .. calls, 0) end)
      after(0, function() local function inner() error { code = 1 } end inner() end)
      runLoop()
      """)
    #expect(try script.value("calls") == "3")
    #expect(told.messages.filter { $0.hasPrefix("number") } == ["number 1", "number 2", "number 3"])
    let traceback = told.reports.first { !$0.message.hasPrefix("number") }?.traceback ?? ""
    #expect(traceback.contains("test:3: in upvalue 'inner'") || traceback.contains("test:3: in local 'inner'"))
    #expect(traceback.contains("in function 'runLoop'"))
  }

  @Test func whatNobodyIsToldAtOnceTheEndOfTheTurnTells() throws {
    let script = try Script()
    try script.run("after(0, function() error('one', 0) end) runLoop { seconds = 0 }")
    #expect(script.engine.turns.end().map { script.engine.report($0).message } == ["one"])
    #expect(script.engine.turns.end().isEmpty)
  }

  @Test func anInterruptionEndsTheLoopAndNoPcallKeepsIt() throws {
    let script = try Script()
    try script.run("after(0, function() interrupted = true end)")
    script.engine.host.willWait = { script.engine.interrupt() }
    #expect { try script.run("pcall(runLoop) reached = true") } throws: { error in
      (error as? LuaError)?.kind == .interrupted
    }
    script.engine.lua.clearInterrupt()
    script.engine.host.willWait = nil
    #expect(try script.value("reached") == "nil")
    // The timer still waits: nothing of the loop is spoiled.
    try script.run("runLoop { seconds = 0 }")
    #expect(try script.value("interrupted") == "true")
  }

  @Test func theTimeLimitWakesTheLoop() throws {
    let script = try Script()
    try script.engine.lua.setTimeLimit(seconds: 0.05)
    #expect { try script.run("pcall(runLoop)") } throws: { error in (error as? LuaError)?.kind == .timedOut }
    try script.engine.lua.setTimeLimit(seconds: nil)
    script.engine.lua.clearInterrupt()
  }

  @Test func anInterruptedTimerRepeatsAndThoseAfterItAreNotLost() throws {
    let script = try Script()
    try script.run(
      """
      calls, after_calls = 0, 0
      every(0.001, function() calls = calls + 1 if calls == 1 then while true do end end end)
      after(0.001, function() after_calls = after_calls + 1 end)
      """)
    try script.engine.lua.setTimeLimit(seconds: 0.05)
    #expect { try script.run("runLoop()") } throws: { error in (error as? LuaError)?.kind == .timedOut }
    try script.engine.lua.setTimeLimit(seconds: nil)
    script.engine.lua.clearInterrupt()
    try script.run("after(0.02, stopLoop) runLoop()")
    #expect(try script.value("calls > 1, after_calls") == "true 1")
  }

  @Test func exitInATimerEndsTheScript() throws {
    let script = try Script()
    #expect { try script.run("after(0, function() os.exit(7) end) pcall(runLoop)") } throws: { error in
      (error as? LuaError)?.kind == .exit(status: 7)
    }
  }

  // MARK: Turns

  @Test func eachTimerIsATurnThatTellsObserversAndSaves() throws {
    let script = try Script.sample()
    var rounds = 0
    let preparation = script.engine.turn.addPreparation { rounds += 1 }
    defer { preparation.cancel() }
    try script.run("context.autosave = true after(0, function() Quake { code = 'a' } end) after(0, function() end)")
    rounds = 0
    script.engine.loop.runTurn(ready: [])
    #expect(rounds >= 2)
    #expect(try script.value("context.hasChanges, Quake:count()") == "false 1")
    let told = Told(script.engine)
    try script.run("after(0, function() Quake { code = 'b' } error('half', 0) end)")
    script.engine.loop.runTurn(ready: [])
    #expect(told.messages == ["half"])
    #expect(try script.value("context.hasChanges") == "true")
  }

  @Test func theLoopBeginsByTellingWhatTheScriptChanged() throws {
    let script = try Script()
    let turn = script.engine.turn
    var told = 0
    script.engine.lua.setGlobal("change") { _ in
      turn.enqueue(order: turn.nextOrder(), name: "observer") { told += 1 }
      return 0
    }
    var toldBeforeWaiting = 0
    script.engine.host.willWait = { toldBeforeWaiting = told }
    try script.run("change() runLoop { seconds = 0 }")
    #expect(toldBeforeWaiting == 1)
  }

  @Test func aProgramWithALoopOfItsOwnWatchesDescriptorsAndAsksForTheTime() throws {
    let script = try Script()
    #expect(script.engine.loop.secondsToNextTimer == nil)
    #expect(script.engine.loop.descriptors.isEmpty)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let reading = ends[0]
    var runs = 0
    let token = script.engine.loop.add(LoopSource(descriptor: { reading }) { runs += 1 })
    #expect(script.engine.loop.descriptors == [reading])
    #expect(script.engine.loop.secondsToNextTimer == nil)
    script.engine.loop.runTurn(ready: [])
    script.engine.loop.runTurn(ready: [reading + 1])
    #expect(runs == 0)
    script.engine.loop.runTurn(ready: [reading])
    #expect(runs == 1)
    // A script that waits attends to it, too.
    _ = write(ends[1], "x", 1)
    var byte: UInt8 = 0
    let reader = script.engine.loop.add(
      LoopSource(descriptor: { reading }) { [unowned engine = script.engine] in
        _ = read(reading, &byte, 1)
        _ = try? engine.evaluate("stopLoop()")
      })
    try script.run("runLoop { seconds = 60 }")
    #expect(byte == UInt8(ascii: "x"))
    #expect(runs >= 2)
    reader.cancel()
    token.cancel()
    #expect(script.engine.loop.descriptors.isEmpty)
  }

  @Test func aSourceWithAnIntervalIsRunWithoutInput() throws {
    let script = try Script()
    var runs = 0
    let token = script.engine.loop.add(LoopSource(interval: { 0.005 }) { runs += 1 })
    #expect(try #require(script.engine.loop.secondsToNextTimer) <= 0.005)
    try script.run("runLoop { seconds = 0.05 }")
    #expect((1...11).contains(runs))
    token.cancel()
    #expect(script.engine.loop.secondsToNextTimer == nil)
  }

  @Test func aSourceThatRestsWaitsWithWhatComes() throws {
    let script = try Script()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let reading = ends[0]
    var (runs, end) = (0, Double?.some(.infinity))
    let token = script.engine.loop.add(
      LoopSource(descriptor: { reading }, interval: { 0 }, restsUntil: { end }) { runs += 1 })
    #expect(script.engine.loop.descriptors.isEmpty)
    #expect(script.engine.loop.secondsToNextTimer == .infinity)
    script.engine.loop.runTurn(ready: [reading])
    #expect(runs == 0)
    end = 0
    #expect(script.engine.loop.descriptors == [reading])
    script.engine.loop.runTurn(ready: [reading])
    #expect(runs == 1)
    token.cancel()
  }

  @Test func aClosedEngineRunsNothing() throws {
    let script = try Script()
    try script.run("after(0, function() called = true end)")
    script.engine.close()
    script.engine.loop.runTurn(ready: [])
    #expect(script.engine.loop.secondsToNextTimer == nil)
  }
}
