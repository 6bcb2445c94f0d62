import Foundation
import Testing

@testable import Shell

/// Text that is longer than the window, on a real terminal.
@Suite(.serialized) struct PagerTests {
  private let program: BuiltProgram
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("-q quakes.sqlite", environment: ["PERILUNE_PAGER": "own"], rows: 12)
    try session.expect("quakes> ")
  }

  private func expect(line number: Int, _ beginning: String) throws {
    try session.expectScreen { $0.lines.indices.contains(number) && $0.lines[number].hasPrefix(beginning) }
  }

  @Test func theOwnPagerShowsWholeResults() throws {
    session.send("for i = 1, 95 do Quake { code = 'x' .. i } end return Quake:all()\r")
    try session.expect(".last shows all")
    session.send(".last\r")
    try expect(line: 11, "lines 1-11 of 105 ")
    session.send("G")
    try expect(line: 11, "lines 95-105 of 105 ")
    session.send("g")
    try expect(line: 11, "lines 1-11 of 105 ")
    session.send(" j")
    try expect(line: 11, "lines 13-23 of 105 ")
    session.send("bk")
    try expect(line: 11, "lines 1-11 of 105 ")
    session.send("/X77\r")
    try expect(line: 11, "no further line has 'X77'")
    session.send("/x77\r")
    try session.expectScreen { $0.lines.contains { $0.contains("x77") } }
    session.resize(columns: 60, rows: 8)
    // Seven lines and the footer.
    try session.expectScreen { screen in
      screen.lines.contains { line in
        guard let range = line.firstMatch(of: #/^lines (\d+)-(\d+) of/#) else { return false }
        return Int(range.1).flatMap { first in Int(range.2).map { $0 - first == 6 } } == true
      }
    }
    session.send("q")
    try session.expectScreen { $0.lines.last == "quakes*95>" }
  }

  @Test func whatFitsTheWindowIsPrinted() throws {
    session.send(".entities\r")
    try session.expect("Quake")
    try session.expectPrompt()
    session.send(".pager\r")
    try session.expect(".pager own")
    try session.expectPrompt()
  }

  @Test func withoutItsProgramTheTextIsPrinted() throws {
    session.send(".pager of\r")
    try session.expectPrompt()
    session.send(".help\r")
    try session.expect("of: not found")
    try session.expect(".watch [EXPRESSION]")
    try session.expectPrompt()
  }

  @Test func aProgramGetsTheText() throws {
    session.send(".pager cat > paged.txt\r")
    try session.expectPrompt()
    session.send(".help\r40 + 2\r")
    try session.expect("\n42\n")
    let paged = try String(contentsOfFile: program.path("paged.txt"), encoding: .utf8)
    #expect(paged.contains(".quit") && paged.contains(".pager"))
    session.send("?predicates\r50 + 3\r")
    try session.expect("\n53\n")
    #expect(try String(contentsOfFile: program.path("paged.txt"), encoding: .utf8).contains("BEGINSWITH"))
  }

  @Test func aMistakeIsToldBehindWhatWasShown() throws {
    session.send(".describe Quale\r")
    try session.expect("did you mean")
    try session.expectPrompt()
  }
}
