import Testing

@testable import Presentation
@testable import Session
@testable import Shell
@testable import Terminal

@Suite struct CommandTests {
  let harness = LoopHarness()

  @Test func helpListsEveryCommandWithItsArguments() {
    _ = harness.run([".help"])
    #expect(
      harness.log == [
        "print   .help [COMMAND]       list the commands, or show one\n",
        "print   .hints [on|off]       show in grey what may follow while one types\n",
        "print   .history [N|WORDS]    the last N blocks (20) of this store, or those with all words; --failed, --all\n",
        "print   .mode [NAME [TABLE]]  show results as a table, lines, csv, json ...\n",
        "print   .quit                 leave (also Ctrl-D, exit, quit)\n",
        "print   .read FILE            run a Lua file in this session\n",
        "print   .sql [on|off]         show the SQL of each request\n",
        "print   .timer [on|off]       tell how long each block took\n",
      ])
  }

  @Test func theModeIsSetAndShown() {
    _ = harness.run([".mode json", ".mode"])
    #expect(harness.settings.mode == .json)
    #expect(harness.log.count == OutputMode.allCases.count)
    #expect(harness.log.contains("print * json      an array of objects\n"))
  }

  @Test func insertTakesATable() {
    _ = harness.run([".mode insert quakes"])
    #expect(harness.settings.mode == .insert)
    #expect(harness.settings.tableName == "quakes")
    _ = harness.run([".mode csv quakes", ".mode insert"])
    #expect(harness.settings.tableName == nil)
    #expect(harness.log == ["usage: .mode [NAME [TABLE]]"])
  }

  @Test func switchesAreTurnedOnAndOff() {
    _ = harness.run([".sql on", ".sql", ".sql off", ".sql", ".sql maybe"])
    #expect(harness.log == ["print .sql on\n", "print .sql off\n", "'maybe' is none of on, off"])
  }

  @Test func mistakesNameWhatIsRight() {
    _ = harness.run([".hepl", ".mode tabel", ".read", ".read a b", ".read 'a", ".help xyz", ".quit now"])
    #expect(
      harness.log == [
        "there is no command .hepl? .help",
        "'tabel' is none of table, lines, list, csv, tsv, json, ndjson, markdown, html, insert, lua? table",
        "usage: .read FILE", "usage: .read FILE", "a quote is not closed", "there is no command .xyz",
        "usage: .quit",
      ])
  }

  @Test func filesAreReadByNameAlsoWithSpaces() {
    _ = harness.run([".read a.lua", ".read \"my file.lua\"", ".read it\\'s.lua".replacing("\\'", with: "\"'\"")])
    #expect(harness.log == ["read a.lua", "read my file.lua", "read it's.lua"])
  }

  @Test func aQuoteBeforeAnAccentIsAQuote() {
    _ = harness.run([".read \"\u{301}my file.lua\"", ".read 'a\u{301}"])
    #expect(harness.log == ["read \u{301}my file.lua", "a quote is not closed"])
  }

  @Test func aScriptThatFailedGivesItsStatus() {
    #expect(harness.run(ScriptedEditor([.block(".read bad.lua", firstLine: 1)], isInteractive: false)) == 65)
    #expect(harness.log.isEmpty, "it was reported already")
  }

  @Test func theHistoryIsNumberedAndFiltered() {
    _ = harness.run(["a = 1", "do\nend", "b = 1", ".history", ".history 1", ".history = 1", ".history \u{1B}"])
    let untimed = harness.log[3...].map { line in
      line.replacing(#/  \d{4}-\d\d-\d\d \d\d:\d\d +((under )?[0-9.,]+ [µm]?s  )?/#, with: "  ")
        .replacing(#/\n +/#, with: "\n   ")
    }
    #expect(
      untimed == [
        "print 1  a = 1\n", "print 2  do\n   end\n", "print 3  b = 1\n", "print 4  .history\n", "print 5  .history 1\n",
        "print 1  a = 1\n", "print 3  b = 1\n", "print 6  .history = 1\n", "print 7  .history ␛\n",
      ])
  }

  @Test func namesAndArgumentsAreCompleted() {
    func texts(_ line: String) -> [String] {
      CommandRegistry.withHistory(History()).completions(line, at: line.utf8.count).candidates.map(\.text)
    }
    #expect(texts(".h") == [".help", ".hints", ".history"])
    #expect(texts(".mode ") == OutputMode.allCases.map(\.rawValue))
    #expect(texts(".mode js") == ["json"])
    #expect(CommandRegistry.standard.completions(".mode js", at: 8).start == 6)
    #expect(texts(".timer o") == ["on", "off"])
    #expect(texts(".nothing x").isEmpty)
  }

  @Test func anUnknownFileSaysWhy() {
    #expect(
      CommandFailure.unreadableFile(path: "x.lua", errno: 2).diagnostic?.message
        == "cannot read 'x.lua': No such file or directory")
    #expect(CommandFailure.failed(status: 1).diagnostic == nil)
  }
}
