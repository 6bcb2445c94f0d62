import Foundation
import Testing

@testable import Shell

/// What is shown goes into files and programs: `.output`, `.once`, `.tee` and `EXPRESSION | COMMAND`.
@Suite struct OutputTargetTests {
  private func terminal(_ program: BuiltProgram, _ options: String = "") throws -> PTYSession {
    let session = try PTYSession(
      executable: "/bin/sh",
      arguments: ["-c", "cd '\(program.folder.path)' && exec perilune \(options) quakes.sqlite"],
      environment: program.environment, columns: 100, rows: 40)
    try session.expectPrompt()
    return session
  }

  private func enter(_ line: String, in session: PTYSession) throws {
    // The prompt that is there before the line is typed must not count.
    session.send(line)
    try session.expectScreen { $0.lines.contains { $0.contains("> " + line) } }
    session.send("\r")
    try session.expectPrompt()
  }

  private func contents(_ name: String, of program: BuiltProgram) throws -> String {
    try String(contentsOfFile: program.path(name), encoding: .utf8)
  }

  @Test func onceIsForOneBlockAlone() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program)
    try enter(".mode csv", in: session)
    try enter(".once a.csv", in: session)
    try enter("Quake:find('us1').magnitude", in: session)
    try enter("Quake:find('us2').magnitude", in: session)
    try enter(".once a.txt", in: session)
    try enter(".once b.txt", in: session)
    try enter("print 'in b'", in: session)
    try enter("print 'on screen'", in: session)
    #expect(try contents("a.csv", of: program) == "1.5\n")
    #expect(try contents("a.txt", of: program) == "")
    #expect(try contents("b.txt", of: program) == "in b\n")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("on screen") } }
  }

  @Test func teeWritesToTheFileAndTheScreen() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program)
    try enter(".tee log.txt", in: session)
    session.send("print('a' .. 'b')\r")
    try session.expect("ab")
    try session.expectPrompt()
    try enter("print 'second'", in: session)
    try enter(".tee", in: session)
    try enter("print 'third'", in: session)
    #expect(try contents("log.txt", of: program) == "ab\nsecond\n")
  }

  @Test func aProgramGetsWhatIsShown() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program)
    try enter("Quake:all() | grep -c us > count.txt", in: session)
    try enter("Quake:sorted('code') | head -1 > head.txt", in: session)
    try enter("print('x|y') | tr 'x' 'z' > tr.txt", in: session)
    try enter(".once | cat > once.txt", in: session)
    try enter("print 'to cat'", in: session)
    #expect(try contents("count.txt", of: program) == "5\n")
    #expect(try contents("head.txt", of: program).hasPrefix("code\tmagnitude\t"))
    #expect(try contents("tr.txt", of: program) == "z|y\n")
    #expect(try contents("once.txt", of: program) == "to cat\n")
    // A text is written as it is: its quotes are for people.
    try enter("Quake:find('us1').code | cat > code.txt", in: session)
    #expect(try contents("code.txt", of: program) == "us1\n")
    // A program that reads nothing stops nothing.
    try enter("for i = 1, 9 do print(i) end", in: session)
    try enter(".entities | grep Quake > entities.txt", in: session)
    try enter(".sql SELECT code || '|' || place AS t FROM quake ORDER BY code | head -4 > sql.txt", in: session)
    try enter(".sql SELECT 1 | 2 AS bits | cat > bits.txt", in: session)
    try enter(".help | grep -c tables > help.txt", in: session)
    #expect(try contents("entities.txt", of: program).contains("Quake"))
    #expect(try contents("sql.txt", of: program).contains("us1|Namie, Japan"))
    #expect(try contents("bits.txt", of: program).contains("3"))
    #expect(Int(try contents("help.txt", of: program).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
    session.send(".tables | nosuchprogram\r")
    try session.expect("nosuchprogram: not found")
    try session.expectPrompt()
    try enter("Quake:all() | true", in: session)
    session.send("1 + 1\r")
    try session.expect("2")
  }

  /// What is behind `|` at the prompt gets what it would get behind the program.
  @Test func aProgramAndAFileGetWhatTheyGetOfTheProgramItself() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program)
    for (number, line) in [
      "Quake:sorted('code')", ".entities", ".tables", ".describe Quake", ".sql SELECT code FROM quake ORDER BY 1",
      "Quake:find('us1')", "Quake:count()",
    ].enumerated() {
      try enter("\(line) | cat > piped\(number).txt", in: session)
      try enter(".once once\(number).txt", in: session)
      try enter(line, in: session)
      let direct = try program.run(["quakes.sqlite", "-e", line])
      #expect(direct.status == 0, "\(direct.errors)")
      #expect(try contents("piped\(number).txt", of: program) == direct.output, "\(line)")
      #expect(try contents("once\(number).txt", of: program) == direct.output, "\(line)")
    }
    try enter(".mode table", in: session)
    try enter(".entities | cat > table.txt", in: session)
    #expect(try contents("table.txt", of: program).hasPrefix("┌"), "a mode that was chosen stays")
    try enter(".entities", in: session)
    try session.expectScreen { screen in screen.lines.contains { $0.hasPrefix("┌") } }
  }

  @Test func luaKeepsItsOwnOperator() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program)
    for (line, answer) in [
      ("6 | 1", "7"), ("(function() cat = 8 return 1 end)()", "1"), ("4 | cat", "12"), ("'a|b' .. '|c'", "\"a|b|c\""),
    ] {
      try enter(line, in: session)
      try session.expectScreen { screen in screen.lines.contains { $0.hasPrefix(answer) } }
    }
  }

  @Test func theSandboxHasNoneOfThem() throws {
    let program = try BuiltProgram.withStore()
    let session = try terminal(program, "--sandbox")
    try enter("Quake:all() | cat > made.txt", in: session)
    session.send(".entities | cat > made.txt\r")
    try session.expect("usage: .entities")
    try session.expectPrompt()
    for line in [".once made.txt", ".once | cat > made.txt", ".tee made.txt"] {
      try enter(line, in: session)
      try session.expectScreen { screen in
        screen.lines.contains { $0.contains("the sandbox refuses .\(line.dropFirst().prefix { $0 != " " })") }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: program.path("made.txt")))
  }
}
