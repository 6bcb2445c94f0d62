import Foundation
import Testing

import func Modeling.monotonicSeconds

@testable import Presentation
@testable import Session
@testable import Shell

/// The executable at a terminal, as a person uses it.
@Suite struct PromptTests {
  private func start(
    _ arguments: [String] = ["quakes.sqlite"], columns: Int = 100, in program: BuiltProgram
  ) throws -> PTYSession {
    // The shell changes to the folder, and then is the program.
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    return try program.terminal("\(words)", columns: columns, rows: 40)
  }

  @Test func tabInAPredicatePutsInAValueOfTheStore() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:where \"place == 'na\t")
    try session.expectScreen { $0.currentLine == "quakes> Quake:where \"place == 'Namie, Japan'" }
    session.send(" OR place == \t")
    try session.expectScreen { $0.currentLine.hasSuffix(" OR place == '") }
    session.send("\t")
    try session.expectScreen { screen in screen.lines.contains { $0.hasPrefix("Suva'") && $0.hasSuffix(" 1") } }
    session.send("Su\t\":count()\r")
    try session.expect("\n2\nquakes> ")
  }

  @Test(arguments: [(30, 5), (50, 2), (62, 2), (100, 1)])
  func theBannerBreaksBetweenItsParts(_ columns: Int, _ most: Int) throws {
    let program = try BuiltProgram.withStore()
    let session = try start(columns: columns, in: program)
    try session.expectPrompt()
    let lines = Array(session.screen.lines.prefix { !$0.hasPrefix("quakes>") })
    #expect(lines.count <= most && lines.allSatisfy { $0.count <= columns }, "\(lines)")
    let words = lines.joined(separator: " ").split(separator: " ").filter { $0 != "·" }
    #expect(words.contains("quakes.sqlite") && words.contains("entities,"), "\(lines)")
    if columns >= 50 {
      #expect(lines.contains { $0.contains("quakes.sqlite (2 entities, ") && $0.contains("kB)") }, "\(lines)")
    }
    #expect(lines.contains { $0.contains(".help for help") }, "\(lines)")
  }

  /// Counts in sentences have their thousands grouped, values never.
  @Test func thousandsAreGroupedInSentencesAlone() throws {
    let program = try BuiltProgram.withStore()
    let fill = "for i = 100, 1294 do Quake { code = 'x' .. i, magnitude = i / 1000 } end save()"
    #expect(try program.run(["quakes.sqlite", "-e", fill]).status == 0)
    let session = try start(in: program)
    try session.expectPrompt()
    for (line, shown) in [
      ("Quake:all()", "25 of 1,200 Quake"), ("print(Quake:all():fetch())", "1,200 × Quake"),
      ("Quake:count()", "\n1200\n"),
      (".entities", "│    1200 │"), ("Quake:summary()", "properties of 1,200 objects"),
      ("for q in Quake:all():each() do q.place = 'y' end", ""),
    ] {
      session.send(line + "\r")
      if !shown.isEmpty { try session.expect(shown) }
      try session.expectScreen { $0.currentLine.hasPrefix("quakes") && $0.currentLine.hasSuffix(">") }
    }
    try session.expectScreen { $0.currentLine == "quakes*1,200>" }
    session.send("save()\r")
    try session.expect("this changes 1,200 Quake; go on? [y/N] ")
    session.send("y\r")
    try session.expect("saved: 1,200 updated")
    let summary = try program.run(["quakes.sqlite", "--mode", "csv", "-e", "Quake:summary()"])
    #expect(
      summary.output.contains("code,String,1200,0,1200,") && !summary.output.contains("1,200"), "\(summary.output)")
  }

  @Test(arguments: [
    #"Quake:sorted("-magnitude", "code")"#, "Quake:all()", #"Quake:sorted("-magnitude", "code"):live()"#,
  ])
  func aLongResultShowsItsLastRowsToo(value: String) throws {
    let program = try BuiltProgram.withStore()
    try #expect(
      program.run([
        "quakes.sqlite", "-e", "for i = 100, 399 do Quake { code = 'x' .. i, magnitude = (400 - i) / 1000 } end save()",
      ]).status == 0)
    let session = try start(["-q", "quakes.sqlite"], in: program)
    try session.expect("quakes> ")
    // An unsaved object counts, too.
    for number in [399, 400] {
      session.send(value + "\r")
      try session.expect("in between")
      try session.expect("x\(number)")
      try session.expectPrompt(number == 399 ? "quakes>" : "quakes*1>")
      if number == 399 { session.send("local last = Quake { code = 'x400', magnitude = 0 }\r") }
      if number == 399 { try session.expectPrompt("quakes*1>") }
    }
  }

  @Test func colsListsAndChoosesTheColumnsOfAnEntity() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(["-q", "quakes.sqlite"], columns: 40, in: program)
    try session.expect("quakes> ")
    session.send(".cols\r")
    try session.expect("no table was shown")
    session.send("Quake:all()\r")
    try session.expect("of 5 columns")
    session.send(".cols\r")
    try session.expect("shown: code")
    try session.expect("left out (no room in 40 columns): ")
    session.send(".cols cod, place\r")
    try session.expect("you mean 'code'?")
    session.send(".cols place, reports.@count\r")
    session.send("Quake:all()\r")
    try session.expect("│ place        │ reports.@count │")
    session.send(".cols\r")
    try session.expect("left out (not chosen; .cols off shows them): code, magnitude")
    session.send(".cols cod\t magn\t\r")
    session.send("Quake:all():fetch()\r")
    try session.expect("│ code │ magnitude │\n")
    session.send(".cols all\r")
    session.send("Quake:all()\r")
    try session.expect("│ code │ magnitude │ place        │ time                 │ reports │")
    session.send(".cols off\r")
    session.send("Quake:all()\r")
    try session.expect("of 5 columns")
  }

  @Test func aNarrowTableKeepsTheColumnsThatTheRequestNames() throws {
    let program = try BuiltProgram.withStore()
    let model = (1...9).map { "p\($0) = String" }.joined(separator: ", ")
    let script = """
      local model = Model { Thing = Entity { \(model) } }
      local store <close> = open("wide.sqlite", { create = true, model = model })
      for i = 1, 6 do
        local values = {}
        for p = 1, 9 do values["p" .. p] = "a value of " .. p .. " that is long" end
        store.entities.Thing(values)
      end
      store.context:save()
      """
    try #expect(program.run(script: script).status == 0)
    let session = try start(["-q", "wide.sqlite"], columns: 60, in: program)
    try session.expect("wide> ")
    for text in [
      #"Thing:where("p5 != nil and p7 != nil"):sorted("-p8")"#,
      #"Thing:where("p5 != nil and p7 != nil"):sorted("-p8"):fetch()"#,
    ] {
      session.send(text + "\r")
      try session.expect("of 9 columns")
      try session.expect("wide> ")
      let header = try #require(session.screen.lines.last { $0.contains("│ p") })
      #expect(["p5", "p7", "p8"].allSatisfy { header.contains("│ \($0) ") }, "\(header)")
    }
  }

  @Test func theBannerIsOneLineAndTheValueOfAnExpressionIsShown() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("perilune \(PeriluneVersion.text) · quakes.sqlite (2 entities, ")
    try session.expect("quakes> ")
    session.send("Quake:count()\r")
    try session.expect("\n5\nquakes> ")
    session.send("'text'\r")
    try session.expect("\n\"text\"\nquakes> ")
    session.send("= 1 + 1\r")
    try session.expect("\n2\nquakes> ")
    session.send("_ + _1\r")
    try session.expect("\n7\nquakes> ")
    session.send("\u{4}")
    #expect(try session.waitForExit() == 0)
  }

  @Test func localsLiveOnAndBlocksAreRead() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(["-q"], in: program)
    try session.expect("perilune> ")
    session.send("local function twice(n)\r")
    try session.expect("       2> ")
    session.send("return 2 * n\rend\r")
    try session.expect("perilune> ")
    session.send("twice(21)\r")
    try session.expect("\n42\nperilune> ")
    session.send("for i = 1, 2 do print(i)\r")
    try session.expect("2> ")
    session.send("end\r")
    try session.expect("\n1\n2\nperilune> ")
  }

  @Test func swiftIsPastedAsItIs() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("#Predicate<Quake> { quake in\r")
    try session.expect("2> ")
    session.send("quake.magnitude > 3 }\r")
    try session.expect("magnitude > 3\nquakes> ")
    session.send("Quake:count(_) < Quake:count()\r")
    try session.expect("\ntrue\nquakes> ")
    session.send("NSPredicate(format: \"magnitud >\")\r")
    try session.expect("expected a value, found the end")
    session.send("#Predicate<Quake> { $0.magnitud > 3 }\r")
    try session.expect(
      """
      error: Quake has no property 'magnitud'; did you mean 'magnitude'?
        #Predicate<Quake> { $0.magnitud > 3 }
                               ^^^^^^^^
      """)
  }

  @Test func thePromptTellsTheStateOfTheStore() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:find('us1').magnitude = 3 Quake { code = 'x' }\r")
    try session.expect("quakes*2> ")
    session.send(".diff\r")
    try session.expect("+ Quake/t1 { code = \"x\", magnitude = 0.0 }\n~ Quake us1: magnitude 1.5 → 3.0\nquakes*2> ")
    session.send(".rollback\r")
    try session.expect("2 changes dropped\nquakes> ")
    session.send("Quake:find('us1').magnitude = 3\rsave()\r")
    try session.expect("quakes*1> save()\nsaved: 1 updated\nquakes> ")

    let readOnly = try start(["--read-only", "quakes.sqlite"], in: program)
    try readOnly.expect("quakes:ro> ")
    readOnly.send("Quake:find('us1').magnitude = 4\r")
    try readOnly.expect("read-only")
  }

  @Test func aSaveSaysWhatItHasWritten() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake { code = 'n' } Quake { code = 'void' }:delete() Quake:find('us1').magnitude = 3 save()\r")
    try session.expect("\nsaved: 1 inserted, 1 updated\nquakes> ")
    session.send("Quake:find('n'):delete() save() Quake:find('us2').magnitude = 3 save()\r")
    try session.expect("\nsaved: 1 updated, 1 deleted\nquakes> ")
    // Neither a trial nor an empty save has written anything, and a script gets no note.
    session.send("Quake:find('us2').magnitude = 4 save { dryRun = true } rollback() save()\r")
    try session.expect("rollback() save()\nrolled back: 1 updated\nquakes> ")
    let batch = try program.run(["quakes.sqlite", "-e", "Quake:find('us1').magnitude = 5 save()"])
    #expect(batch.output.isEmpty && batch.errors.isEmpty)
  }

  @Test func aLongResultTellsHowToSeeAllOfIt() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("for i = 1, 60 do Quake { code = 'n' .. i } end save()\r")
    try session.expect("saved: 60 inserted")
    session.send("Quake:sorted('code')\r")
    try session.expect("(.last shows all)")
    session.send(".last\r")
    try session.expect("n40")
  }

  @Test func aSaveCanBeUndoneAndRedone() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:find('us1').magnitude = 3 save()\r.undosave\r")
    try session.expect("1 row as before the save\nquakes> ")
    session.send("Quake:find('us1').magnitude\r")
    try session.expect("1.5\nquakes> ")
    session.send(".redosave\r")
    try session.expect("1 row as saved\nquakes> ")
    session.send(".redosave\r")
    try session.expect("there is nothing to redo")
  }

  @Test func exitingInALineLeavesAndAsksAboutUnsavedChanges() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:find('us1').magnitude = 3\ros.exit(4)\r")
    try session.expect("1 unsaved change: s)ave d)iscard c)ancel ")
    session.send("c\r")
    try session.expect("quakes*1> ")
    session.send("rollback()\ros.exit(4)\r")
    #expect(try session.waitForExit() == 4)
  }

  @Test func changesCanBeTriedAndTakenBack() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send(".dryrun on\r")
    try session.expect("quakes:dry> ")
    session.send("Quake:find('us1'):delete() save()\r")
    try session.expect("saved for this dry run only\nquakes:dry> ")
    session.send("Quake:count()\r")
    try session.expect("\n4\nquakes:dry> ")
    session.send(".dryrun\r")
    try session.expect("not kept unless you say .dryrun keep")
    session.send(".dryrun off\r")
    try session.expect("- Quake/1\nnothing of this was kept\nquakes> ")
    session.send("Quake:count()\r")
    try session.expect("\n5\nquakes> ")
    // Stores that are opened meanwhile are tried, too.
    session.send(".dryrun on\r.open quakes.sqlite\rQuake:find('us1'):delete() save()\r.dryrun off\r")
    try session.expect("nothing of this was kept\nquakes> ")
    session.send("Quake:count()\r")
    try session.expect("\n5\nquakes> ")
    session.send(".dryrun on\rQuake:find('us1'):delete() save()\r.dryrun keep\r")
    try session.expect(".dryrun keep\nquakes> ")
    session.send("Quake:count()\r")
    try session.expect("\n4\nquakes> ")
  }

  @Test func controlCNeverLeavesAndSaysWhatItStopped() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("half a li")
    session.settle()
    session.send("\u{3}")
    try session.expect("^C\nquakes> ")
    session.send("function f()\r")
    try session.expect("2> ")
    session.send("\u{3}")
    try session.expect("^C\nquakes> ")
    let query = "store:sql 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'"
    for code in [
      "while true do end", "pcall(function() while true do end end)", query,
      "Quake:where('FUNCTION(1)') while true do pcall(error) end",
    ] {
      session.send(code + "\r")
      // The row of a window may end before.
      try session.expect(code.suffix(4) + "\n")
      session.settle()
      let start = monotonicSeconds()
      session.send("\u{3}")
      if code.contains("FUNCTION") {
        try session.expect("quakes> ", seconds: 2)
      } else {
        try session.expect("stopped after", seconds: 2)
        #expect(monotonicSeconds() - start < 0.5)
        try session.expect("quakes> ")
      }
    }
    session.send("1 + 1\r")
    try session.expect("\n2\nquakes> ")
    session.send(query + "\r")
    session.settle()
    session.send("\u{3}")
    try session.expect("in method 'sql', line 1\nquakes> ")
  }

  @Test func leavingWithUnsavedChangesAsksFirst() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:find('us1').magnitude = 3\r")
    try session.expect("quakes*1> ")
    session.send("\u{4}")
    try session.expect("1 unsaved change: s)ave d)iscard c)ancel ")
    session.send("c\r")
    try session.expect("quakes*1> ")
    session.send(".quit\r")
    try session.expect("s)ave d)iscard c)ancel ")
    session.send("s\r")
    #expect(try session.waitForExit() == 0)
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:find('us1').magnitude"]).output == "3.0\n")
  }

  @Test func luasErrorsPointAtTheTokenOrTheName() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("n = { 1,\r2 } n = = 3\r")
    try session.expect("unexpected symbol near '='\n  2 } n = = 3\n          ^\n")
    session.send("n = Quake:first().plce\r")
    try session.expect("  n = Quake:first().plce\n                    ^^^^\n")
    session.send("4 $ 5\r")
    try session.expect("syntax error near '$'\n  4 $ 5\n    ^\n")
  }

  @Test func anOpenExpressionGoesOnInTheNextLine() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("{ 1,\r2 }\r")
    try session.expect("{ 1, 2 }\nquakes> ")
    session.send("Quake:count() -\rQuake:count()\r")
    try session.expect("\n0\nquakes> ")
  }

  @Test func errorsPointIntoTheLine() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:where(\"magnitud > 5\")\r")
    try session.expect(
      """
      error: Quake has no property 'magnitud'; did you mean 'magnitude'?
        Quake:where("magnitud > 5")
                     ^^^^^^^^
      """)
    session.send("descrbie(Quake)\r")
    try session.expect("  descrbie(Quake)\n  ^^^^^^^^ did you mean 'describe'?")
    session.send("select * from quake where magnitude > 3\r")
    try session.expect("Quake:where(\"magnitude > 3\")")
    session.send(".moode\r")
    try session.expect("there is no command .moode")
    try session.expect("did you mean '.mode'?")
    session.send(".trace\r")
    try session.expect("input 2:1: in main chunk")
    session.send("function broken()\rreturn nil + 1\rend\r1 + broken()\r")
    try session.expect("input 4:2: error: attempt to perform arithmetic on a nil value\n  return nil + 1\n")
  }

  @Test func noWordOfAnErrorIsCut() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(columns: 44, in: program)
    try session.expectPrompt()
    session.send("Quake:all().misspelt\r")
    try session.expect("error: ")
    session.send(".trace\r")
    try session.expectPrompt()
    session.send(".sql SELECT * FROM nowhere\r")
    try session.expect("error: ")
    session.send(".trace\r")
    try session.expect("no calls led to the last error")
    try session.expectPrompt()
    session.send("what_has_no_name()\r")
    try session.expectScreen { screen in
      screen.lines.contains { $0.hasSuffix("(global") } && screen.lines.contains { $0.contains("'what_has_no_name')") }
    }
  }

  @Test func aTableFitsANarrowWindowAndCountsWideCharacters() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(columns: 70, in: program)
    try session.expect("quakes> ")
    session.send("Quake:all()\r")
    try session.expect("5 Quake · ")
    let lines = session.screen.lines.filter { $0.contains("│") }
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.terminalWidth <= 70 })
    #expect(Set(lines.map(\.terminalWidth)).count == 1, "\(session.screen)")
    #expect(lines.contains { $0.contains("東京の近く") })
  }

  @Test func tabCompletesWhatIsCertainAndListsTheRest() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:whe\t\"mag\t > 4\"\r")
    try session.expect("Quake:where\"magnitude > 4\"")
    try session.expect("2 Quake")
    session.send("Quake:where \"place \t")
    try session.expect("CONTAINS[cd]")
    try session.expect("quakes> Quake:where \"place ")
    session.send("\u{3}")
    try session.expect("^C\nquakes> ")
    session.send(".mod\tcs\t\r")
    try session.expect(".mode csv\nquakes> ")
  }

  @Test func anObjectIsACard() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Report:first()\r")
    try session.expect("quake")
    try session.expect("→ us5")
    session.send("Report:first().quake\r")
    try session.expect("── Quake us5 ──")
    try session.expect("→→ Report  1")
  }

  @Test func theSQLOfRequestsCanBeSeen() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send(".sql on\rQuake:count()\r")
    try session.expect("SELECT count(*) FROM ")
    try session.expect("\n5\nquakes> ")
    session.send(".sql SELECT code, magnitude FROM quake LIMIT 1\r")
    try session.expect("│ us1  │       1.5 │")
  }

  @Test func theStoreCanBeChanged() throws {
    let program = try BuiltProgram.withStore()
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("other.sqlite"))
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("Quake:find('us1').magnitude = 3\r.open other.sqlite\r")
    try session.expect("1 change not saved")
    session.send(".rollback\r.open other.sqlite\r")
    try session.expect("other> ")
    session.send(".open nothere.sqlite\r")
    try session.expect("there is no store 'nothere.sqlite'")
    try session.expect("other> ")
    session.send(".schema Report\r")
    try session.expect("CREATE TABLE")
    session.send(".entities\r")
    try session.expect("2 entities")
  }

  @Test func aTextOfSeveralLinesIsShownInLines() throws {
    let program = try BuiltProgram.withStore()
    let session = try start(in: program)
    try session.expect("quakes> ")
    session.send("'one\\ntwo'\r")
    try session.expect("one\ntwo\nquakes> ")
    session.send("'one\\n'\r")
    try session.expect("\"one\\n\"\nquakes> ")
  }

  @Test func theInitFileIsRunAndItsErrorIsTold() throws {
    let program = try BuiltProgram.withStore()
    let folder = program.path(".config/perilune")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try program.write(".config/perilune/init.lua", "greeting = 'from init'\nerror 'oops'")
    let session = try start(in: program)
    try session.expect("init.lua:2: error: oops")
    try session.expect("quakes> ")
    session.send("greeting\r")
    try session.expect("\"from init\"")
    #expect(try program.run(["-e", "greeting"]).output == "nil\n")
  }
}
