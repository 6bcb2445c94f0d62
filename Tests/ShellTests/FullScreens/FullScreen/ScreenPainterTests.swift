import TestSupport
import Testing

@testable import Presentation
@testable import Shell
@testable import Terminal

@Suite(.seeded) struct ScreenPainterTests {
  private let plain = Style(enabled: false)

  private func frame(_ lines: [String], columns: Int = 20, rows: Int = 4, cursor: (Int, Int)? = nil) -> ScreenFrame {
    var frame = ScreenFrame(TerminalSize(columns: columns, rows: rows))
    frame.lines = lines.map { ScreenLine($0, in: columns, plain, .utf8) }
    frame.cursor = cursor.map { ScreenFrame.Place(row: $0.0, column: $0.1) }
    return frame
  }

  @Test func theTerminalShowsTheFrame() {
    var painter = ScreenPainter()
    var screen = Screen(columns: 20, rows: 4)
    screen.write(Array("rubbish from before\r\nmore of it".utf8))
    screen.write(Array(painter.paint(frame(["one", "", "three"], cursor: (2, 3))).utf8))
    #expect(screen.lines == ["one", "", "three"])
    #expect((screen.row, screen.column) == (2, 3))
  }

  @Test func onlyLinesThatDifferArePainted() {
    var painter = ScreenPainter()
    _ = painter.paint(frame(["one", "two", "three"]))
    let output = painter.paint(frame(["one", "TWO", "three"]))
    #expect(output.contains("TWO"))
    #expect(!output.contains("one") && !output.contains("three"))
    #expect(painter.paint(frame(["one", "TWO", "three"])) == "")
  }

  @Test func movingTheCursorPaintsNothing() {
    var painter = ScreenPainter()
    _ = painter.paint(frame(["one"], cursor: (0, 0)))
    #expect(painter.paint(frame(["one"], cursor: (0, 2))) == "\u{1B}[1;3H\u{1B}[?25h")
  }

  @Test func anotherSizeAndAForgottenScreenArePaintedWhole() {
    var painter = ScreenPainter()
    _ = painter.paint(frame(["one"]))
    #expect(painter.paint(frame(["one"], columns: 30)).contains("one"))
    painter.forget()
    #expect(painter.paint(frame(["one"], columns: 30)).contains("one"))
  }

  @Test func aLineThatFillsTheWindowKeepsItsLastColumn() {
    var painter = ScreenPainter()
    var screen = Screen(columns: 20, rows: 4)
    let full = String(repeating: "x", count: 19) + "y"
    screen.write(Array(painter.paint(frame(["", full, "below"])).utf8))
    #expect(screen.lines == ["", full, "below"])
  }

  @Test func fuzzedFramesLeaveTheScreenAsTheLastOneSays() {
    var random = SplitMix(seed: 1)
    var painter = ScreenPainter()
    var screen = Screen(columns: 12, rows: 5)
    let pieces = ["a", "bc", " ", "雪", "é", "x\u{1B}[2J", "long text that is cut", "\t"]
    for _ in 0..<500 {
      let lines = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      }
      let next = frame(lines, columns: 12, rows: 5)
      screen.write(Array(painter.paint(next).utf8))
      var expected = next.lines.map(\.text).map { text in
        var text = text
        while text.last == " " { text.removeLast() }
        return text
      }
      while expected.last == "" { expected.removeLast() }
      #expect(screen.lines == expected)
    }
  }

  @Test func whatIsCutNeverReachesTheTerminalRaw() {
    let line = ScreenLine("a\u{1B}[2J\u{7}\nb", .error, in: 40, Style(enabled: true), .utf8)
    #expect(line.text == "\u{1B}[1;31ma␛[2J␇⏎b\u{1B}[0m")
    #expect(line.width == 8)
  }
}
