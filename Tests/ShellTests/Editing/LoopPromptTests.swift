import Foundation
import Testing

@testable import Shell

/// The loop of the prompt with the engine in it: timers run during typing.
@Suite(.serialized) struct LoopPromptTests {
  private func start(
    _ arguments: String = "-q quakes.sqlite", columns: Int = 80, environment: [String: String] = ["NO_COLOR": "1"]
  ) throws -> PTYSession {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(program.folder.path)' && exec perilune \(arguments)"],
      environment: program.environment.merging(environment) { $1 }, columns: columns, rows: 24)
    try session.expect("quakes> ")
    return session
  }

  /// Types a line that is run and shows nothing.
  private func enter(_ line: String, in session: PTYSession) throws {
    session.send("do local _ = \(line) end\r")
    try session.expect("\nquakes> ")
  }

  private func expectLast(_ lines: [String], in session: PTYSession) throws {
    try session.expectScreen { Array($0.lines.suffix(lines.count)) == lines }
  }

  @Test func whatTimersPrintIsAboveTheHalfTypedLineWhicheverWayItIsPrinted() throws {
    let session = try start()
    try enter(
      "after(0.4, function() print 'printed' io.write 'written\\n' io.stderr:write 'to stderr\\n' show(1 + 1) end)",
      in: session)
    session.send("local half = 'typed'\u{1B}[D\u{1B}[D")
    try expectLast(["printed", "written", "to stderr", "2", "quakes> local half = 'typed'"], in: session)
    #expect(session.screen.column == 26)
    session.send("X\rhalf\r")
    try session.expect("\"typeXd\"")
  }

  @Test func whatDoesNotEndItsLineKeepsIt() throws {
    let session = try start()
    try enter("after(0.3, function() io.write 'no newline' end)", in: session)
    session.send("abc")
    try expectLast(["no newline", "quakes> abc"], in: session)
    session.send("\u{15}do io.write 'again' end\r")
    try expectLast(["again", "quakes>"], in: session)
  }

  @Test func anErrorInATimerIsToldAboveTheLineAndTheOthersGoOn() throws {
    let session = try start()
    try enter("after(0.3, function() error 'first' end), after(0.3, function() print 'second' end)", in: session)
    session.send("abc")
    try session.expect("error: first\n")
    try expectLast(["second", "quakes> abc"], in: session)
    session.send("\u{15}.trace\r")
    try session.expect("input 1:1: in function <input 1:1>")
  }

  @Test func controlCStopsATimerAndKeepsTheLine() throws {
    let session = try start()
    try enter("after(0.2, function() print 'busy' while true do end end)", in: session)
    session.send("abc")
    try session.expect("busy\n")
    session.send("\u{3}")
    try session.expect("stopped after ")
    try session.expectScreen { $0.currentLine == "quakes> abc" }
    session.send("\u{15}1 + 1\r")
    try session.expect("\n2\nquakes> ")
  }

  @Test func controlCStopsAnObserverAndNotTheNextLine() throws {
    let session = try start()
    try enter("Quake:all():live():onChange(function() print 'busy' while true do end end)", in: session)
    session.send("quake = Quake { code = 'a' }\r")
    try session.expect("busy\n")
    session.send("\u{3}")
    try session.expect("stopped after ")
    session.send("1 + 1\r")
    try session.expect("\n2\n")
  }

  @Test func keysAreReadWhileTimersAreAlwaysDue() throws {
    let session = try start()
    session.send("busy = every(1e-9, function() end) and nil\r")
    try session.expect("nil\nquakes> ")
    session.send("1 + 1\r")
    try session.expect("\n2\nquakes> ")
  }

  @Test func aThousandLinesTakeThePromptAwayOnce() throws {
    let session = try start()
    try enter("after(1, function() for i = 1, 1000 do print('line ' .. i) end end)", in: session)
    session.send("abcdef")
    try session.expectScreen { $0.currentLine == "quakes> abcdef" }
    let before = session.output.count
    try expectLast(["line 999", "line 1000", "quakes> abcdef"], in: session)
    let printed = String(decoding: session.output[before...], as: UTF8.self)
    #expect(printed.ranges(of: "abcdef").count == 1)
    #expect(printed.ranges(of: "\u{1B}[K").count <= 2)
  }

  @Test func aTimerThatPrintsNothingTouchesNothing() throws {
    let session = try start()
    session.send("ticks = 0 every(0.01, function() ticks = ticks + 1 end) and nil\r")
    try session.expect("quakes> ")
    session.send("abc")
    try session.expectScreen { $0.currentLine == "quakes> abc" }
    let before = session.output.count
    session.settle(milliseconds: 100)
    #expect(session.output.count == before)
  }

  @Test func linesOfABlockStayAsTheyAre() throws {
    let session = try start(columns: 40)
    try enter("after(1, function() print 'above' end)", in: session)
    session.send("for i = 1, 2 do\rlocal text = 'a text that is longer than the window'")
    try session.expectScreen {
      Array($0.lines.suffix(4)) == [
        "above", "quakes> for i = 1, 2 do", "     2>   local text = 'a text that is l", "onger than the window'",
      ]
    }
    session.send(" print(i)\rend\r")
    try session.expect("\n1\n2\nquakes> ")
  }

  @Test func aBlockOfTheHistoryIsTakenAwayAndComesBackWhole() throws {
    let session = try start()
    session.send("for i = 1, 2 do\rlocal x = i\rend\r")
    try session.expect("quakes> ")
    try enter("after(0.4, function() print 'above' end)", in: session)
    session.send("\u{1B}[A\u{1B}[A")
    try session.expectScreen {
      Array($0.lines.suffix(3)) == ["quakes> for i = 1, 2 do", "     2>   local x = i", "     3> end"]
    }
    try expectLast(["above", "quakes> for i = 1, 2 do", "     2>   local x = i", "     3> end"], in: session)
  }

  @Test func aHalfTypedKeySequenceGoesOn() throws {
    let session = try start()
    try enter("after(0.4, function() print 'above' end)", in: session)
    session.send("one two\u{1B}")
    try expectLast(["above", "quakes> one two"], in: session)
    session.send("bX")
    try session.expectScreen { $0.currentLine == "quakes> one Xtwo" }
    // Ctrl-V, which takes the next key as it is.
    session.send("\u{5}\u{15}")
    try session.expectScreen { $0.currentLine == "quakes>" }
    session.send("after(0.3, function() print 'more' end) and nil\r")
    try session.expect("nil\nquakes> ")
    session.send("'\u{16}")
    try expectLast(["more", "quakes> '"], in: session)
    session.send("\t'\r")
    try session.expect("\"\\t\"")
  }

  @Test func turnsWaitWhileTheHistoryIsSearchedAndComeAfterIt() throws {
    let session = try start()
    session.send("'findme'\r")
    try session.expect("\"findme\"\nquakes> ")
    try enter("after(1, function() print 'above' end)", in: session)
    session.send("\u{12}findme")
    try session.expectScreen { $0.currentLine.contains("findme': 'findme'") }
    session.settle(milliseconds: 1200)
    #expect(!session.screen.lines.contains("above"))
    session.send("\u{5}")
    try expectLast(["above", "quakes> 'findme'"], in: session)
  }

  @Test func linesArriveWhileTheWindowIsResized() throws {
    let session = try start(columns: 70)
    session.send("every(0.02, function() print 'arriving' end) and nil\r")
    try session.expect("arriving")
    session.send("'a text that fits into seventy columns'")
    for columns in [60, 80, 55, 70] {
      session.resize(columns: columns, rows: 24)
      session.settle(milliseconds: 80)
    }
    try expectLast(["arriving", "quakes> 'a text that fits into seventy columns'"], in: session)
    session.send(" .. '!'\r")
    try session.expect("\"a text that fits into seventy columns!\"")
  }

  @Test func thePromptSaysWhatATimerLeftUnsaved() throws {
    let session = try start()
    try enter("after(0.3, function() Quake { code = 'x' } end)", in: session)
    session.send("abc")
    try session.expectScreen { $0.currentLine == "quakes*1> abc" && $0.column == 13 }
  }

  @Test func runLoopAtThePromptEndsByItsTimeOrByControlC() throws {
    let session = try start()
    session.send("after(0.05, function() print 'in the loop' end) runLoop { seconds = 0.1 }\r")
    try session.expect("in the loop\nquakes> ")
    session.send("runLoop()\r")
    session.settle()
    session.send("\u{3}")
    try session.expect("stopped after ")
    try session.expect("quakes> ")
    session.send("1 + 1\r")
    try session.expect("\n2\nquakes> ")
  }

  @Test func timersWaitWhileThePredicateScreenIsOpen() throws {
    let session = try start(environment: ["NO_COLOR": "1"])
    session.send(
      "n = 0 every(0.02, function() n = n + 1 print('tick ' .. n) if n == 2 then error 'enough' end end) and nil\r.predicate Quake\r"
    )
    try session.expectScreen { $0.lines.last?.hasPrefix("Esc leave  F1 help") == true }
    let ticks = session.transcript.ranges(of: "tick ").count
    session.settle(milliseconds: 150)
    #expect(session.transcript.ranges(of: "tick ").count == ticks)
    session.send("\u{3}")
    try session.expect("tick ")
  }

  @Test func anIdlePromptSleeps() throws {
    let session = try start()
    session.settle()
    func switches() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(session.process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") })
      return try #require(Int(line.filter(\.isNumber)))
    }
    let before = try switches()
    session.settle(milliseconds: 300)
    #expect(try switches() - before <= 2)
  }
}
