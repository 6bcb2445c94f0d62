import Testing

@testable import Shell

/// The lines that say at the prompt that something runs, and how far it is.
@Suite(.serialized) struct WaitingTests {
  private let program: BuiltProgram
  private let session: PTYSession
  private static let endless =
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"

  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("-q quakes.sqlite", columns: 80, rows: 24)
    try session.expect("quakes> ")
  }

  @Test func whatTakesLongSaysThatItRuns() throws {
    session.send(".sql \(Self.endless)\r")
    try session.expect("working, Ctrl-C stops  0:0")
    session.send("\u{3}")
    try session.expect("stopped after")
    try session.expectScreen { screen in !screen.lines.contains { $0.contains("working") } }
  }

  @Test func whatIsPrintedStandsOnLinesOfItsOwn() throws {
    session.send("for i in progress(2, 'halves') do if i == 2 then store:sql '\(Self.endless)' end end\r")
    try session.expect("working, Ctrl-C stops  0:0")
    session.send("\u{3}")
    try session.expect("stopped after")
    session.send(
      "for i in progress(40, 'bits') do local t = os.clock() while os.clock() - t < 0.1 do end print(i) end\r")
    try session.expect("bits  ")
    session.send("\u{3}")
    try session.expect("stopped after")
    // What is printed stands on lines of its own.
    try session.expectScreen { screen in
      !screen.lines.contains { $0.contains("steps") } && screen.lines.contains("1")
    }
  }

  @Test func aBatchRequestAndItsUndoSayHowFarTheyAre() throws {
    session.send(
      "local n = 0 Quake:batchInsert(function() n = n + 1 if n <= 90000 then return { code = 'n' .. n } end end)\r")
    try session.expectScreen(seconds: 60) { $0.currentLine == "quakes>" }
    // A trigger makes each row slow enough.
    session.send(
      """
      store:sql "CREATE TRIGGER slow BEFORE UPDATE ON quake BEGIN SELECT count(*) FROM (WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 200) SELECT n FROM t); END"\r
      """)
    try session.expectScreen { $0.currentLine == "quakes>" }
    session.send(".confirm off\r")
    try session.expectPrompt()
    session.send("Quake:all():update { place = 'x' }\r")
    try session.expect("writing, Ctrl-C stops  ", seconds: 30)
    try session.expect(" %  ")
    try session.expect("/90k rows")
    session.send("\u{3}")
    try session.expect("stopped after")
    try session.expectScreen { screen in !screen.lines.contains { $0.contains("writing") } }
  }
}
