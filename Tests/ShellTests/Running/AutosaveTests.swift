import Foundation
import Testing

/// Contexts that save by themselves, and hooks that fail after a save, as the program ends or a line does.
@Suite struct AutosaveTests {
  private func count(_ program: BuiltProgram) throws -> String {
    try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output
  }

  @Test func aScriptAnExpressionAndStandardInputSaveAtTheirEnd() throws {
    let program = try BuiltProgram.withStore()
    let script = "context.autosave = true Quake { code = ... }"
    #expect(
      try program.run(["quakes.sqlite", "-e", "context.autosave = true", "-e", "Quake { code = 'a' }"]).status == 0)
    try program.write("s.lua", script)
    #expect(try program.run(["quakes.sqlite", "s.lua", "b"]).errors.isEmpty)
    #expect(try program.run(["quakes.sqlite", "-", "c"], input: script).errors.isEmpty)
    try program.write("exit.lua", script + " os.exit(3)")
    #expect(try program.run(["quakes.sqlite", "exit.lua", "d"]).status == 3)
    #expect(try count(program) == "9\n")
  }

  @Test func aFailedAutosaveIsAnErrorAndAWarning() throws {
    let program = try BuiltProgram.withStore()
    for end in ["", " os.exit(0)"] {
      let result = try program.run(
        ["quakes.sqlite", "-e", "context.autosave = true Quake { code = 'a', magnitude = 11 }" + end])
      #expect(result.status == 1)
      #expect(result.errors.contains("error: Quake: magnitude is 11.0, more than 10.0\n  (in an autosave"))
      #expect(result.errors.contains("1 change was not saved"))
    }
    #expect(try count(program) == "5\n")
  }

  @Test func aScriptThatFailsSavesNothingByItself() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(
      script: "context.autosave = true Quake { code = 'a' } error 'stop'", name: "s.lua", ["quakes.sqlite"])
    #expect(result.status != 0)
    let run = try program.run(["quakes.sqlite", "s.lua"])
    #expect(run.status == 1)
    #expect(run.errors.contains("s.lua:1: error: stop"))
    #expect(run.errors.contains("1 change was not saved"))
    #expect(try count(program) == "5\n")
  }

  @Test func anErrorInDidSaveMakesTheStatusOneAndTheSaveStands() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run([
      "quakes.sqlite", "-e",
      "function Quake:didSave() error('told too late') end Quake { code = 'a' } save() print 'goes on'",
    ])
    #expect(result.status == 1)
    #expect(result.output == "goes on\n")
    #expect(result.errors.contains("told too late"))
    #expect(try count(program) == "6\n")
  }
}
