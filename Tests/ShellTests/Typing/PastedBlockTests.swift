import Testing

@testable import Shell

/// What was copied from a page or another session runs as it would have been typed.
@Suite(.serialized) struct PastedBlockTests {
  struct Case: Sendable, CustomStringConvertible {
    var pasted: String
    var inputs: [String]
    var description: String { pasted }
  }

  static let cases = [
    Case(pasted: "1 + 1\n2 + 2", inputs: ["1 + 1", "2 + 2"]),
    // All of them are calls, whose values would not be shown.
    Case(pasted: "Quake:count()\nReport:count()\n", inputs: ["Quake:count()", "Report:count()\n"]),
    Case(pasted: "local n = 3\nn * 2", inputs: ["local n = 3", "n * 2"]),
    Case(pasted: "Quake:all()\n  :limit(2)\nReport:count()", inputs: ["Quake:all()\n  :limit(2)", "Report:count()"]),
    Case(
      pasted: "for i = 1, 2 do\n  print(i)\nend\n3 + 3", inputs: ["for i = 1, 2 do\n  print(i)\nend", "3 + 3"]),
    Case(pasted: "-- two\n1 + 1\n\n-- four\n2 + 2", inputs: ["1 + 1\n", "2 + 2"]),
    Case(pasted: ".tables\nQuake:count()\n?where", inputs: [".tables", "Quake:count()", "?where"]),
    Case(pasted: ".sql SELECT code\nFROM quake;\n1 + 1", inputs: [".sql SELECT code\nFROM quake;", "1 + 1"]),
    // What Lua takes as a whole stays whole.
    Case(pasted: "local x = 1\nprint(x)", inputs: ["local x = 1\nprint(x)"]),
    Case(pasted: "print\n(1)", inputs: ["print\n(1)"]),
    Case(pasted: "do\n  f()\nend", inputs: ["do\n  f()\nend"]),
    // A block with a mistake is reported as a whole, before anything runs.
    Case(pasted: "Quake:count()\nx = = 1", inputs: ["Quake:count()\nx = = 1"]),
    Case(pasted: ".tables\n.tabels", inputs: [".tables\n.tabels"]),
    // Prompts.
    Case(pasted: "quakes> Quake:count()", inputs: ["Quake:count()"]),
    Case(pasted: "shop:ro*3> .entities", inputs: [".entities"]),
    Case(pasted: "quakes Quake us1> place", inputs: ["place"]),
    // The name of a relationship is compared with nothing.
    Case(pasted: "reports> 1 + 1", inputs: ["1 + 1"]),
    Case(
      pasted: "quakes> Quake:count()\n5\nquakes*1> Report:count()\n1\nquakes>",
      inputs: ["Quake:count()", "Report:count()"]),
    Case(
      pasted: "quakes> for i = 1, 2 do\n     2>   print(i)\n     3> end\n1\n2\nquakes> 3",
      inputs: ["for i = 1, 2 do\n  print(i)\nend", "3"]),
    // Comparisons are none.
    Case(pasted: "known> 5", inputs: ["known> 5"]),
    Case(pasted: "magnitude> 5", inputs: ["magnitude> 5"]),
    Case(pasted: "x >5", inputs: ["x >5"]),
    Case(pasted: "not x> 5", inputs: ["not x> 5"]),
  ]

  @Test(arguments: cases)
  func aBlockIsTheInputsThatWouldHaveBeenTyped(_ example: Case) throws {
    let program = try BuiltProgram.withStore()
    let session = try EngineSession(RunOptions(), Surroundings(color: .never))
    defer { session.close() }
    try session.engine.open(.init(path: program.path("quakes.sqlite")))
    _ = try session.engine.evaluate("known = 7", name: "=test")
    #expect(session.session.inputs(of: example.pasted) == example.inputs)
  }

  @Test func eachOfSeveralPastedExpressionsIsShown() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q quakes.sqlite", columns: 100)
    try session.expect("quakes> ")
    func paste(_ text: String) {
      session.send("\u{1B}[200~\(text)\u{1B}[201~")
      session.send("\r")
    }
    paste("Quake:count() + 100\nReport:count() + 200\n.sql SELECT count(*) + 300 AS n FROM quake")
    for text in ["105", "201", "305"] { try session.expect(text) }
    try session.expectPrompt()
    paste("quakes> Quake:count() + 400\n405\nquakes> Quake:count() + 500")
    try session.expect("\n405\n")
    try session.expect("505\n")
    try session.expectPrompt()
    // The history has what ran.
    session.send("\u{1B}[A")
    try session.expectScreen { $0.lines.contains("quakes> Quake:count() + 400") }
    session.send("\u{3}")
    try session.expectPrompt()
    // The first that fails is the last.
    paste("error 'stop'\nnil .. 1\n6 * 7")
    try session.expect("error: stop")
    try session.expectPrompt()
    #expect(!session.transcript.contains("42"))
  }
}
