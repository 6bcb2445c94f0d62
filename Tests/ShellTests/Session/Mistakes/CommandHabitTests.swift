import Testing

@testable import Session
@testable import Shell

/// Commands of other programs are answered with what does their work here.
@Suite struct CommandHabitTests {
  @Test(arguments: [
    (".width 20", ".cols chooses columns"), (".eqp on", "request:explain()"), (".SHELL ls", "os.execute"),
    ("\\dt", ".tables"), ("  \\timing on;", ".timer on"), ("\\unknown", ".help lists the commands"),
  ])
  func aCommandOfAnotherProgramIsAnsweredWithAWay(line: String, way: String) throws {
    let program = try BuiltProgram.withStore()
    let isOfSQLite = line.hasPrefix(".")
    let result = try program.run(["quakes.sqlite"] + (isOfSQLite ? [] : ["-e", line]), input: isOfSQLite ? line : "")
    #expect(result.status == 1)
    #expect(result.errors.contains(way), "\(result.errors)")
  }

  @Test func whatIsNoCommandHasNoWay() {
    #expect(CommandHabit.diagnostic("Quake:all()") == nil)
    #expect(CommandHabit.diagnostic("\\") == nil)
    #expect(CommandHabit.way("mode") == nil)
  }

  /// A way that names a command names one that there is.
  @Test func waysNameCommandsThatThereAre() throws {
    let program = try BuiltProgram.withStore()
    let known = Set(
      try program.run(["quakes.sqlite"], input: ".help\n").output.matches(of: /\.[a-z]+/).map { String($0.0) })
    for (name, way) in CommandHabit.ways {
      for command in way.matches(of: /(?:^|[ ,;])(\.[a-z]+)/) {
        #expect(known.contains(String(command.1)), "\(name): \(way)")
      }
    }
  }
}
