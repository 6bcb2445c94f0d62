import Foundation
import TestSupport
import Testing

@testable import Shell

/// What is shown behind the cursor, on a terminal.
@Suite(.serialized) struct HintTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram.withStore() }

  private func session(
    _ arguments: [String] = [], columns: Int = 80, environment: [String: String] = [:]
  ) throws -> PTYSession {
    var variables = ["TERM": "xterm", "HOME": program.folder.path, "INPUTRC": "/dev/null", "LANG": "C.UTF-8"]
    variables.merge(environment) { $1 }
    let session = try PTYSession(
      executable: BuiltProgram.executable,
      arguments: ["-q", "--no-init"] + arguments + [program.path("quakes.sqlite")],
      environment: variables, columns: columns, rows: 24)
    try session.expect("quakes> ")
    return session
  }

  private func expect(_ line: String, column: Int, in session: PTYSession) throws {
    try session.expectScreen { $0.currentLine == line && $0.column == column }
  }

  @Test func whatWasEnteredIsProposedAndTaken() throws {
    let session = try session()
    session.send("print(40 + 2)\r")
    try session.expect("\n42\n")
    try session.expectPrompt()
    session.send("pri")
    try expect("quakes> print(40 + 2)", column: 11, in: session)
    // A word, and then the rest.
    session.send("\u{1B}f")
    try expect("quakes> print(40 + 2)", column: 13, in: session)
    session.send("\u{1B}[1;3C")
    try expect("quakes> print(40 + 2)", column: 16, in: session)
    session.send("\u{1B}[C")
    try expect("quakes> print(40 + 2)", column: 21, in: session)
    session.send("\r")
    try session.expect("\n42\n")
    try session.expectPrompt()
    // The end of the line is a place first.
    session.send("pr")
    try expect("quakes> print(40 + 2)", column: 10, in: session)
    session.send("\u{2}")
    try expect("quakes> pr", column: 9, in: session)
    session.send("\u{5}")
    try expect("quakes> print(40 + 2)", column: 10, in: session)
    session.send("\u{5}")
    try expect("quakes> print(40 + 2)", column: 21, in: session)
  }

  @Test func aHintIsNeitherSentNorLeftOnTheScreen() throws {
    let session = try session()
    session.send("kept = 'something long'\r")
    try session.expectPrompt()
    session.send("ke")
    try expect("quakes> kept = 'something long'", column: 10, in: session)
    session.send("\r")
    try session.expectScreen { $0.currentLine == "quakes>" && $0.lines.contains("quakes> ke") }
    session.send("kep")
    try expect("quakes> kept = 'something long'", column: 11, in: session)
    session.send("\u{3}")
    try session.expectScreen { $0.currentLine == "quakes>" && $0.lines.contains("quakes> kep^C") }
    session.send("Quake:where(")
    try expect("quakes> Quake:where(predicate, ...) -> request", column: 20, in: session)
    // It only tells: keys do not take it.
    session.send("\u{1B}[C'")
    try expect("quakes> Quake:where('", column: 21, in: session)
    session.send("magnitude > 5\"\u{7F}'):count()\r")
    try session.expect("\n1\n")
    try session.expectScreen { $0.currentLine == "quakes>" && !$0.description.contains("-> request") }
  }

  @Test func whatFailedIsNotProposed() throws {
    let session = try session()
    session.send("print(40 + 2)\r")
    try session.expectPrompt()
    session.send("print(nowhere.x)\r")
    try session.expectPrompt()
    session.send("pri")
    try expect("quakes> print(40 + 2)", column: 11, in: session)
    session.send("nt(n")
    try expect("quakes> print(n", column: 15, in: session)
  }

  @Test func theArgumentsOfACommandAreShown() throws {
    let session = try session()
    session.send(".export ")
    try expect("quakes> .export [--force] FILE [EXPRESSION]", column: 16, in: session)
    session.send("\u{15}.diff ")
    try expect("quakes> .diff", column: 14, in: session)
  }

  @Test func aHintWrapsAndFollowsTheWindow() throws {
    let session = try session(columns: 30)
    session.send("x = '12345678901234567890123456789'\r")
    try session.expectPrompt()
    session.send("x =")
    try session.expectScreen {
      $0.lines.suffix(2) == ["quakes> x = '12345678901234567", "890123456789'"]
        && $0.currentLine == $0.lines.dropLast().last
    }
    session.resize(columns: 60, rows: 24)
    try session.expectScreen { $0.currentLine == "quakes> x = '12345678901234567890123456789'" && $0.column == 11 }
    session.send(" 1\r")
    try session.expectScreen { $0.currentLine == "quakes>" && $0.lines.suffix(2).first == "quakes> x = 1" }
  }

  @Test func hintsAreAbsentWhereTheyAreRefused() throws {
    let refusals: [([String], [String: String])] = [
      ([], ["NO_COLOR": "1"]), ([], ["TERM": "dumb"]), (["--plain-editor"], [:]), (["--color", "never"], [:]),
    ]
    for (arguments, environment) in refusals {
      let session = try session(arguments, environment: environment)
      session.send("Quake:where(")
      session.settle()
      #expect(session.screen.currentLine == "quakes> Quake:where(", "\(arguments) \(environment)")
    }
    let session = try session()
    session.send(".hints off\r")
    try session.expectPrompt()
    session.send("Quake:where(")
    session.settle()
    #expect(session.screen.currentLine == "quakes> Quake:where(")
    session.send("\u{15}")
    try session.expectPrompt()
    session.send(".hints on\r")
    try session.expectPrompt()
    session.send("Quake:where(")
    try expect("quakes> Quake:where(predicate, ...) -> request", column: 20, in: session)
  }
}
