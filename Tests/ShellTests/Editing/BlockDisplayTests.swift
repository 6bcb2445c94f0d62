import TestSupport
import Testing

@testable import Presentation
@testable import Shell
@testable import Terminal

@Suite(.seeded) struct BlockDisplayTests {
  private let plain = Style(enabled: false)

  private func layout(_ block: String, at point: Int? = nil, columns: Int) -> BlockLayout {
    BlockLayout(Array(block.utf8), point: point ?? block.utf8.count, columns: columns, style: plain) {
      $0 == 1 ? "lib> " : "  \($0)> "
    }
  }

  @Test func aRowBehindTheLastColumnBeginsTheNext() {
    let layout = layout("12345雪雪", columns: 11)
    #expect(layout.rows.map(\.text) == ["lib> 12345", "雪雪"])
    #expect(layout.cursor == (1, 4))
    #expect(self.layout("123456", columns: 11).cursor == (1, 0))
  }

  @Test func controlCharactersAreShownAndNeverSent() {
    let rows = layout("a\u{1B}[2Jb\u{7F}\tc\u{9B}\u{301}", columns: 80).rows
    #expect(!rows.map(\.text).joined().unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    #expect(rows.first?.text.hasPrefix("lib> a^[[2Jb^?  c") == true)
  }

  @Test func coloursGoWithTheirCharacters() {
    let layout = BlockLayout(
      Array("for 雪".utf8), point: 0, columns: 20, style: Style(enabled: true),
      marks: [(0..<3, .keyword), (4..<7, .name)]
    ) { _ in "> " }
    #expect(layout.rows.map(\.text) == ["> \u{1B}[35mfor\u{1B}[0m \u{1B}[36m雪\u{1B}[0m"])
    #expect(layout.rows.map(\.width) == [8])
  }

  @Test func whatIsOnTheScreenIsWhatWouldBeDrawnAnew() {
    var random = SplitMix(seed: 1)
    for _ in 0..<60 {
      let size = TerminalSize(columns: 9 + random.below(30), rows: 4 + random.below(12))
      var display = BlockDisplay()
      var screen = Screen(columns: size.columns, rows: size.rows)
      var characters: [Character] = []
      for _ in 0..<40 {
        let place = random.below(characters.count + 1)
        switch random.below(6) {
        case 0 where !characters.isEmpty:
          characters.removeSubrange(min(place, characters.count - 1)..<min(place + 3, characters.count))
        case 1: characters.insert("\n", at: place)
        case 2: characters.insert(contentsOf: String(repeating: "long ", count: random.below(12)), at: place)
        default: characters.insert(random.pick(["a", "雪", "e\u{301}", "👩‍🚀", "\u{1}", "\t"]), at: place)
        }
        let point = String(characters.prefix(random.below(characters.count + 1))).utf8.count
        let layout = layout(String(characters), at: point, columns: size.columns)
        screen.write(display.show(layout, in: size).utf8)
        let cursorText = layout.rows[layout.cursor.row].text
        #expect(screen.currentLine == trimmed(cursorText))
        #expect(screen.column == min(layout.cursor.column, size.columns - 1))
        guard layout.rows.count <= size.rows else { continue }
        var fresh = Screen(columns: size.columns, rows: size.rows)
        var freshDisplay = BlockDisplay()
        fresh.write(freshDisplay.show(layout, in: size).utf8)
        #expect(screen.lines == fresh.lines)
        #expect(screen.row == fresh.row)
      }
      screen.write(display.erase().utf8)
      #expect(screen.lines.isEmpty && screen.row == 0)
    }
  }

  @Test func linesThatAreKnownFromBeforeAreLaidOutAsAnew() {
    var random = SplitMix(seed: 3)
    for _ in 0..<40 {
      var (lines, columns) = (LaidOutLines(), 12 + random.below(20))
      var characters: [Character] = []
      for step in 0..<60 {
        let place = random.below(characters.count + 1)
        switch random.below(7) {
        case 0 where !characters.isEmpty:
          characters.removeSubrange(min(place, characters.count - 1)..<min(place + 4, characters.count))
        case 1, 2: characters.insert(contentsOf: "\nab", at: place)
        case 3: characters.insert(random.pick(["\r\n", "\r"]), at: place)
        default: characters.insert(random.pick(["a", "雪", "e\u{301}", "\t"]), at: place)
        }
        if step == 30 { columns += 3 }
        let block = Array(String(characters).utf8)
        let point = random.below(block.count + 1)
        let middle = random.below(block.count + 1)
        let marks: [BlockLayout.Mark] =
          middle > 3 ? [(2..<middle - 1, .string), (middle - 1..<middle, .keyword)] : []
        let hint = random.chance(oneIn: 3) ? "hint" : ""
        let style = Style(enabled: true)
        let kept = BlockLayout(
          block, point: point, columns: columns, style: style, marks: marks, hint: hint, lines: &lines
        ) { "\($0 + step / 40)> " }
        let anew = BlockLayout(block, point: point, columns: columns, style: style, marks: marks, hint: hint) {
          "\($0 + step / 40)> "
        }
        #expect(kept == anew)
      }
    }
  }

  @Test func rowsThatStayAreNotWrittenAgain() {
    let size = TerminalSize(columns: 40, rows: 10)
    var display = BlockDisplay()
    _ = display.show(layout("first\nsecond\nthird", columns: 40), in: size)
    #expect(display.show(layout("first\nsecond\nthird", columns: 40), in: size).isEmpty)
    let changed = display.show(layout("first\nsecond\nthird!", columns: 40), in: size)
    #expect(changed.contains("third!") && !changed.contains("first") && !changed.contains("second"))
  }

  private func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
