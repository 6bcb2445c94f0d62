import Foundation
import TestSupport
import Testing

@testable import Presentation

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

  @Test(arguments: OutputMode.allCases, [Charset.utf8, .ascii])
  func noModeLetsACharacterThroughThatATerminalObeys(_ mode: OutputMode, _ charset: Charset) throws {
    for scalar in TerminalControls.all where scalar != "\n" && scalar != "\t" {
      let text = "a\(scalar)b\(scalar)\u{301}é€"
      let cells: [Cell] = [.text(text), .reference(label: text), .json("[\"\(text)\"]"), .date(text), .decimal(text)]
      let source = MemoryRows(
        columns: cells.indices.map { TabularColumn("c\($0)\(text)", type: text) }, rows: [cells, cells], rowName: text)
      for width in [nil, 24] {
        let output = try rendered(mode, source, terminal(width: width, charset: charset))
        let found = output.unicodeScalars.filter { TerminalControls.all.contains($0) && $0 != "\n" && $0 != "\t" }
        #expect(found.isEmpty, "\(found.map { String($0.value, radix: 16) }) of \(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test func jsonOfSuchCharactersReadsBackAsItWas() throws {
    for scalar in TerminalControls.all {
      let text = "a\(scalar)é€؀🙂\u{2027}\u{2070}\u{A0}"
      let output = try rendered(.ndjson, textRows([[.text(text)]]))
      let read = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: String]
      #expect(read == ["a": text], "\(String(scalar.value, radix: 16))")
    }
  }

  @Test func whatTheShellSaysKeepsItsColoursAndNothingElse() {
    let red = Style(enabled: true)(.error, "bad \u{1B}]0;x\u{7}\u{202E}")
    #expect(DisplayText.picturingAllButColours(in: red + "\n", .utf8) == "\u{1B}[1;31mbad ␛]0;x␇\u{FFFD}\u{1B}[0m\n")
  }

  @Test(arguments: attacks) func aTableHasTheLinesItWouldHaveAnyway(_ attack: String) throws {
    let lines = try rendered(.table, textRows([[.text(attack)], [.text(attack)]]), terminal(width: 60))
    #expect(lines.split(separator: "\n", omittingEmptySubsequences: false).count == 3 + 2 + 1 + 1 + 1)
  }

  @Test func aFileGetsTheBytesAsTheyAre() throws {
    #expect(try rendered(.csv, textRows([[.text("a\u{1B}b")]])) == "a\na\u{1B}b\n")
  }
}
