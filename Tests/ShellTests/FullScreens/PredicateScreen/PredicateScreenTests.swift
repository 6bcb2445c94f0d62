import Foundation
import TestSupport
import Testing

@testable import Shell

/// The predicate's screen on a real terminal, as a person uses it.
@Suite(.serialized, .seeded) struct PredicateScreenTests {
  /// The program beside a store of five earthquakes, its prompt shown.
  private func start(
    _ program: BuiltProgram, columns: Int = 100, rows: Int = 24, environment: [String: String] = ["NO_COLOR": "1"],
    arguments: String = "-q quakes.sqlite"
  ) throws -> PTYSession {
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(program.folder.path)'; exec perilune \(arguments)"],
      environment: program.environment.merging(environment) { $1 }, columns: columns, rows: rows)
    try session.expect("quakes> ")
    return session
  }

  private func open(_ session: PTYSession, _ text: String = "") throws {
    session.send(".predicate Quake\(text)\r")
    try session.expectScreen { $0.lines.last?.hasPrefix("Esc leave  F1 help") == true }
  }

  private func expect(_ line: String, in session: PTYSession) throws {
    try session.expectScreen { screen in screen.lines.contains { $0.hasPrefix(line) } }
  }

  @Test func whatFulfilsThePredicateIsShownAsOneTypes() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    try expect("5 Quake · ", in: session)
    session.send("magnitude > 3")
    try expect("Quake where magnitude > 3", in: session)
    try expect("3 yes · 2 no · 0 neither of 5 · ", in: session)
    #expect(session.screen.lines.contains { $0.contains("│ us3") })
    #expect(!session.screen.lines.contains { $0.contains("│ us2") })
    #expect((session.screen.row, session.screen.column) == (0, 25))
    session.send(" AND place == nil")
    try expect("0 yes · 5 no · 0 neither of 5 · ", in: session)
    try expect("no Quake", in: session)
  }

  @Test func timersRunAndWhatTheyAndOtherProgramsCommitIsShown() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(program)
    session.send("after(0.5, function() Quake { code = 'timer', magnitude = 9 } save() print 'made it' end)\r")
    try session.expect("quakes> ")
    try open(session, " magnitude > 8")
    try expect("1 yes · 5 no · 0 neither of 6 · ", in: session)
    try session.expectScreen { $0.lines.contains { $0.contains("│ timer") } }
    let other = try program.run(["-e", "Quake { code = 'other', magnitude = 8.5 } save()", "quakes.sqlite"])
    #expect(other.status == 0)
    try expect("2 yes · 5 no · 0 neither of 7 · ", in: session)
    session.send("\u{1B}")
    // What the callback printed is on the terminal afterwards.
    try session.expect("made it")
    try session.expectPrompt()
  }

  @Test func keysBehindTheOneThatLeavesAreForThePrompt() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("magnitude > 3\r1+1\r")
    try session.expect("\n2\n")
    try session.expectPrompt()
    // The lines of the first screen are still there: this one has come when they were drawn again.
    let drawn = session.output.count
    session.send(".predicate Quake\r")
    try session.expectScreen { _ in String(decoding: session.output[drawn...], as: UTF8.self).contains("5 Quake") }
    session.send("\u{15}\u{4}print('é' .. 雪)\u{1B}[D\u{7F}'雪'\r")
    try session.expect("\né雪\n")
    try session.expectPrompt()
  }

  @Test func whatIsNeitherIsCounted() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(program)
    session.send("Quake { code = 'x', place = null } save()\r")
    try session.expect("quakes> ")
    try open(session, " place == 'Suva'")
    try expect("1 yes · 4 no · 1 neither of 6 · ", in: session)
  }

  @Test func aMistakeIsMarkedAndSaidAndTheLastRowsStay() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(program)
    try open(session)
    try expect("5 Quake · ", in: session)
    session.send("magnitud > 3")
    try expect("            ^^^^^^^^", in: session)
    try expect("Quake has no property 'magnitud'; did you mean 'magnitude'?", in: session)
    #expect(session.screen.lines.contains { $0.contains("│ us1") })
    let coloured = try start(program, environment: [:])
    coloured.send(".predicate Quake magnitud > 3\r")
    try expect("Quake has no property 'magnitud'", in: coloured)
    #expect(String(decoding: coloured.output, as: UTF8.self).contains("\u{1B}[4;31mmagnitud\u{1B}[0m"))
  }

  @Test(arguments: ["\r", "\u{1B}"])
  func leavingMakesTheRequestTheLastValueAndTheLastLine(key: String) throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("magnitude > 3")
    // Also what the store was not asked yet.
    session.send(key)
    try session.expect("_ = Quake:where \"magnitude > 3\"\nquakes> ")
    session.send("_:count() + _1:count()\r")
    try session.expect("\n6\nquakes> ")
    session.send("\u{1B}[A\u{1B}[A")
    try session.expect("Quake:where \"magnitude > 3\"")
  }

  @Test func withoutTextTheRequestIsAllObjects() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("\u{4}")
    try session.expect("_ = Quake:all()\nquakes> ")
    session.send("_\r")
    try session.expect("5 Quake")
  }

  @Test func controlCEmptiesTheLineAndThenLeavesWithoutARequest() throws {
    let session = try start(try BuiltProgram.withStore())
    session.send("41 + 1\r")
    try session.expect("42\nquakes> ")
    try open(session, " magnitude > 3")
    try expect("3 yes · 2 no", in: session)
    session.send("\u{3}")
    try session.expectScreen { $0.lines.first == "Quake where" }
    try expect("5 Quake · ", in: session)
    session.send("\u{1F}")
    try expect("Quake where magnitude > 3", in: session)
    try expect("3 yes · 2 no", in: session)
    session.send("\u{3}")
    try session.expectScreen { $0.lines.first == "Quake where" }
    session.send("\u{3}")
    try session.expectPrompt()
    session.send("_\r")
    try session.expect("42\nquakes> ")
  }

  @Test func aMistakeIsNoRequestButIsNotLost() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("magnitude >")
    try expect("expected", in: session)
    session.send("\r")
    session.settle()
    #expect(session.screen.lines.first == "Quake where magnitude >")
    session.send("\u{1B}")
    try session.expectPrompt()
    session.send("\u{1B}[A")
    try session.expect(".predicate Quake magnitude >")
    session.send("\r")
    try expect("Quake where magnitude >", in: session)
  }

  @Test func theTerminalIsAsBefore() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(program)
    session.send("io.popen('stty -a < /dev/tty > before'):close()\r")
    try session.expect("quakes> ")
    try open(session, " magnitude > 3")
    session.send("\u{1B}[15~")
    session.settle()
    session.send("\u{1B}\u{1B}")
    try session.expectPrompt()
    session.send("io.popen('stty -a < /dev/tty > between'):close()\r")
    try session.expect("quakes> ")
    session.send(".quit\r")
    try session.waitForExit()
    let before = try String(contentsOfFile: program.path("before"), encoding: .utf8)
    #expect(before.contains("icanon"))
    #expect(try String(contentsOfFile: program.path("between"), encoding: .utf8) == before)
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.components(separatedBy: "\u{1B}[?1049h").count == 2)
    #expect(output.components(separatedBy: "\u{1B}[?1049l").count == 2)
  }

  @Test func theScreenFollowsTheWindow() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session, " magnitude > 0")
    try expect("5 yes", in: session)
    session.resize(columns: 60, rows: 9)
    try session.expectScreen {
      $0.lines.count == 9 && $0.lines[8].hasPrefix("Esc leave") && $0.lines.contains { $0.contains("│ us1") }
    }
    session.resize(columns: 30, rows: 9)
    try session.expectScreen { $0.lines == ["the window is too small"] }
    session.resize(columns: 120, rows: 30)
    try session.expectScreen { $0.lines.count == 30 && $0.lines.contains { $0.contains("│ us5") } }
    session.send("\r")
    try session.expectPrompt()
  }

  @Test func aSuspendedScreenComesBack() throws {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"],
      environment: program.environment.merging(["NO_COLOR": "1", "PS1": "shell$ "]) { $1 }, columns: 100)
    try session.expect("shell$ ")
    session.send("cd '\(program.folder.path)'; perilune -q quakes.sqlite\r")
    try session.expect("quakes> ")
    try open(session, " magnitude > 3")
    try expect("3 yes", in: session)
    session.send("\u{1A}")
    try session.expect("Stopped")
    session.send("stty -a | grep -c ' icanon'\r")
    try session.expect("\n1\n")
    session.send("fg\r")
    try session.expectScreen {
      $0.lines.first == "Quake where magnitude > 3" && $0.lines.contains { $0.hasPrefix("3 yes") }
    }
    session.send("\u{7F}4\r")
    try session.expect("_ = Quake:where \"magnitude > 4\"\nquakes> ")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func aSignalThatEndsTheProgramGivesTheTerminalBack(number: Int32) throws {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: ["-q", program.path("quakes.sqlite")],
      environment: program.environment, columns: 100)
    try session.expect("quakes> ")
    try open(session)
    session.signal(number)
    #expect(try session.waitForExit() == 128 + number)
    #expect(String(decoding: session.output, as: UTF8.self).contains("\u{1B}[?1049l"))
  }

  @Test func completionListsWhatCanStandThere() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("mag\t")
    try expect("Quake where magnitude", in: session)
    session.send(" >= \t")
    try session.expectScreen { screen in screen.lines.contains { $0.hasPrefix("  1.5  1") } }
    session.send("\t\t\r")
    try expect("4 yes · 1 no", in: session)
    session.send(" AND place ==[c] \"s\t")
    try expect("Quake where magnitude >= 2.5 AND place ==[c] \"Suva\"", in: session)
    try expect("1 yes · 4 no", in: session)
    // Escape takes the candidate away again, and stays.
    session.send(" AND \t\t")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> code") } }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.first?.hasSuffix("\"Suva\" AND") == true }
  }

  @Test func functionKeysOpenPanesAndEscapeCloses() throws {
    let session = try start(try BuiltProgram.withStore(), rows: 30)
    try open(session, " magnitude > 2")
    try expect("4 yes", in: session)
    session.send("\u{1B}OQ")
    try session.expectScreen { $0.lines.contains("explain") && $0.lines.contains { $0.hasPrefix("SELECT ") } }
    session.send("\u{1B}[15~")
    try session.expectScreen { $0.lines.contains("magnitude (2 of 4)") && $0.lines.contains { $0.hasPrefix("5.4 ") } }
    session.send("\u{1B}[C")
    try session.expectScreen { $0.lines.contains("place (3 of 4)") && $0.lines.contains { $0.hasPrefix("Suva") } }
    session.send("\u{1B}1")
    try expect("Type a predicate", in: session)
    // What is typed goes to the line all the same.
    session.send("5")
    try expect("0 yes", in: session)
    try expect("Type a predicate", in: session)
    session.send("\u{1B}")
    try expect("no Quake", in: session)
    session.send("\u{1B}")
    try session.expectPrompt()
  }

  @Test func rowsBelowAreReached() throws {
    let session = try start(try BuiltProgram.withStore(), rows: 9)
    try open(session)
    try session.expectScreen { $0.lines.contains { $0.contains("│ us2") } && !$0.lines.contains { $0.contains("us3") } }
    session.send("\u{1B}[6~\u{1B}[B\u{1B}[B")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us3") } }
    session.send("\u{1B}[18~")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("why us3, row 3") } }
    session.send("\u{1B}[A")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("why us2, row 2") } }
  }

  @Test func rowsAreSortedByAColumnAndTheRequestToo() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    session.send("\u{1B}[6~")
    try session.expectScreen { $0.lines.contains { $0.contains("[code]") } }
    session.send("\u{1B}[1;3C\u{1B}s")
    try session.expectScreen { $0.lines.contains { $0.contains("[magnitude] ▲") } }
    session.send("\u{1B}s")
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("[magnitude] ▼") } && screen.lines.contains { $0.hasPrefix("> us5") }
    }
    session.send("\u{1B}-")
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("[place]") && !$0.contains("magnitude") }
    }
    session.send("\u{1B}+\u{1B}[B")
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("magnitude] ▼") } && screen.lines.contains { $0.hasPrefix("> us4") }
    }
    session.send("\u{1B}[19~")
    try session.expectScreen { screen in
      screen.lines.contains("us4, row 2") && screen.lines.contains { $0.contains("reports") }
    }
    session.send("\r")
    try session.expect("_ = Quake:all():sorted(\"-magnitude\")\nquakes> ")
  }

  @Test func rowsThatDoNotFulfilItAreReached() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session, " magnitude > 2")
    try expect("4 yes · 1 no", in: session)
    session.send("\u{1B}[6~\u{1B}[C")
    try expect("rows that do not fulfil it", in: session)
    try session.expectScreen { screen in
      screen.lines.contains { $0.hasPrefix("> us1") } && !screen.lines.contains { $0.contains("│ us2") }
    }
    session.send("\u{1B}[18~")
    try expect("why us1, row 1 of those that do not fulfil it", in: session)
    try expect("4 yes · 1 no", in: session)
    session.send("\u{1B}")
    try session.expectScreen { screen in screen.lines.contains { $0.contains("│ us2") } }
    session.send("\u{1B}")
    try session.expect("_ = Quake:where \"magnitude > 2\"\n")
  }

  @Test func variablesHaveTheValuesOfTheCommandLine() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session, " { least = 2 + 2 } magnitude > $least")
    try expect("2 yes · 3 no", in: session)
    session.send(" AND code == $code")
    try expect("needs a value for $code", in: session)
    session.send("\r")
    try session.expect("_ = Quake:where(Predicate(\"magnitude > $least AND code == $code\"):bind { least = 2 + 2 })\n")
  }

  @Test func theCommandAloneGoesOnWithTheLastRequest() throws {
    let session = try start(try BuiltProgram.withStore())
    session.send(".predicate\r")
    try session.expect("error: an entity is missing; there are Quake, Report\n")
    session.send("Quake:where('magnitude > %@', 3):sorted('-magnitude')\r")
    try session.expect("quakes> ")
    session.send(".predicate\r")
    try session.expectScreen {
      $0.lines.first == "Quake where magnitude > 3" && $0.lines.contains { $0.contains("us5") }
    }
    session.send("\r")
    try session.expect("_ = Quake:where \"magnitude > 3\":sorted(\"-magnitude\")\nquakes> ")
    session.send("Predicate 'text == \"felt it\"'\r.predicate\r")
    try expect("Report where text == \"felt it\"", in: session)
  }

  @Test func earlierPredicatesComeBackAndPastedLinesAreOne() throws {
    let session = try start(try BuiltProgram.withStore())
    session.send("Quake:where [[magnitude > 4]]\r")
    try session.expect("quakes> ")
    try open(session)
    session.send("\u{1B}[200~magnitude > 1\nAND\tplace != nil\u{1B}[201~")
    try expect("Quake where magnitude > 1 AND place != nil", in: session)
    session.send("\u{1B}[A")
    try expect("Quake where magnitude > 4", in: session)
    session.send("\u{1B}[B")
    try expect("Quake where magnitude > 1 AND place != nil", in: session)
  }

  @Test func rubbishHarmsNothing() throws {
    let session = try start(try BuiltProgram.withStore())
    try open(session)
    var random = SplitMix(seed: 7)
    for _ in 0..<20 {
      // Neither Ctrl-C, Ctrl-D, Ctrl-Z, Enter nor Esc, which leave.
      let bytes = (0..<60).map { _ in UInt8.random(in: 0x20...0xFF, using: &random) }
      session.send(bytes: bytes)
      session.send("\u{1}\u{B}\u{1B}[12;99q\u{1B}[?x")
    }
    session.settle()
    session.send("\u{5}\u{15}magnitude > 4")
    try expect("Quake where magnitude > 4", in: session)
    try expect("2 yes", in: session)
  }

  @Test func aSlowQueryEndsWithTheNextKeyAndWithControlC() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(program)
    session.send(
      ".sql WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
        + "INSERT INTO quake(code, magnitude, place) SELECT 'q' || i, 1, 'place ' || i FROM n\r")
    try session.expect("rows written\nquakes> ", seconds: 30)
    try open(session, " place MATCHES '(.*a|.*l|.*c|.*e)*b.*c'")
    try expect("counting…", in: session)
    session.send(" OR magnitude > 5")
    try expect("Quake where place MATCHES '(.*a|.*l|.*c|.*e)*b.*c' OR magnitude > 5", in: session)
    // The line of the counts is drawn after the first one.
    session.settle()
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("counting…") } }
    session.send("\u{3}")
    try expect("stopped", in: session)
    #expect(session.screen.lines.first == "Quake where place MATCHES '(.*a|.*l|.*c|.*e)*b.*c' OR magnitude > 5")
    session.send("\u{15}code == 'us1'")
    try expect("1 yes", in: session)
    session.send("\r")
    try session.expectPrompt()
    session.send("_:count()\r")
    try session.expect("1\nquakes> ")
  }

  @Test(arguments: [["TERM": "dumb"], ["TERM": ""]])
  func aTerminalThatCannotBeDrawnOnIsPrintedTo(environment: [String: String]) throws {
    let session = try start(try BuiltProgram.withStore(), environment: environment)
    session.send(".predicate Quake magnitude > 3\r")
    try session.expect("3 yes · 2 no · 0 neither of 5\n┌")
    try session.expect("quakes> ")
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1B}[?1049h"))
  }
}

