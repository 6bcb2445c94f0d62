import Testing

/// The command line is read without ArgumentParser where it is plain; both know the same options.
@Suite struct CommandLineTests {
  /// Those whose runs need more than a store and a script.
  private static let special: Set<String> = ["from", "migrate", "model", "version", "help"]
  private static let values = [
    "schema": "First", "execute": "1", "mode": "csv", "param": "a=1", "timeout": "60", "memory-limit": "500",
    "color": "never",
  ]

  @Test func eachOptionOfHelpTakesItsValueAndLeavesTheStoreAndTheScript() throws {
    let program = try BuiltProgram.withStore()
    try program.write("probe.lua", "print(arg[0], Quake:count())")
    let options = try program.run(["--help"]).output.matches(of: /\n +(?:-\w, )?--([a-z-]+)( <)?/)
      .map { (name: String($0.1), takesValue: $0.2 != nil) }.filter { !Self.special.contains($0.name) }
    #expect(options.count > 15)
    for option in options {
      let value = Self.values[option.name]
      #expect((value != nil) == option.takesValue, "\(option.name)")
      let arguments = ["--" + option.name] + (value.map { [$0] } ?? [])
      let result = try program.run(arguments + ["quakes.sqlite", "probe.lua"])
      #expect(result.output.contains("probe.lua\t5\n"), "\(arguments): \(result.errors)")
    }
  }

  @Test func anOptionIsReadInEachOfItsForms() throws {
    let program = try BuiltProgram()
    for form in [["--execute", "1 + 1"], ["--execute=1 + 1"], ["-e", "1 + 1"], ["-e1 + 1"], ["-iq", "-e", "1 + 1"]] {
      #expect(try program.run(form).output == "2\n", "\(form)")
    }
  }
}
