import Testing

@testable import Terminal

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

  @Test func progressAppearsAfterASecondAndLeavesACleanLine() {
    var time = 0.0
    var written: [String] = []
    let options = Progress.Options(isEnabled: true, now: { time }, write: { written.append($0) })
    let progress = Progress("import books.csv", total: 1_000_000, unit: "rows", options: options)
    progress.update(256)
    #expect(written.isEmpty)
    time = 2
    progress.update(512_000)
    #expect(written == ["\rimport books.csv  ████████▏         51 %  512k/1.0M rows  256k/s  ETA 0:02\u{1B}[K"])
    progress.update(512_001)
    #expect(written.count == 1, "no more than ten lines a second")
    progress.finish()
    #expect(written.last == "\r\u{1B}[K")
  }

  @Test func progressIsSilentWhereThereIsNoTerminal() {
    var time = 0.0
    var written = 0
    let options = Progress.Options(isEnabled: false, now: { time }, write: { _ in written += 1 })
    let progress = Progress("x", total: nil, unit: "rows", options: options)
    time = 100
    progress.update(1_024)
    progress.finish()
    #expect(written == 0)
  }
}