/// `.predicate` where there is no terminal.
@Suite(.seeded) struct PrintedPredicateTests {
  @Test func countsAndFirstRowsArePrinted() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "-e", ".predicate Quake code IN { 'us1', \"us2\" }"])
    #expect(result.status == 0)
    #expect(
      result.output == """
        2 yes · 3 no · 0 neither of 5
        ┌──────┬───────────┬──────────────┬──────────────────────┬─────────┐
        │ code │ magnitude │ place        │ time                 │ reports │
        ├──────┼───────────┼──────────────┼──────────────────────┼─────────┤
        │ us1  │       1.5 │ Namie, Japan │ 2023-11-14T22:13:21Z │       0 │
        │ us2  │       2.5 │ 東京の近く   │ 2023-11-14T22:13:22Z │       0 │
        └──────┴───────────┴──────────────┴──────────────────────┴─────────┘

        """)
  }

  @Test func mistakesAreErrors() throws {
    let program = try BuiltProgram.withStore()
    func errors(_ line: String) throws -> String {
      let result = try program.run(["quakes.sqlite", "-e", line])
      #expect(result.status == 1)
      return result.errors
    }
    #expect(
      try errors(".predicate Quake magnitud > 1").contains(
        "Quake has no property 'magnitud'; did you mean 'magnitude'?"))
    #expect(try errors(".predicate Quake magnitude > $m").contains("$m has no value"))
    #expect(try errors(".predicate Quak").contains("did you mean 'Quake'?"))
    #expect(try errors(".predicate Quake 'it").contains("the string is not closed"))
  }
}
