import Foundation
import Testing

@testable import Shell

/// A prompt in the middle of a script, on a real terminal.
@Suite(.serialized) struct ReplFunctionTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram.withStore()
    try program.write(
      "walk.lua",
      """
      local factor = 2
      local function double(quake)
        local value = quake.magnitude * factor
        repl()
        return value
      end
      for _, quake in ipairs(Quake:all():sorted("code"):fetch()) do
        if quake.code == "us2" then print("got", double(quake)) end
      end
      print("end", factor)
      """)
  }

  private func session(_ command: String) throws -> PTYSession {
    try PTYSession(
      executable: "/bin/sh",
      arguments: ["-c", "trap : INT; cd '\(program.folder.path)'; \(command); echo status $?; sleep 60"],
      environment: program.environment.merging(["NO_COLOR": "1"]) { $1 }, columns: 100, rows: 24)
  }

  @Test func thePromptSeesAndSetsTheLocalsOfTheFunction() throws {
    let session = try session("perilune quakes.sqlite walk.lua")
    try session.expect("repl at walk.lua:4 · locals factor, quake, value · Ctrl-D goes on")
    session.send("quake.code .. '/' .. value .. '/' .. factor\r")
    try session.expect("us2/5.0/2")
    session.send("value = 77; factor = 9\r")
    try session.expectPrompt()
    session.send("nosuch()\r")
    try session.expect("global 'nosuch'")
    try session.expectPrompt()
    session.send("while true do end\r")
    try session.expect("while true do end\n")
    session.settle(milliseconds: 200)
    session.send("\u{3}")
    try session.expect("stopped after")
    try session.expectPrompt()
    session.send("\u{4}")
    try session.expect("got\t77\nend\t9\nstatus 0")
  }

  @Test func osExitEndsTheScriptToo() throws {
    let session = try session("perilune quakes.sqlite walk.lua")
    try session.expect("repl at walk.lua:4")
    session.send("os.exit(3)\r")
    try session.expect("status 3")
  }

  @Test func anExitThatTheScriptKeptEndsItToo() throws {
    try program.write("kept.lua", "local leave = os.exit os = nil repl() print('after', leave)")
    let session = try session("perilune quakes.sqlite kept.lua")
    try session.expect("locals leave")
    session.send("leave(3)\r")
    try session.expect("status 3")
  }

  @Test func aCoroutineHasItsOwnLocals() throws {
    try program.write(
      "co.lua",
      """
      local outer = 1
      coroutine.wrap(function() local inner = 2 repl() print('inner', inner) end)()
      print('outer', outer)
      """)
    let session = try session("perilune quakes.sqlite co.lua")
    try session.expect("repl at co.lua:2 · locals inner")
    try session.expectPrompt()
    session.send("inner = inner + 5\r")
    try session.expect("inner = inner + 5\n")
    try session.expectPrompt()
    session.send("\u{4}")
    try session.expect("inner\t7\nouter\t1\nstatus 0")
  }

  @Test func functionsWithoutNamesHaveNoLocals() throws {
    try program.write(
      "stripped.lua", "local a, b = 1, 2 load(string.dump(function() repl() return a, b end, true))() print('done')")
    let session = try session("perilune quakes.sqlite stripped.lua")
    try session.expect("Ctrl-D goes on")
    try session.expectPrompt()
    session.send("\u{4}")
    try session.expect("done\nstatus 0")
  }

  @Test func promptsNestAndGoBack() throws {
    let session = try session("perilune -q quakes.sqlite")
    try session.expect("quakes> ")
    session.send("outer = 1\r")
    try session.expectPrompt()
    session.send("do local inner = 2; repl 'here'; print('inner', inner) end\r")
    try session.expect("repl at here")
    session.send("inner = inner + outer\r")
    try session.expectPrompt()
    session.send(".quit\r")
    try session.expect("inner\t3\n")
    session.send("inner\r")
    try session.expect("there is no 'inner'")
  }

  @Test func theSaveOfTheScriptHappensAfterwards() throws {
    try program.write(
      "save.lua", "local q = Quake { code = 'new' } repl() q.magnitude = q.magnitude + 1 save() print(q.magnitude)")
    let session = try session("perilune quakes.sqlite save.lua")
    try session.expect("locals q")
    try session.expect("quakes*1> ")
    session.send("q.magnitude = 8\r")
    try session.expect("q.magnitude = 8\n")
    try session.expect("quakes*1> ")
    session.send("\u{4}")
    try session.expect("9.0\nstatus 0")
  }

  @Test func withoutATerminalItIsAnError() throws {
    let result = try program.run(["quakes.sqlite", "walk.lua"], input: "1\n")
    #expect(result.status == 1)
    #expect(result.errors.contains("walk.lua:4: error: repl: it needs a terminal to type at"))
  }
}
