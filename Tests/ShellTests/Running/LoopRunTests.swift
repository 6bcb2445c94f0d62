import Foundation
import Glibc
import Testing

/// Scripts that wait in `runLoop`, and what becomes of timers at their end.
@Suite struct LoopRunTests {
  @Test func aScriptWaitsUntilItStopsTheLoop() throws {
    let result = try BuiltProgram().run(
      script: """
        local n = 0
        every(0.01, function() n = n + 1 print(n) if n == 3 then stopLoop() end end)
        runLoop()
        print 'done'
        """)
    #expect(result.output == "1\n2\n3\ndone\n")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: [["-e", "after(0, print)"], ["s.lua"], ["-"]]) func timersThatStillWaitAreDropped(
    _ arguments: [String]
  ) throws {
    let program = try BuiltProgram()
    try program.write("s.lua", "every(0.001, print)")
    let result = try program.run(arguments, input: "after(0, print)")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.isEmpty || result.output == "observation\n")
  }

  @Test func anErrorInATimerHasATracebackStopsNothingAndMakesTheStatusOne() throws {
    let result = try BuiltProgram().run(
      script: """
        after(0, function()
          local function inner() local x = nil; return x.y end
          print(inner())
        end)
        after(0, function() io.stderr:write 'goes on\\n' end)
        runLoop { seconds = 0.01 }
        print 'done'
        """)
    #expect(result.status == 1)
    #expect(result.output == "done\n")
    #expect(
      result.errors
        == """
        script.lua:2: error: attempt to index a nil value (local 'x')
        stack traceback:
        \tscript.lua:2: in upvalue 'inner'
        \tscript.lua:3: in function <script.lua:1>
        \t[C]: in function 'runLoop'
        \tscript.lua:6: in main chunk
        goes on

        """.replacing(
          "upvalue 'inner'", with: result.errors.contains("local 'inner'") ? "local 'inner'" : "upvalue 'inner'"),
      "\(result.errors)")
  }

  @Test func anErrorInACallbackIsToldWhenItHappens() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      local live = Quake:all():live()
      live:onChange(function() error 'first' end)
      effect(function() if #live > 5 then error 'second' end end)
      Quake { code = 'a' } save()
      io.stderr:write 'after\\n'
      """
    let result = try program.run(["quakes.sqlite", "-e", code])
    #expect(result.status == 1)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("error: ") || $0 == "after" }
    #expect(lines == ["-e:2: error: first", "-e:3: error: second", "after"])
  }

  @Test func whatStoppedInACallbackIsNamed() throws {
    let program = try BuiltProgram.withStore()
    for code in [
      "Quake:all():live():onChange(function()\nwhile true do end end) Quake { code = 'a' } save()",
      "after(0, function()\nwhile true do end end) runLoop()",
      // At the end of the script.
      "Quake:all():live():onChange(function()\nwhile true do end end) Quake { code = 'a' }",
    ] {
      let result = try program.run(["--timeout", "1", "quakes.sqlite", "-e", code])
      #expect(result.status == 124)
      #expect(result.errors.contains(" in -e:2\n"), "\(result.errors)")
    }
  }

  @Test func exitInATimerIsTheStatusOfTheRun() throws {
    let result = try BuiltProgram().run(["-e", "after(0, function() os.exit(7) end) pcall(runLoop) print 'never'"])
    #expect(result.status == 7)
    #expect(result.output.isEmpty)
  }

  @Test func theTimeLimitEndsALoop() throws {
    let result = try BuiltProgram().run(["--timeout", "0.2", "-e", "pcall(runLoop) print 'never'"])
    #expect(result.status == 124)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("the time limit stopped it"))
  }

  @Test(arguments: [
    "pcall(runLoop) print 'never'", "every(0.001, function() end) runLoop()",
    "every(0.001, function() while true do end end) pcall(runLoop) print 'never'",
  ])
  func controlCEndsALoop(_ code: String) throws {
    let program = try BuiltProgram()
    try program.write("s.lua", "io.stderr:write('ready\\n')\n" + code)
    let script = """
      perilune s.lua 2> messages & pid=$!
      while ! grep -q ready messages; do sleep 0.02; done
      sleep 0.1; kill -INT $pid; wait $pid
      """
    let result = try program.shell(["bash", "-c", "set -m; " + script])
    #expect(result.status == 130)
    #expect(result.output.isEmpty)
    #expect(try String(contentsOfFile: program.path("messages"), encoding: .utf8).contains("perilune: stopped after "))
  }

  @Test func whatWasPrintedIsSeenWhileTheLoopWaits() throws {
    let program = try BuiltProgram()
    try program.write("s.lua", "io.write 'waiting' runLoop()")
    let script = """
      perilune s.lua > printed & pid=$!
      for i in $(seq 500); do grep -q waiting printed && break; sleep 0.02; done
      cat printed; kill -INT $pid; wait $pid
      """
    let result = try program.shell(["bash", "-c", "set -m; " + script])
    #expect(result.output == "waiting")
  }

  @Test func eachTimerSavesByItselfWhereItsContextDoes() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      context.autosave = true
      after(0, function() Quake { code = 'a' } end)
      after(0, function() Quake { code = 'b' } error 'half' end)
      runLoop { seconds = 0 }
      print(context.hasChanges)
      os.exit(true)
      """
    let result = try program.run(["quakes.sqlite", "-e", code])
    #expect(result.output == "true\n")
    #expect(result.status == 1)
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "7\n")
  }

  @Test func aCommandInAScriptIsNoTurnOfItsOwn() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      context.autosave = true
      Quake { code = 'a' }
      perilune.sql 'UPDATE quake SET magnitude = 9'
      print(context.hasChanges, Quake:find('us1').magnitude)
      """
    let result = try program.run(["quakes.sqlite", "-e", code])
    #expect(result.output == "true\t9.0\n")
    #expect(result.status == 0)
  }

  @Test func theSandboxHasTimers() throws {
    let result = try BuiltProgram().run(["--sandbox", "-e", "after(0, function() print 'in' stopLoop() end) runLoop()"])
    #expect(result.output == "in\n")
  }
}
