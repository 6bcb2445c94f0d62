import Foundation
import Testing

@testable import Shell

/// Live results on a full screen, on a real terminal, as a person uses it.
@Suite(.serialized) struct WatchScreenTests {
  private let program: BuiltProgram
  private let session: PTYSession

  /// The program beside a store of five earthquakes, us1 to us5 with magnitudes 1.5 to 5.5, its prompt shown.
  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes> ")
  }

  private func type(_ line: String) throws {
    session.send(line + "\r")
    try session.expectPrompt()
  }

  private func watch(_ call: String) throws {
    // The lines of an earlier screen are still there: this one has come when it was drawn.
    let drawn = session.output.count
    session.send(call + "\r")
    try session.expectScreen { screen in
      screen.lines.last?.hasPrefix("q leave") == true
        && String(decoding: session.output[drawn...], as: UTF8.self).contains("q leave")
    }
  }

  /// The codes of the rows, each after the sign before its row.
  private func rows(_ screen: Screen) -> [String] {
    screen.lines.compactMap { line in
      guard let code = line.firstMatch(of: #/^(.) (us\d+) /#) else { return nil }
      return (code.1 == "│" ? "" : String(code.1)) + code.2
    }
  }

  private func expect(_ wanted: [String]) throws {
    try session.expectScreen { rows($0) == wanted }
  }

  private func expect(line number: Int, _ beginning: String) throws {
    try session.expectScreen { $0.lines.indices.contains(number) && $0.lines[number].hasPrefix(beginning) }
  }

  @Test func anEntityIsShownAndFollowsWhatOthersWrite() throws {
    try watch("watch(Quake:all():sorted '-magnitude')")
    try expect([">us5", "us4", "us3", "us2", "us1"])
    try expect(line: 0, "5 Quake · sorted by -magnitude")
    _ = try program.run([
      "quakes.sqlite", "-e",
      "Quake { code = 'us6', magnitude = 4 } Quake:find('us1'):delete() save { author = 'feed' }",
    ])
    try expect([">us5", "us4", "+us6", "us3", "us2"])
    try expect(line: 1, "1 inserted, 1 deleted (remote")
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us2').magnitude = 9 save()"])
    try expect([">us2", "us5", "us4", "us6", "us3"])
    session.send("q")
    try session.expectPrompt()
  }

  @Test func theTopStaysAsLongAsNobodyHasMoved() throws {
    try watch("watch(Quake:all():sorted '-magnitude')")
    try expect([">us5", "us4", "us3", "us2", "us1"])
    try commit("Quake { code = 'us6', magnitude = 9 }")
    try expect([">us6", "us5", "us4", "us3", "us2", "us1"])
    // A line that was chosen stays with its object, until Home goes to the top again.
    session.send("\u{1B}[B")
    try expect(["+us6", ">us5", "us4", "us3", "us2", "us1"])
    try commit("Quake { code = 'us7', magnitude = 9.5 }")
    try expect(["+us7", "us6", ">us5", "us4", "us3", "us2", "us1"])
    session.send("g")
    try commit("Quake { code = 'us8', magnitude = 9.75 }")
    try expect([">us8", "us7", "us6", "us5", "us4", "us3", "us2", "us1"])
    session.send("q")
    try session.expectPrompt()
  }

  @Test func theRowsThatAreShownAreNamed() throws {
    try commit("for i = 6, 40 do Quake { code = 'us' .. i, magnitude = 1 } end")
    try watch("watch(Quake:all():sorted 'code')")
    try expect(line: 0, "40 Quake, 1–17 · sorted by code")
    session.send("G")
    try expect(line: 0, "40 Quake, 24–40 · sorted by code")
    session.send("q")
    try session.expectPrompt()
    try watch("watch(Quake:all():grouped('code', { n = 'count' }):live())")
    try expect(line: 0, "40 rows of Quake, 1–17")
    session.send("q")
    try session.expectPrompt()
  }

  private func commit(_ script: String) throws {
    let result = try program.run(["quakes.sqlite", "-e", script + " save()"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func theCellsThatChangedAreMarkedWithTheirFormerValues() throws {
    try type("r = Quake:all():sorted('code'):live()")
    try watch("watch(r)")
    try expect([">us1", "us2", "us3", "us4", "us5"])
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us2').magnitude = 9 save()"])
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("~ us2 ") && $0.contains("2.5 → 9.0") } }
    // Nothing else is marked, and the mark ends.
    #expect(session.screen.lines.filter { $0.contains("→") }.count == 1)
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("│ us2 ") && !$0.contains("→") && $0.contains("9.0") } }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func aBurstOfCommitsIsFollowedToItsEnd() throws {
    try watch("watch(Quake:all():sorted('code'))")
    _ = try program.run([
      "quakes.sqlite", "-e", "for i = 1, 200 do Quake:find('us2').magnitude = 5 + i / 100 save() end",
    ])
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("│ us2 ") && !$0.contains("→") && $0.contains("7.0") } }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func keysSortAndTheResultsKeepThat() throws {
    try type("r = Quake:all():sorted('code'):live()")
    try watch(".watch r")
    try expect([">us1", "us2", "us3", "us4", "us5"])
    session.send("\u{1B}[C")
    try session.expectScreen { $0.lines.last?.contains("s sort by magnitude") == true }
    session.send("s")
    try expect(line: 0, "5 Quake · sorted by magnitude, code")
    session.send("s")
    try expect([">us5", "us4", "us3", "us2", "us1"])
    try expect(line: 0, "5 Quake · sorted by -magnitude, code")
    #expect(session.screen.lines.contains { $0.contains("[magnitude] ▼") })
    session.send("s")
    try expect(line: 0, "5 Quake · sorted by code")
    session.send("ssq")
    try session.expectPrompt()
    session.send("print(r[1].code, r.isClosed)\r")
    try session.expect("\nus5\tfalse")
  }

  @Test func enterOpensTheObjectAndItsCardFollows() throws {
    try watch("watch(Quake:all():sorted('code'))")
    try expect([">us1", "us2", "us3", "us4", "us5"])
    session.send("\u{1B}[B\r")
    try session.expectScreen { screen in
      screen.lines.last?.hasPrefix("Esc back") == true && screen.lines.contains { $0.contains("us2") }
    }
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us2').magnitude = 9 save()"])
    try session.expectScreen { $0.lines.contains { $0.contains("magnitude") && $0.contains("9.0") } }
    session.send("\u{1B}[B")
    try session.expectScreen { $0.lines.contains { $0.contains("us3") } }
    // The rest of a card that is longer than the window is a page further.
    session.resize(columns: 100, rows: 5)
    try session.expectScreen { $0.lines.last?.hasSuffix("PgUp, PgDn the rest") == true }
    session.send("\u{1B}[6~")
    try session.expectScreen { screen in screen.lines.contains { $0.contains("reports") } }
    session.send("\u{1B}[5~")
    try session.expectScreen { screen in screen.lines.contains { $0.contains("us3") } }
    session.resize(columns: 100, rows: 24)
    try session.expectScreen { $0.lines.last == "Esc back  Up, Down other objects" }
    session.send("\u{1B}")
    try expect(["us1", "~us2", ">us3", "us4", "us5"])
    session.send("?")
    try session.expectScreen { $0.lines.first == "keys" && $0.lines.last == "any key goes back" }
    // What a key does is there in whole where the window is high enough.
    session.resize(columns: 50, rows: 40)
    try session.expectScreen { screen in
      !screen.lines.joined().contains("…") && screen.lines.contains { $0.hasPrefix("  q, Esc, Ctrl-D") }
    }
    session.resize(columns: 50, rows: 15)
    try session.expectScreen { screen in
      screen.lines.joined().contains("…") && screen.lines.contains { $0.hasPrefix("  q, Esc, Ctrl-D") }
    }
    session.resize(columns: 100, rows: 24)
    session.send("x")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func heldRowsStayUntilTheyGoOn() throws {
    try watch("watch(Quake:all():sorted('code'))")
    try expect([">us1", "us2", "us3", "us4", "us5"])
    session.send(" ")
    try expect(line: 1, "held, 0 changes waiting")
    _ = try program.run(["quakes.sqlite", "-e", "Quake { code = 'us6' } save()"])
    try expect(line: 1, "held, 1 change waiting")
    #expect(rows(session.screen) == [">us1", "us2", "us3", "us4", "us5"])
    session.send(" ")
    try session.expectScreen { rows($0).count == 6 }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func columnsThatAreNotShownAreReached() throws {
    session.resize(columns: 40, rows: 24)
    try watch("watch(Quake:all():sorted('code'))")
    let shown = session.screen.lines.first { $0.contains("[code]") } ?? ""
    // Each column has its turn, and the one that is chosen is on the screen.
    var seen: Set<String> = []
    for _ in 0..<12 {
      session.send("\u{1B}[C")
      session.settle()
      if let name = session.screen.lines.joined().firstMatch(of: #/\[(\w+)/#) { seen.insert(String(name.1)) }
    }
    for name in ["magnitude", "place", "time", "reports"] {
      #expect(seen.contains { name.hasPrefix($0.prefix(3)) }, "\(name) of \(seen), first \(shown)")
    }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func columnsAreHidden() throws {
    try commit("Quake:find('us2').place = 'a'")
    try watch("watch(Quake:all():sorted('code'))")
    session.send("l-")
    try session.expectScreen { $0.lines[3].contains("[place]") && !$0.lines[3].contains("magnitude") }
    // The marks are those of the columns that are left.
    try commit("Quake:find('us2').place = 'b'")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("~ us2 ") && $0.contains("a → b") } }
    session.send("+")
    try session.expectScreen { $0.lines[3].contains("[magnitude]") }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func aFilterNarrowsTheRowsAsItIsTyped() throws {
    try type("r = Quake:where('magnitude < 5'):sorted('code'):live()")
    try watch("watch(r)")
    try expect([">us1", "us2", "us3", "us4"])
    session.send("/magnitude > 3")
    try expect([">us3", "us4"])
    try expect(line: 0, "2 Quake · sorted by code · where magnitude < 5 AND magnitude > 3")
    session.send(" AND plac = 1")
    try session.expectScreen { $0.lines[1].contains("Quake has no property 'plac'; did you mean 'place'?") }
    #expect(rows(session.screen) == [">us3", "us4"])
    session.send("\u{15}magnitude > 4\r")
    try expect([">us4"])
    try expect(line: 1, "filter: magnitude > 4")
    session.send("\u{1B}")
    try expect([">us1", "us2", "us3", "us4"])
    session.send("\u{1B}")
    try session.expectPrompt()
    session.send("#r\r")
    try session.expect("4\nquakes> ")
  }

  @Test func sectionsAreFolded() throws {
    try type("Quake:find('us4').place, Quake:find('us5').place = 'Lata', 'Lata' save()")
    try type(
      "r = SectionedFetchRequest { entity = Quake, sectionIdentifier = 'place', sortDescriptors = { 'code' } }:live()")
    try watch("watch(r)")
    try expect(line: 0, "5 Quake · in 4 sections by place")
    #expect(session.screen.lines.contains("▾ Lata  2"))
    session.send("\u{1B}[B\u{1B}[B\u{1B}[B ")
    try session.expectScreen { $0.lines.contains("▸ Lata  2") }
    try expect(["us3", "us1", "us2"])
    _ = try program.run(["quakes.sqlite", "-e", "Quake { code = 'us6', place = 'Lata' } save()"])
    try session.expectScreen { $0.lines.contains("▸ Lata  3") }
    session.send("\t")
    try session.expectScreen { $0.lines.contains("▾ Lata  3") }
    #expect(rows(session.screen) == ["us3", "us4", "us5", "+us6", "us1", "us2"])
    session.send("Z")
    try session.expectScreen { rows($0).isEmpty && $0.lines.filter { $0.hasPrefix("▸ ") }.count == 4 }
    session.send("Z")
    try session.expectScreen { rows($0).count == 6 }
  }

  @Test func whatCallbacksPrintIsFoundAfterwards() throws {
    try type("r = Quake:all():sorted('code'):live()")
    try type("n = 0 r:onChange(function(c) print('told ' .. #c.inserted) end)")
    try type("t = every(0.02, function() n = n + 1 if n == 3 then Quake { code = 'us6' } save() end end)")
    try watch("watch(r)")
    try expect([">us1", "us2", "us3", "us4", "us5", "+us6"])
    // They stand on the screen below, which is there for a moment; what is drawn then is whole.
    try session.expect("told 1")
    try expect(line: 0, "6 Quake")
    session.send("q")
    try session.expectPrompt()
  }

  @Test func controlCStopsACallbackAndThenLeaves() throws {
    try type("n = 0 t = after(0.3, function() n = 1 while true do end end)")
    try watch("watch(Quake)")
    session.settle(milliseconds: 600)
    session.send("\u{3}")
    try expect(line: 1, "stopped in ")
    session.send("\u{3}")
    try session.expectPrompt()
    session.send("n\r")
    try session.expect("1\nquakes> ")
  }

  @Test func theWindowMayChangeAndTheStoreMayGo() throws {
    try type("t = after(0.2, function() store:close() end)")
    session.send("watch(Quake)\r")
    session.resize(columns: 60, rows: 9)
    try expect(line: 0, "5 Quake")
    session.settle(milliseconds: 400)
    session.send("print(41 + 1)\r")
    try session.expect("\n42\n")
  }

  @Test func theCommandTakesAnExpressionOrTheLastValue() throws {
    for (command, message) in [
      (".watch", "error: watch: expected live results, a request, an entity or a plot, got nil"),
      (".watch print()", "error: watch: a value is missing"), (".watch Quake:where 'magnitud > 1'", "did you mean"),
    ] {
      session.send(command + "\r")
      try session.expect(message)
      try session.expect("quakes> ")
    }
    try type("Quake:where('magnitude > 4'):sorted 'code'")
    try watch(".watch")
    try expect([">us4", "us5"])
  }

  @Test func keysBehindTheOneThatLeavesAreForThePrompt() throws {
    try watch("watch(Quake)")
    session.send("q1+1\r")
    try session.expect("\n2\n")
    try session.expectPrompt()
    // The next screen has them too, and gives back what it leaves.
    try watch("watch(Quake)")
    session.send("qwatch(Quake)\rqprint(40 + 2)\r")
    try session.expect("\n42\n")
    try session.expectPrompt()
  }

  @Test func aScriptOnATerminalHasTheScreenToo() throws {
    let code = "n = 0 every(0.002, function() n = n + 1 if n == 100 then print(n) end end) watch(Quake) print(1 + 41)"
    let script = try program.terminal("quakes.sqlite -e '\(code)'", columns: 100, rows: 24)
    try script.expect("100")
    try script.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    // Keys come while timers are due all the time, and mean what they mean.
    for _ in 0..<20 { script.send("\u{1B}[B\u{1B}[A\u{1B}[6~\u{1B}[5~") }
    script.send("\u{1B}[B")
    try script.expectScreen { rows($0) == ["us1", ">us2", "us3", "us4", "us5"] }
    script.send("q")
    try script.expect("42")
    #expect(try script.waitForExit() == 0)
  }

  @Test func mistakesAreToldWithoutATerminalToo() throws {
    for (call, message) in [
      ("watch()", "watch: a value is missing"),
      ("watch(5)", "watch: expected live results, a request, an entity or a plot, got number"),
      ("watch(Quake:count())", "got number"), ("watch(Quake, { columns = {} })", "watch: columns: there is none"),
      ("watch(Quake, { columns = { 'cod' } })", "Quake has no column 'cod'; did you mean 'code'?"),
      ("watch(Quake, { column = 1 })", "did you mean 'columns'?"),
      (
        "Quake:all():live():onChange(function() watch(Quake) end) Quake { code = 'x' } save()",
        "an observer cannot wait"
      ),
      ("after(0, function() watch(Quake) end) runLoop { seconds = 0 }", "watch: the loop runs already"),
    ] {
      #expect(try program.run(["quakes.sqlite", "-e", call]).errors.contains(message), "\(call)")
    }
  }
}
