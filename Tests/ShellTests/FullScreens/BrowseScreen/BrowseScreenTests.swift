import Foundation
import Testing

@testable import Shell

/// A walk through a store on a full screen, on a real terminal, as a person takes it.
@Suite(.serialized) struct BrowseScreenTests {
  private let program: BuiltProgram
  private let session: PTYSession

  /// The program beside a store of five earthquakes, us1 to us5 with magnitudes 1.5 to 5.5, the last with a report.
  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("-q quakes.sqlite", columns: 120, rows: 24)
    try session.expect("quakes> ")
  }

  private func browse(_ call: String) throws {
    let drawn = session.output.count
    session.send(call + "\r")
    try session.expectScreen { screen in
      screen.lines.last?.hasPrefix("q leave") == true
        && String(decoding: session.output[drawn...], as: UTF8.self).contains("q leave")
    }
  }

  private func expect(line number: Int, _ beginning: String) throws {
    try session.expectScreen { $0.lines.indices.contains(number) && $0.lines[number].hasPrefix(beginning) }
  }

  /// The codes of the rows, each after the sign before its row.
  private func expect(_ wanted: [String]) throws {
    try session.expectScreen { screen in
      wanted
        == screen.lines.compactMap { line in
          guard let code = line.firstMatch(of: #/^(.) (us\d+) /#) else { return nil }
          return (code.1 == "│" ? "" : String(code.1)) + code.2
        }
    }
  }

  /// Drops what is typed; Esc and a key right behind it would be another key.
  private func drop() throws {
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
  }

  private func leave() throws {
    session.send("q")
    try session.expectPrompt()
  }

  @Test
  func tabCompletesWhatIsTyped() throws {
    try browse("browse(Quake)")
    session.send("w")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == false }
    session.send("magn\t > 3\r")
    try expect([">us3", "us4", "us5"])
    session.send("i")
    try session.expectScreen { $0.lines.contains { $0.contains("code: String, unique, ") } }
    session.send("e\u{15}us\t")
    try session.expectScreen { $0.lines.contains { $0.contains("us1  us2  us3  us4  us5") } }
    try drop()
    session.send("w\u{15}no\t")
    try session.expectScreen { $0.lines.contains { $0.contains("NONE") || $0.contains("NOT") } }
    try drop()
    try leave()
  }

  @Test
  func whoPointsAtAnObjectLeadsThere() throws {
    try browse("browse(Quake:all():sorted('-code'))")
    try expect([">us5", "us4", "us3", "us2", "us1"])
    session.send("R")
    try session.expectScreen { screen in
      screen.lines.contains { $0.contains("references to Quake us5") }
        && screen.lines.contains { $0.contains("Report.quake") && $0.contains("1") }
    }
    session.send("\r")
    try expect(line: 0, "1 Report · where quake == ")
    session.send("\u{7F}jR")
    try session.expectScreen { $0.lines.contains { $0.contains("nothing points at it") } }
    try leave()
  }

  @Test
  func theWayBecomesCode() throws {
    try browse("browse(Quake)")
    try expect(line: 0, "5 Quake")
    try expect([">us1", "us2", "us3", "us4", "us5"])
    session.send("lss")
    try expect(line: 0, "5 Quake · sorted by -magnitude")
    try expect([">us5", "us4", "us3", "us2", "us1"])
    session.send("wmagnitude > 2\r")
    try expect(line: 0, "4 Quake · where magnitude > 2 · sorted by -magnitude · step 2")
    session.send("jF")
    try expect(line: 0, "3 Quake · where magnitude > 2 AND NOT magnitude == 4.5")
    try expect([">us5", "us3", "us2"])
    session.send("q")
    try session.expect(#"_ = Quake:where "magnitude > 2 AND NOT magnitude == 4.5":sorted("-magnitude")"#)
    try session.expectPrompt()
    session.send("_:count()\r")
    try session.expect("\n3\nquakes> ")
  }

  @Test
  func relationshipsAreWalkedBothWays() throws {
    try browse(".browse Quake:all():sorted 'code'")
    session.send("Gllll")
    try session.expectScreen { $0.lines.last?.hasSuffix("Enter follow") == true }
    session.send("\r")
    try expect(line: 0, "1 Report · where quake == ")
    session.send("\r")
    try expect(line: 0, "1 Quake · where SELF == ")
    try expect([">us5"])
    session.send("\u{7F}")
    try expect(line: 0, "1 Report")
    session.send("\u{7F}")
    try expect(line: 0, "5 Quake")
    try expect(["us1", "us2", "us3", "us4", ">us5"])
    // Here the way began.
    session.send("\u{7F}")
    try expect(line: 1, "this is where the way began")
    session.send("l\r")
    try session.expectScreen { $0.lines.contains { $0.contains("us5") && $0.contains("Quake") } }
    session.send("\u{1B}")
    try expect(["us1", "us2", "us3", "us4", ">us5"])
    try leave()
    session.send("_\r")
    try session.expect("5 Quake · ")
  }

  @Test
  func aSearchLooksIntoWhatIsShown() throws {
    try browse("browse(Report)")
    session.send("/us5\r")
    try expect(line: 0, "1 Report · search us5 · step 2")
    session.send("\u{7F}/us4\r")
    try expect(line: 0, "0 Report · search us4 · step 2")
    session.send("q")
    try session.expectPrompt()
    try browse("browse(Quake:all():sorted 'code')")
    session.send("/4.5\r")
    try expect([">us4"])
    session.send("\u{7F}/2023-11-14\r")
    try expect(line: 0, "5 Quake · search 2023-11-14")
    session.send("\u{7F}ll-/Suva\r")
    try expect(line: 0, "0 Quake · search Suva")
    session.send("q")
    try session.expectPrompt()
  }

  @Test
  func theTitleSaysWhatWasTyped() throws {
    try browse("browse(Quake)")
    session.send("wmagnitude>2 or code == 'us1'\r")
    try expect(line: 0, "5 Quake · where magnitude>2 or code == 'us1' · step 2")
    session.send("F")
    try expect(line: 0, #"4 Quake · where (magnitude>2 or code == 'us1') AND NOT code == "us1" · step 3"#)
    session.send("w")
    try session.expectScreen { $0.lines[1].hasPrefix(#"where: (magnitude>2 or code == 'us1') AND NOT"#) }
    try drop()
    session.send("/kaik\r")
    try expect(line: 0, #"1 Quake · where (magnitude>2 or code == 'us1') AND NOT code == "us1" · search kaik"#)
    try leave()
  }

  @Test
  func columnsStayWhereTheyAre() throws {
    try commit("Quake:find('us1').place = ('a long name '):rep(12)")
    session.resize(columns: 60, rows: 12)
    try browse("browse(Quake:all():sorted 'code')")
    func edges() -> String? { session.screen.lines.first { $0.hasPrefix("┌") } }
    let first = edges()
    for key in ["l", "j", "j", "j", "h", "G", "g"] {
      session.send(key)
      session.settle(milliseconds: 60)
      #expect(edges() == first, "\(key)")
    }
    // A sorted, chosen column keeps its sign, however narrow it is.
    session.send("ls")
    try session.expectScreen { $0.lines.contains { $0.contains("▲ ") && $0.contains("[m") } }
    try leave()
  }

  @Test
  func aSearchLooksIntoAllTexts() throws {
    try browse("browse(Quake)")
    session.send("/KAIKOURA\r")
    try expect(line: 0, "1 Quake · search KAIKOURA")
    try expect([">us3"])
    session.send("\u{7F}")
    try expect(line: 0, "5 Quake")
    session.send("/no such place\r")
    try expect(line: 2, "no Quake")
    try leave()
  }

  @Test
  func valuesOfAColumnLeadToTheirRows() throws {
    _ = try program.run([
      "quakes.sqlite", "-e", "for q in Quake:all():each() do q.place = q.magnitude > 2 and 'far' or 'near' end save()",
    ])
    try browse("browse(Quake)")
    session.send("llv")
    try session.expectScreen { $0.lines.last?.hasPrefix("Enter these") == true }
    #expect(session.screen.lines.contains { $0.contains("far") && $0.contains("4") })
    #expect(session.screen.lines.contains { $0.contains("near") && $0.contains("1") })
    session.send("j\r")
    try expect(line: 0, #"1 Quake · where place == "near" · step 2"#)
    try expect([">us1"])
    try leave()
  }

  /// What another program commits.
  private func commit(_ script: String) throws {
    let result = try program.run(["quakes.sqlite", "-e", script + " save()"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test
  func whatOthersCommitIsShown() throws {
    try browse("browse(Quake:all():sorted 'code')")
    session.send("jj")
    try expect(["us1", "us2", ">us3", "us4", "us5"])
    try commit("Quake { code = 'us0', magnitude = 9 } Quake:find('us1'):delete() Quake:find('us3').magnitude = 7.25")
    try expect(["us0", "us2", ">us3", "us4", "us5"])
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us3") && $0.contains("7.25") } }
    // The line stays with its object, wherever that goes.
    try commit("Quake { code = 'us00' } Quake { code = 'us01' }")
    try expect(["us0", "us00", "us01", "us2", ">us3", "us4", "us5"])
    try commit("Quake:find('us3'):delete()")
    try expect(["us0", "us00", "us01", "us2", ">us4", "us5"])
    try expect(line: 1, "Quake us3 is no longer among these")
    try leave()
  }

  @Test
  func whatIsTypedOutlivesCommits() throws {
    try browse("browse(Quake:all():sorted 'code')")
    session.send("jle\u{15}6.")
    try session.expectScreen { $0.lines[1].hasPrefix("magnitude = 6.") }
    try commit("Quake:find('us1'):delete() Quake:find('us2').place = 'elsewhere'")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us2") && $0.contains("elsewhere") } }
    session.send("5\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us2") && $0.contains("6.5") } }
    // A value goes to the object that it was typed for, not to the one that took its line.
    session.send("e\u{15}8")
    try session.expectScreen { $0.lines[1].hasPrefix("magnitude = 8") }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("je\u{15}8")
    try session.expectScreen { $0.lines[1].hasPrefix("magnitude = 8") }
    try commit("Quake:find('us3'):delete()")
    try expect(["~us2", ">us4", "us5"])
    session.send("\r")
    try session.expectScreen { $0.lines[1].hasPrefix("magnitude = 8  there is no Quake") }
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us4") && $0.contains("4.5") } }
    try drop()
    session.send("q")
    try session.expectPrompt("quakes*1>")
  }

  @Test
  func timersCommitsAreShown() throws {
    session.send("after(1.5, function() Quake:find('us2'):delete() save() end)\r")
    try session.expectPrompt()
    try browse("browse(Quake:all():sorted 'code')")
    try expect([">us1", "us3", "us4", "us5"])
    try leave()
  }

  @Test
  func sectionsHaveHeadings() throws {
    try commit("for q in Quake:all():each() do q.place = q.magnitude > 2 and 'far' or 'near' end")
    try browse(
      "browse(SectionedFetchRequest { entity = Quake, sectionIdentifier = 'place', sortDescriptors = { 'code' } })")
    try expect(line: 0, "5 Quake · in 2 sections by place · sorted by code")
    try expect(["us2", "us3", "us4", "us5", "us1"])
    #expect(session.screen.lines.filter { $0.hasPrefix("▾ ") } == ["▾ far  4", "▾ near  1"])
    session.send(" ")
    try expect(["us1"])
    #expect(session.screen.lines.contains("▸ far  4"))
    session.send("Z")
    try expect([])
    session.send("ZG")
    try expect(["us2", "us3", "us4", "us5", ">us1"])
    session.send("q")
    try session.expect(
      #"_ = SectionedFetchRequest { entity = Quake, sectionIdentifier = "place", sortDescriptors = { "code" } }"#)
    try session.expectPrompt()
  }

  @Test
  func aColumnMakesSections() throws {
    try commit("for q in Quake:all():each() do q.place = q.magnitude > 2 and 'far' or 'near' end")
    try browse("browse(Quake)")
    session.send("llS")
    try expect(line: 0, "5 Quake · in 2 sections by place")
    try expect([])
    #expect(session.screen.lines.filter { $0.hasPrefix("▸ ") } == ["▸ far  4", "▸ near  1"])
    // Unsaved changes and others' commits count.
    session.send(" je")
    try session.expectScreen { $0.lines[1].hasPrefix("place = ") }
    session.send("\u{15}near\rr")
    try session.expectScreen { $0.lines.contains("▸ near  2") && $0.lines.contains("▾ far  3") }
    try commit("Quake { code = 'us9', place = 'near' }")
    try session.expectScreen { $0.lines.contains("▸ near  3") && $0.lines.contains("▾ far  3") }
    // Enter on a heading leads into it.
    session.send("G\r")
    try expect(line: 0, #"3 Quake · 1 unsaved change · where place == "near" · step 2"#)
    session.send("\u{7F}S")
    try expect(line: 0, "6 Quake · 1 unsaved change")
    try session.expectScreen { !$0.lines.contains { $0.hasPrefix("▸ ") } }
    session.send("q")
    try session.expectPrompt("quakes*1>")
  }

  @Test
  func theMostFrequentValuesAreListed() throws {
    try commit(
      "for i = 1, 1200 do Quake { code = ('n%04d'):format(i), place = ('p%04d'):format(i), magnitude = i % 2 } end")
    try browse("browse(Quake)")
    session.send("llv")
    try expect(line: 1, "the 1,000 most frequent values; there are more")
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("hv")
    try session.expectScreen { $0.lines.last?.hasPrefix("Enter these") == true }
    #expect(session.screen.lines.contains { $0.contains("0.0") && $0.contains("600") })
    // They are counted again when something is committed.
    try commit("for q in Quake:where('magnitude == 0'):each() do q.magnitude = 1 end")
    try session.expectScreen { $0.lines.contains { $0.contains("1.0") && $0.contains("1200") } }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    try leave()
  }

  @Test
  func editsAreUnsavedChanges() throws {
    try browse("browse(Quake:all():sorted 'code')")
    session.send("le\u{15}9.5\r")
    try expect(line: 0, "5 Quake · 1 unsaved change · sorted by code")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains("9.5") } }
    session.send("u")
    try expect(line: 1, "undone")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains("1.5") } }
    session.send("\u{12}")
    try expect(line: 1, "redone")
    // What is not a value stays to be mended, and says why.
    session.send("e\u{15}'many'\r")
    try session.expectScreen { $0.lines[1].hasPrefix("magnitude = 'many'  ") && $0.lines[1].contains("magnitude") }
    try drop()
    // A text is taken as it stands, a date as imports read it, and x empties.
    session.send("le\u{15}O'Higgins \"x\"\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains("O'Higgins \"x\"") } }
    session.send("jx")
    try expect(line: 0, "5 Quake · 2 unsaved changes")
    session.send("le\u{15}2024-05-01\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us2") && $0.contains("2024-05-01") } }
    session.send("q")
    try session.expectPrompt("quakes*2>")
    session.send("Quake:find('us1').magnitude, Quake:find('us1').place, Quake:find('us2').place\r")
    try session.expect("9.5")
    try session.expect("O'Higgins")
  }

  @Test
  func columnsAreHidden() throws {
    try browse("browse(Quake)")
    session.send("l-")
    try session.expectScreen { !$0.lines[3].contains("magnitude") && $0.lines[3].contains("[place]") }
    session.send("+")
    try session.expectScreen { $0.lines[3].contains("magnitude") }
    session.send("?")
    try session.expectScreen { $0.lines.contains { $0.contains("hide the column") } }
    session.send("x")
    try expect(line: 0, "5 Quake")
    try leave()
  }

  @Test
  func columnsBecomeNarrowerAndWider() throws {
    try browse("browse(Quake)")
    let frame = try #require(session.screen.lines.first { $0.hasPrefix("┌") })
    session.send("ll>>")
    try session.expectScreen { $0.lines[2].count == frame.count + 4 }
    session.send(String(repeating: "<", count: 40))
    try session.expectScreen {
      $0.lines[3].contains("│ [p…] │") || $0.lines[3].contains("│ [p…  │") || $0.lines[3].contains("│ [pl… │")
    }
    // No width pushes the first column or the chosen one out of the window.
    session.send(String(repeating: ">", count: 100))
    try session.expectScreen {
      (110...120).contains($0.lines[2].count) && $0.lines[3].contains("code") && $0.lines[3].contains("[place]")
    }
    session.send("=")
    try session.expectScreen { $0.lines[2] == frame }
    // Numbers are not cut.
    session.send("h" + String(repeating: "<", count: 40))
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("> us1") && $0.contains(" 1.5 ") } }
    try leave()
  }

  @Test
  func mistakesAreSaidAboveTheRows() throws {
    try browse("browse(Quake:all():sorted 'code')")
    session.send("wmagnitud > 2\r")
    try session.expectScreen { $0.lines[1].contains("did you mean 'magnitude'?") }
    try drop()
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us2'):delete() Quake:find('us3').magnitude = 9 save()"])
    session.send("r")
    try expect([">us1", "us3", "us4", "us5"])
    try session.expectScreen { $0.lines.contains { $0.contains("us3") && $0.contains("9.0") } }
    // The screen follows what others write by itself; a signal would come before the key.
    session.send("j")
    try expect(["us1", ">us3", "us4", "us5"])
    session.send("\u{3}")
    try session.expectPrompt()
    session.send("browse(5)\r")
    try session.expect("expected an entity, a request of objects or a difference, got number")
  }

  @Test
  func withoutATerminalItIsATable() throws {
    let result = try program.run(["quakes.sqlite", "-e", "browse(Quake:where('magnitude > 4'))"])
    #expect(result.status == 0)
    #expect(result.output.contains("us4") && result.output.contains("us5") && !result.output.contains("us3"))
  }
}
