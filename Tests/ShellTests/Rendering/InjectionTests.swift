import Testing

@testable import Shell

/// A value that is shown on a terminal never acts on it.
@Suite struct InjectionTests {
  static let attacks = [
    "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}", "\u{9B}31m", "a\rb", "a\u{8}\u{8}b", "\u{1B}P+q\u{1B}\\", "\u{7F}\u{0}",
    "\u{202E}txt.exe", "\u{2028}x", "x\u{B}y\u{C}z", "\u{1B}]52;c;AAAA\u{7}", "\u{85}next",
  ]

  @Test(arguments: attacks, OutputMode.allCases) func noModeLetsItThrough(_ attack: String, _ mode: OutputMode) throws {
    let cells: [Cell] = [.text(attack), .reference(label: attack), .json("\"\(attack)\""), .date(attack)]
    let source = MemoryRows(
      columns: (0..<4).map { TabularColumn("c\($0)\(attack)", type: attack) }, rows: [cells, cells, cells, cells],
      rowName: attack)
    for width in [nil, 30, 200] {
      let output = try rendered(mode, source, terminal(width: width))
      let active = output.unicodeScalars.filter {
        $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control
      }
      #expect(active.isEmpty, "in a window of \(width ?? 0)")
    }
  }

  @Test(arguments: attacks) func aTableHasTheLinesItWouldHaveAnyway(_ attack: String) throws {
    let lines = try rendered(.table, textRows([[.text(attack)], [.text(attack)]]), terminal(width: 60))
    #expect(lines.split(separator: "\n", omittingEmptySubsequences: false).count == 3 + 2 + 1 + 1 + 1)
  }

  @Test func aFileGetsTheBytesAsTheyAre() throws {
    #expect(try rendered(.csv, textRows([[.text("a\u{1B}b")]])) == "a\na\u{1B}b\n")
  }
}
