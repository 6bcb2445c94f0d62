import Testing

@testable import Presentation

@Suite struct MessageTests {
  var titel: Diagnostic {
    var diagnostic = Diagnostic("Book has no attribute 'titel'")
    diagnostic.sourceLine = "Book:where \"titel HASPREFIX 'The'\""
    diagnostic.range = 12..<17
    diagnostic.suggestion = "title"
    diagnostic.notes = ["'HASPREFIX' is not an operator either; BEGINSWITH is"]
    return diagnostic
  }

  @Test func aTerminalShowsTheLineAndTheCaret() {
    #expect(
      DiagnosticText().terminal(titel) == """
        error: Book has no attribute 'titel'
          Book:where "titel HASPREFIX 'The'"
                      ^^^^^ did you mean 'title'?
          note: 'HASPREFIX' is not an operator either; BEGINSWITH is

        """)
  }

  @Test func aScriptSaysThePlaceFirst() {
    var diagnostic = titel
    (diagnostic.file, diagnostic.line, diagnostic.column) = ("report.lua", 12, 15)
    diagnostic.traceback = ["report.lua:12: in main chunk"]
    #expect(
      DiagnosticText().batch(diagnostic) == """
        report.lua:12:15: error: Book has no attribute 'titel'; did you mean 'title'?
        report.lua:12:15: note: 'HASPREFIX' is not an operator either; BEGINSWITH is
        stack traceback:
        \treport.lua:12: in main chunk

        """)
    diagnostic.column = nil
    #expect(DiagnosticText().batch(diagnostic).hasPrefix("report.lua:12: error: "))
  }

  @Test func aScriptIsShownATextThatHasNoPlace() {
    var diagnostic = Diagnostic("Book has no attribute 'titel'")
    (diagnostic.file, diagnostic.sourceLine, diagnostic.range) = ("perilune", "year > 1 AND titel == 'x'", 13..<18)
    #expect(
      DiagnosticText().batch(diagnostic) == """
        perilune: error: Book has no attribute 'titel'
          year > 1 AND titel == 'x'
                       ^^^^^

        """)
  }

  @Test func theCaretStandsUnderWideAndControlCharacters() {
    var diagnostic = Diagnostic("x")
    diagnostic.sourceLine = "雪é\t= titel"
    diagnostic.range = 8..<13
    #expect(DiagnosticText().terminal(diagnostic) == "error: x\n  雪é⇥= titel\n        ^^^^^\n")
    diagnostic.range = 100..<100
    #expect(DiagnosticText().terminal(diagnostic).hasSuffix("\n             ^\n"))
  }

  @Test func aCaretFarToTheRightPullsItsSurroundingsIntoTheWindow() {
    for offset in stride(from: 0, through: 400, by: 7) {
      var diagnostic = Diagnostic("x")
      diagnostic.sourceLine = String(repeating: "a", count: offset) + "HERE" + String(repeating: "b", count: 300)
      diagnostic.range = offset..<(offset + 4)
      let lines = DiagnosticText(width: 60).terminal(diagnostic).split(separator: "\n")
      #expect(lines[1].terminalWidth <= 60)
      let start = lines[1].firstRange(of: "HERE").map {
        lines[1].distance(from: lines[1].startIndex, to: $0.lowerBound)
      }
      #expect(start == lines[2].count - 4)
    }
  }

  @Test func messagesNeverAct() {
    var diagnostic = Diagnostic("no \u{1B}[2J")
    diagnostic.file = "a\u{1B}b"
    diagnostic.line = 1
    diagnostic.sourceLine = "x\u{1B}[H"
    diagnostic.range = 1..<2
    diagnostic.suggestion = "\u{7}"
    diagnostic.notes = ["\u{9B}2J"]
    diagnostic.traceback = ["\u{1B}c"]
    for text in [DiagnosticText().batch(diagnostic), DiagnosticText().terminal(diagnostic)] {
      #expect(!text.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control })
    }
  }
}
