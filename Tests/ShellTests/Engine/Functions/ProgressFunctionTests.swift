import Testing

@testable import Shell

/// Loops that say how far they are.
@Suite struct ProgressFunctionTests {
  @Test func itLoopsOverListsAndNumbersAndWritesNothingWithoutATerminal() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      for i in progress(3) do print(i) end
      for i, text in progress({ "a", "b" }, "letters") do print(i, text) end
      for i, quake in progress(Quake:all():sorted("code"):fetch()) do print(i, quake.code) if i == 2 then break end end
      for i in progress(0) do print("never") end
      print(pcall(function() for i in progress(2) do error("inside", 0) end end))
      """
    let result = try program.run(["quakes.sqlite", "-e", code])
    #expect(result.output == "1\n2\n3\n1\ta\n2\tb\n1\tus1\n2\tus2\nfalse\tinside\n", "\(result.errors)")
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test(arguments: [
    ("progress()", "progress: a value is missing"), ("progress(-1)", "from 0 on, got -1"),
    ("progress(1.5)", "from 0 on, got 1.5"), ("progress('x')", "got string"),
    ("progress(1, 2)", "argument 2: expected a label, got number"),
  ])
  func whatIsNoListIsRefused(_ call: String, _ message: String) throws {
    let result = try BuiltProgram().run(["-e", call])
    #expect(result.status == 1 && result.errors.contains(message), "\(result.errors)")
  }

  @Test func aTerminalShowsHowFarItIsAfterASecond() throws {
    let program = try BuiltProgram()
    let code =
      "for i in progress(4, 'reading') do local t = os.clock() while os.clock() - t < 0.4 do end end print('done')"
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "exec perilune -e \"\(code)\""], environment: program.environment,
      columns: 100, rows: 10)
    try session.expect("reading")
    try session.expect("75 %")
    try session.expect("done")
    #expect(try session.waitForExit() == 0)
    #expect(!session.screen.lines.contains { $0.contains("75 %") })
  }
}
