import Foundation
import Testing

@testable import Shell

/// Differences of two stores on a full screen, on a real terminal.
@Suite(.serialized) struct DifferenceScreenTests {
  private let program: BuiltProgram
  private let session: PTYSession

  /// Five earthquakes, and a copy in which us1 has other values, us2 is gone, us9 is new, and the report of us5 another text.
  init() throws {
    program = try BuiltProgram.withStore()
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("after.sqlite"))
    let change = """
      local first = Quake:find "us1"
      first.magnitude, first.place = 9.5, "here"
      Quake:find("us2"):delete()
      Quake { code = "us9", magnitude = 7.25, place = "Ōsaka", time = Date "2024-01-01" }
      Report:first().text = "strong"
      save()
      """
    let changed = try program.run(["after.sqlite", "-e", change])
    #expect(changed.status == 0, "\(changed.errors)")
    session = try program.terminal("-q quakes.sqlite", columns: 120, rows: 24)
    try session.expect("quakes> ")
  }

  private func open(_ call: String = ".compare after.sqlite") throws {
    session.send(call + "\r")
    try expectLast("q leave")
  }

  private func expectLast(_ beginning: String) throws {
    try session.expectScreen { $0.lines.last?.hasPrefix(beginning) == true }
  }

  private func expect(line number: Int, _ text: String) throws {
    try session.expectScreen { $0.lines.indices.contains(number) && $0.lines[number] == text }
  }

  /// The signs and names of the rows, from top to bottom; headings stand between them.
  private func expect(_ wanted: [String]) throws {
    try session.expectScreen { screen in
      wanted
        == screen.lines.dropFirst(2).compactMap { line in
          if line.hasPrefix("▾") || line.hasPrefix("▸") { return line }
          guard let row = line.firstMatch(of: #/^([-+~!>]) *(\S.*?) *│/#) else { return nil }
          return "\(row.1)\(row.2)"
        }
    }
  }

  private func leave() throws {
    session.send("q")
    try session.expectScreen { $0.currentLine == "quakes>" }
  }

  @Test func aRowIsAnObjectWithItsOldAndNewValues() throws {
    try open()
    try expect(line: 0, "4 differences")
    try expect(["▾ Quake  3", "~us1", "-us2", "+us9", "▾ Report  1", "~1"])
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("1.5 → 9.5") && $0.contains("→ here") }
        && screen.lines.contains { $0.hasPrefix("+") && $0.contains("7.25") && $0.contains("Ōsaka") }
    }
    try leave()
    try session.expect("_ = difference: 1 inserted, 1 deleted, 2 updated")
  }

  @Test func aDifferenceOpensWithEachProperty() throws {
    try open()
    session.send("j\r")
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("Quake us1 · updated") }
        && screen.lines.contains { $0.contains("magnitude") && $0.contains("1.5 → 9.5") }
        && screen.lines.contains { $0.contains("code") && $0.contains("us1") && !$0.contains("→") }
    }
    session.send("j")
    try session.expectScreen { $0.lines.contains { $0.contains("Quake us2 · deleted") } }
    session.send("\u{1B}")
    try expectLast("q leave")
    session.send("m")
    try session.expectScreen { $0.lines.first == "the models are equal" }
    session.send("\u{1B}")
    try expectLast("q leave")
    try leave()
  }

  @Test func keysSortNarrowAndMakeSections() throws {
    try open()
    session.send("S")
    try expect(["▾ inserted  1", "+Quake us9", "▾ deleted  1", "-Quake us2", "▾ updated  2", "~Quake us1", "~Report 1"])
    session.send("S")
    try expect([">Quake us1", "-Quake us2", "+Quake us9", "~Report 1"])
    session.send("ss")
    try expect(line: 0, "4 differences · sorted by -object")
    try expect([">Report 1", "+Quake us9", "-Quake us2", "~Quake us1"])
    session.send("s/osaka\r")
    try expect(line: 0, "1 difference · search osaka")
    try expect([">Quake us9"])
    session.send("\u{7F}")
    try expect(line: 0, "4 differences")
    session.send("S\r")
    try expect(line: 0, "3 differences · only Quake")
    session.send("\u{7F}")
    try expect(line: 0, "4 differences")
    try leave()
  }

  @Test func aColumnSortsByItsValuesAndNarrowsToThem() throws {
    try open(".compare after.sqlite Quake")
    try expect([">us1", "-us2", "+us9"])
    try session.expectScreen { $0.lines.contains { $0.contains("[object]") && $0.contains("magnitude") } }
    session.send("l")
    try session.expectScreen { $0.lines.contains { $0.contains("[magnitude]") } }
    session.send("s")
    try expect([">us2", "+us9", "~us1"])
    session.send("s")
    try expect([">us1", "+us9", "-us2"])
    session.send("-")
    try session.expectScreen { !$0.lines.contains { $0.contains("magnitude]") } }
    session.send("+ll")
    try session.expectScreen { $0.lines.contains { $0.contains("[time]") } }
    session.send("f")
    try expect([">us9", "-us2"])
    try leave()
  }

  @Test func theDifferenceIsKeptAndExportedInEveryFormat() throws {
    try open()
    try leave()
    for (suffix, beginning) in [
      ("csv", "change,entity,identity,property,old,new\n"), ("json", "["), ("ndjson", "{\"change\":\"updated\""),
      ("tsv", "change\tentity"), ("md", "| change"), ("sql", "BEGIN;\n"), ("lua", "local new = {}\n"),
    ] {
      session.send(".export d.\(suffix)\r")
      try session.expect(suffix == "sql" || suffix == "lua" ? "4 rows" : " rows")
      try session.expectPrompt()
      let text = try String(contentsOfFile: program.path("d.\(suffix)"), encoding: .utf8)
      #expect(text.hasPrefix(beginning), "\(suffix): \(text.prefix(80))")
    }
    session.send("d = _\r")
    try session.expectPrompt()
    session.send("d.counts.Quake.updated\r")
    try session.expect("\n1\n")
    // A screen opens it again.
    try open(".browse d")
    try expect(line: 0, "4 differences")
    try leave()
  }

  @Test func theStoresAreComparedAgainOnceAKeyAsks() throws {
    try open()
    try expect(line: 0, "4 differences")
    let changed = try program.run(["after.sqlite", "-e", "Quake:find('us3').magnitude = 0.25 save()"])
    #expect(changed.status == 0, "\(changed.errors)")
    session.send("R")
    try expect(line: 0, "5 differences")
    try leave()
  }

  @Test func theProgramShowsTheScreenAndItsStatusSaysWhetherStoresAreEqual() throws {
    let other = try program.terminal("compare quakes.sqlite after.sqlite --browse", columns: 100, rows: 24)
    try other.expectScreen { $0.lines.first == "4 differences" }
    other.send("q")
    #expect(try other.waitForExit() == 1)
    let equal = try program.terminal("compare quakes.sqlite quakes.sqlite --browse", columns: 100, rows: 24)
    try equal.expectScreen { $0.lines.contains("the stores are equal") }
    equal.send("q")
    #expect(try equal.waitForExit() == 0)
    let refused = try program.run(["compare", "quakes.sqlite", "after.sqlite", "--browse"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--browse: expected a terminal"), "\(refused.errors)")
  }
}
