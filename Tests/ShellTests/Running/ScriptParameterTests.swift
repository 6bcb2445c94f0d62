import Testing

/// `--param` gives scripts values, and `--require-clean` has unsaved changes fail a run.
@Suite struct ScriptParameterTests {
  @Test func aValueIsWhatItIsWrittenAs() throws {
    let texts = ["7", "-3", "1.5", "true", "false", "01067", "1e3", "", "a=b", "nan", "--x"]
    let arguments = texts.enumerated().flatMap { ["--param", "p\($0)=\($1)"] }
    let script =
      "for i = 0, \(texts.count - 1) do io.write(math.type(params['p' .. i]) or type(params['p' .. i]), ' ') end"
    let result = try BuiltProgram().run(arguments + ["-e", script])
    #expect(
      result.output == "integer integer float boolean boolean string string string string string string ",
      "\(result.errors)")
    #expect(result.errors.isEmpty)
  }

  @Test func aMissingParameterIsNamed() throws {
    let program = try BuiltProgram()
    let missing = try program.run(script: "local x = 1\nprint(params.since)")
    #expect(missing.errors == "script.lua:2: error: there is no parameter 'since': run with --param since=VALUE\n")
    #expect(missing.status == 1)
    #expect(try program.run(["-e", "params('since', 5)"]).output == "5\n")
  }

  @Test func aParameterThatNothingReadsIsWarnedOf() throws {
    let result = try BuiltProgram().run(["--param", "sice=1", "-e", "1"])
    #expect(result.errors == "perilune: warning: nothing has read the parameter 'sice' (--param)\n")
    #expect(result.status == 0)
  }

  @Test(arguments: [["--param", "x"], ["--param", "=1"], ["--param", "a=1", "--param", "a=2"]])
  func whatIsNoParameterIsWrongUsage(_ arguments: [String]) throws {
    let result = try BuiltProgram().run(arguments + ["-e", "1"])
    #expect(result.errors.contains("--param: "))
    #expect(result.status == 64)
  }

  @Test func parametersReachScriptsInTheSandbox() throws {
    #expect(try BuiltProgram().run(["--sandbox", "--param", "a=1", "-e", "params.a + 1"]).output == "2\n")
    #expect(try BuiltProgram().run(["-e", "params.a = 1"]).errors.contains("params.a cannot be set"))
  }

  @Test func unsavedChangesFailARunThatIsToBeClean() throws {
    let program = try BuiltProgram.withStore()
    let change = ["quakes.sqlite", "--require-clean", "-e", "local q = Quake { code = 'new' }"]
    let left = try program.run(change)
    #expect(left.errors.hasSuffix("perilune: error: 1 change was not saved\n"), "\(left.errors)")
    #expect(left.status == 1)
    #expect(try program.run(change + ["-e", "rollback()"]).status == 0)
    #expect(try program.run(change + ["-e", "os.exit(5)"]).status == 5)
    #expect(try program.run(["quakes.sqlite", "-e", "local q = Quake { code = 'new' }"]).status == 0)
  }
}
