import Testing

@testable import Shell

/// A predicate that is typed where Lua is expected is answered with the request that it belongs to.
@Suite struct PredicateHabitTests {
  static let lines: [(predicate: String, lua: String)] = [
    ("place CONTAINS \"Japan\"", "Quake:where [[place CONTAINS \"Japan\"]]"),
    ("place CONTAINS[cd] 'japan' AND magnitude > 1", "Quake:where \"place CONTAINS[cd] 'japan' AND magnitude > 1\""),
    ("ANY reports.text == 'felt it'", "Quake:where \"ANY reports.text == 'felt it'\""),
    ("quake.magnitude BETWEEN { 1, 9 }", "Report:where \"quake.magnitude BETWEEN { 1, 9 }\""),
    ("text LIKE 'felt*'", "Report:where \"text LIKE 'felt*'\""),
  ]

  @Test(arguments: lines.indices)
  func aPredicateIsAnsweredWithALineThatRuns(index: Int) throws {
    let (predicate, lua) = Self.lines[index]
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "-e", predicate])
    #expect(result.status == 1)
    #expect(result.errors.contains("this is a predicate, and lines are Lua here"), "\(result.errors)")
    #expect(result.errors.contains("the same here: \(lua)\n"), "\(result.errors)")
    #expect(try program.run(["quakes.sqlite", "-e", lua]).status == 0)
  }

  /// Lua reads them, too: without such a variable the answer would be a comparison with nil.
  @Test func atThePromptAComparisonOfAPropertyIsAPredicate() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q quakes.sqlite", columns: 100)
    try session.expect("quakes> ")
    for line in ["magnitude > 3", "place == nil", "magnitude> 3"] {
      session.send(line + "\r")
      try session.expect("this is a predicate, and lines are Lua here")
      try session.expect("the same here: Quake:where \"\(line)\"")
      try session.expectPrompt()
    }
    session.send("magnitude = 5\r")
    try session.expectPrompt()
    session.send("magnitude > 3\r")
    try session.expect("\ntrue\n")
  }

  @Test(arguments: ["1 > 3", "_VERSION == 'x'", "Quake:count() > 3", "local place = 'x' return place == 'x'"])
  func luaIsNoPredicate(line: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", line])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }
}
