import Foundation
import Testing

/// Scripts, expressions and standard input.
@Suite struct BatchTests {
  @Test func valuesOfExpressionsAreShownPlainlyWithoutATerminal() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run([
      "quakes.sqlite", "-e", "Quake:count()", "-e", "'text'", "-e", "nil", "-e", "local x = 2", "-e", "x, x + 1", "-e",
      "print('a', 1)", "-e", "{ 1, b = { 2 } }",
    ])
    #expect(result.output == "5\ntext\nnil\n2\n3\na\t1\n{ 1, b = { 2 } }\n")
    #expect(result.errors.isEmpty)
  }

  @Test func aScriptWithoutAStoreSaysSo() throws {
    let program = try BuiltProgram()
    try program.write("s.lua", "print(Quake:count())")
    for arguments in [["s.lua"], ["-e", "Quake { code = 'x' }"], ["-e", "store:sql 'SELECT 1'"]] {
      let result = try program.run(arguments)
      #expect(result.status == 1)
      #expect(result.errors.contains("no store is open"), "\(result.errors)")
      #expect(result.errors.contains("name a store on the command line"), "\(result.errors)")
    }
    // A name that is only misspelt is that.
    #expect(try program.run(["-e", "FetchReqest {}"]).errors.contains("did you mean 'FetchRequest'?"))
    let empty = try program.run(["--create", "new.sqlite", "-e", "Quake:count()"])
    #expect(empty.errors.contains("there is no 'Quake': the store has no entities"), "\(empty.errors)")
  }

  @Test(arguments: [0, 3])
  func aLineOfStandardInputThatExitsIsTheLast(status: Int32) throws {
    let result = try BuiltProgram().run([], input: "print(1)\nos.exit(\(status))\nprint(2)\n")
    #expect((result.status, result.output, result.errors) == (status, "1\n", ""))
  }

  @Test func scriptsAreToldHowAStoreIsReadUnlessTheyAreQuiet() throws {
    let program = try BuiltProgram()
    try Data().write(to: URL(fileURLWithPath: program.folder.path + "/a.sqlite"))
    _ = try program.run(["a.sqlite", "-e", "store:sql 'CREATE TABLE Z_METADATA (Z_UUID)'"])
    let told = try program.run(["a.sqlite", "-e", "store.kind"])
    #expect(told.output == "sqlite\n" && told.status == 0)
    #expect(told.errors.hasPrefix("note: The file has tables of Core Data"), "\(told.errors)")
    let quiet = try program.run(["--quiet", "a.sqlite", "-e", "store.kind"])
    #expect(quiet.output == "sqlite\n" && quiet.errors.isEmpty)
  }

  @Test func thePreviousValueIsAtHand() throws {
    let result = try BuiltProgram().run(["-e", "6 * 7", "-e", "_ + 1", "-e", "_1"])
    #expect(result.output == "42\n43\n42\n")
  }

  @Test func aRequestIsShownInTheModeThatIsSet() throws {
    let program = try BuiltProgram.withStore()
    func output(_ mode: String?) throws -> String {
      try program.run(
        ["quakes.sqlite"] + (mode.map { ["--mode", $0] } ?? []) + ["-e", "Quake:where('code IN {\"us1\", \"us2\"}')"]
      ).output
    }
    #expect(
      try output(nil)
        == "code\tmagnitude\tplace\ttime\nus1\t1.5\tNamie, Japan\t2023-11-14T22:13:21Z\nus2\t2.5\t東京の近く\t2023-11-14T22:13:22Z\n"
    )
    #expect(
      try output("csv")
        == "code,magnitude,place,time\nus1,1.5,\"Namie, Japan\",2023-11-14T22:13:21Z\nus2,2.5,東京の近く,2023-11-14T22:13:22Z\n"
    )
    #expect(
      try output("ndjson").hasPrefix(
        #"{"code":"us1","magnitude":1.5,"place":"Namie, Japan","time":"2023-11-14T22:13:21Z"}"#))
    #expect(try output("json").hasPrefix("[{\"code\":\"us1\""))
    #expect(try output("table").contains("│ us2  │       2.5 │ 東京の近く   │"))
    #expect(try output("lines").contains("magnitude"))
    #expect(try output("markdown").contains("| us1 "))
    #expect(try output("html").contains("<td>us1</td>"))
    #expect(try output("list").contains("us1"))
  }

  @Test func dataHasTheKeysOfToOnes() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "--mode", "csv", "-e", "Report:all()"])
    let key = try program.run([
      "quakes.sqlite", "-e", "store:sql('SELECT _pk FROM quake WHERE code = ?', 'us5')[1]._pk",
    ])
    #expect(result.output == "quake,text\n\(key.output.dropLast()),felt it\n")
  }

  @Test func valuesAreJSONInJSON() throws {
    let result = try BuiltProgram().run([
      "--mode", "json", "-e", "12", "-e", "'a\"b'", "-e", "nil", "-e", "{ 1, 'x' }", "-e", "{ a = { b = true } }",
    ])
    #expect(result.output == "12\n\"a\\\"b\"\nnull\n[1,\"x\"]\n{\"a\":{\"b\":true}}\n")
  }

  @Test func aScriptGetsItsArgumentsWhateverTheyLookLike() throws {
    let program = try BuiltProgram()
    let script = "#!/usr/bin/env perilune\nprint(arg[0], #arg, ...)\n"
    let result = try program.run(script: script, name: "s.lua", ["-e", "--mode", "a b"])
    #expect(result.output == "s.lua\t3\t-e\t--mode\ta b\n")
    #expect(result.status == 0)
  }

  @Test func aScriptRunsByItsFirstLine() throws {
    let program = try BuiltProgram()
    try program.write("tool", "#!/usr/bin/env perilune\nprint 'no'")
    try program.write("tool.txt", "#!/usr/bin/env perilune\nprint('from the first line', ...)")
    // Linux runs no file that is open for writing. A process that another test has just begun may still have open what this
    // one wrote; it has not what cp writes.
    let result = try program.shell(["sh", "-c", "cp tool.txt tool.lua && chmod +x tool.lua && ./tool.lua -x"])
    #expect(result.output == "from the first line\t-x\n")
  }

  @Test func aStoreIsKnownByWhatItHolds() throws {
    let program = try BuiltProgram.withStore()
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("odd.lua"))
    let result = try program.run(["odd.lua", "-e", "Quake:count()"])
    #expect(result.output == "5\n")
  }

  @Test func aScriptAfterAStoreNeedsNoSuffix() throws {
    let program = try BuiltProgram.withStore()
    try program.write("report", "print(Quake:count(), ...)")
    #expect(try program.run(["quakes.sqlite", "report", "x"]).output == "5\tx\n")
  }

  @Test func standardInputIsAScript() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(
      ["quakes.sqlite"], input: "local q = Quake\n  :all()\n  :sorted('-magnitude')\nprint(q:first().code)\n")
    #expect(result.output == "us5\n")
    let failed = try program.run([], input: "print(1)\nlocal x = nil\nprint(x.y)\nprint(2)\n")
    #expect(failed.output == "1\n")
    #expect(failed.status == 1)
    #expect(
      failed.errors == "stdin:3: error: attempt to index a nil value (local 'x')\n",
      "\(failed.errors)")
    #expect(try program.run(["-"], input: "print(...)").output == "\n")
  }

  @Test func standardInputMayBeOneExpressionOrCommands() throws {
    let program = try BuiltProgram.withStore()
    #expect(try program.run(["quakes.sqlite"], input: "Quake:count()\n").output == "5\n")
    let commands = try program.run(["quakes.sqlite"], input: ".mode csv\nQuake:where 'magnitude > 5'\n.nope\n1\n")
    #expect(commands.output == "code,magnitude,place,time\nus5,5.5,Suva,2023-11-14T22:13:25Z\n")
    #expect(commands.status == 1)
    #expect(commands.errors.contains("there is no command .nope"), "\(commands.errors)")
  }

  /// A text that Lua cannot read as a whole, but that has dot commands, is what would be typed.
  @Test func standardInputMayMixLuaAndCommands() throws {
    let program = try BuiltProgram.withStore()
    let mixed = try program.run(
      ["quakes.sqlite"], input: "local q = Quake:where 'magnitude > 5'\n.mode csv\nq:count()\n.nope\nq\n")
    #expect(mixed.output == "1\n")
    #expect(mixed.status == 1)
    #expect(mixed.errors.contains("there is no command .nope"), "\(mixed.errors)")
    // A field on a line of its own is Lua's.
    let field = try program.run(["quakes.sqlite"], input: "local t = { mode = 7 }\nprint(t\n.mode)\n")
    #expect(field.output == "7\n")
    // So is one in a text with a mistake, where no command has the name.
    let wrong = try program.run(["quakes.sqlite"], input: "print(1)\nlocal a = b\n.code c\n")
    #expect(wrong.output.isEmpty)
    #expect(wrong.errors.hasPrefix("stdin:"), "\(wrong.errors)")
    // So is a line of a text, and nothing of a script with a mistake runs.
    let text = try program.run([], input: "print(1)\nlocal help = [[\n.help me\n]]\nx = = 1\n")
    #expect(text.output.isEmpty)
    #expect(text.errors.hasPrefix("stdin:5:5: error: "), "\(text.errors)")
    #expect(try program.run([], input: "#!/usr/bin/env perilune\nprint(1)\n").output == "1\n")
  }

  @Test func whatIsNoLuaInStandardInputIsToldAsInALine() throws {
    let program = try BuiltProgram.withStore()
    let sql = try program.run(["quakes.sqlite"], input: "SELECT count(*) FROM quake;\n")
    #expect(sql.status == 1)
    #expect(sql.errors.contains("this is SQL, and lines are Lua here"), "\(sql.errors)")
    #expect(sql.errors.contains("Quake:count()"), "\(sql.errors)")
    let habit = try program.run(["quakes.sqlite"], input: "describe quake\n")
    #expect(habit.errors.contains(".describe Quake"), "\(habit.errors)")
  }

  @Test func unsavedChangesAreAWarningAndNeverASave() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run([
      "quakes.sqlite", "-e", "local q = Quake:find 'us1' q.magnitude = 9 Quake { code = 'x' }",
    ])
    #expect(result.status == 0)
    #expect(result.errors == "perilune: warning: 2 changes were not saved\n")
    #expect(
      try program.run(["quakes.sqlite", "-e", "Quake:find('us1').magnitude, Quake:count()"]).output == "1.5\n5\n")
  }

  @Test func aDryRunShowsWhatWouldChangeAndKeepsNothing() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      local q = Quake:find 'us1' q.magnitude = 9
      Quake:find('us2'):delete()
      Quake { code = 'us9' }
      save()
      print(Quake:count(), Quake:find('us9').code, Quake:find('us2'))
      Quake:where('magnitude > 3 AND magnitude < 5'):update { place = 'x' }
      """
    let result = try program.run(["--dry-run", "quakes.sqlite", "-e", code])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        5	us9	nil
        + Quake/t1 { code = "us9", magnitude = 0.0 }
        ~ Quake us1: magnitude 1.5 → 9.0
        - Quake/2
        ~ 2 Quake by batch requests or SQL
        nothing of this was kept

        """, "\(result.output)")
    let after = try program.run([
      "quakes.sqlite", "-e", "Quake:count(), Quake:find('us1').magnitude, Quake:count 'place == \"x\"'",
    ])
    #expect(after.output == "5\n1.5\n0\n")
  }

  @Test func liveResultsFollowADryRunToItsEnd() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      live = Quake:all():live()
      live:onChange(function(change) io.stderr:write(change.kind, ' ', #change.inserted, ' ', #change.deleted, '\\n') end)
      Quake { code = 'a' } save() print(#live)
      store:sql "DELETE FROM quake WHERE code = 'us1'" print(#live)
      save() print(#live)
      """
    let result = try program.run(["--dry-run", "quakes.sqlite", "-e", code])
    #expect(result.output.hasPrefix("6\n5\n5\n"))
    #expect(result.errors == "save 1 0\nsave 0 1\n")
    let lines =
      "live = Quake:all():live()\n.dryrun on\nQuake { code = 'a' } save()\nprint(#live)\n.dryrun off\nprint(#live)\n"
    let commands = try program.run(["quakes.sqlite"], input: ".mode tsv\n" + lines)
    #expect(commands.output.hasPrefix("6\n"), "\(commands)")
    #expect(commands.output.hasSuffix("nothing of this was kept\n5\n"), "\(commands)")
  }

  @Test func aDryRunMakesNoFile() throws {
    let program = try BuiltProgram()
    let code =
      "local s = open('new.sqlite', { create = true, model = Model { A = Entity { n = Int } } }) s.entities.A { n = 1 } s.context:save()"
    let result = try program.run(["--dry-run", "-e", code])
    #expect(result.status == 0, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: program.path("new.sqlite")))
  }

  @Test func whatADryRunsSQLCommitsIsNotKept() throws {
    let program = try BuiltProgram.withStore()
    let code =
      "store:sql 'DELETE FROM quake' pcall(store.sql, store, 'COMMIT') pcall(store.sql, store, 'DELETE FROM quake')"
    _ = try program.run(["--dry-run", "quakes.sqlite", "-e", code])
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "5\n")
  }

  @Test func theSandboxHasNoFilesAndNoProcesses() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      print(io.open, io.popen, os.execute, os.remove, os.getenv, io.write ~= nil, os.time ~= nil)
      for _, f in ipairs {
        function() open 'quakes.sqlite' end, function() export(Quake:all(), 'x.csv') end,
        function() import(Quake, 'x.csv') end, function() store:backup 'x.sqlite' end,
        function() perilune.read 'x.lua' end, function() load '\\27Lua' () end, function() require 'x' end,
      } do print(pcall(f) == false) end
      """
    let result = try program.run(["--sandbox", "quakes.sqlite", "-e", code])
    #expect(
      result.output == "nil\tnil\tnil\tnil\tnil\ttrue\ttrue\n" + String(repeating: "true\n", count: 7),
      "\(result.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter { $0.hasPrefix("x.") }.isEmpty)
  }

  @Test func aFileCutShortUnderAStoreEndsWithOneSentence() throws {
    let program = try BuiltProgram.withStore()
    let code = """
      for i = 1, 3000 do Quake { code = 'x' .. i, magnitude = 1, place = ('p'):rep(200) } end
      pcall(save) store:sql 'PRAGMA wal_checkpoint(TRUNCATE)'
      io.open('quakes.sqlite', 'w'):close()
      for q in Quake:all():each() do local p = q.place end
      """
    let result = try program.run(["quakes.sqlite", "-e", code])
    #expect([1, 74].contains(result.status), "\(result)")
    #expect(result.errors.contains("error: "), "\(result)")
  }

  @Test func memoryIsLimited() throws {
    let result = try BuiltProgram().run(["--memory-limit", "20", "-e", "local t = {} for i = 1, 1e9 do t[i] = i end"])
    #expect(result.status == 1)
    #expect(result.errors.contains("error: not enough memory"), "\(result.errors)")
  }

  @Test func aModelFileMakesAStore() throws {
    let program = try BuiltProgram()
    try program.write("model.lua", "return Model { City = Entity { name = String } }")
    let made = try program.run([
      "--create", "--model", "model.lua", "cities.sqlite", "-e", "City { name = 'Rome' } save()",
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try program.run(["cities.sqlite", "-e", "City:first().name"]).output == "Rome\n")
    try program.write("none.lua", "x = 1")
    #expect(try program.run(["--model", "none.lua", "-e", "1"]).status == 69)
  }

  @Test func aSwiftFileIsAModelAndWhatItLosesIsAWarning() throws {
    let program = try BuiltProgram()
    try program.write(
      "Cities.swift", "import SwiftData\n\n@Model final class City {\n  var name: String\n  var seen = Date()\n}\n")
    let made = try program.run([
      "--model", "Cities.swift", ":memory:", "-e", "City { name = 'Rome', seen = Date() } save() print(City:count())",
    ])
    #expect(made.output == "1\n")
    #expect(made.errors.contains("warning: Cities.swift:5: City.seen: the default Date() is computed for each object"))
    try program.write("Wrong.swift", "@Model final class City {\n  var name: Strng\n}\n")
    let wrong = try program.run(["--model", "Wrong.swift", ":memory:", "-e", "1"])
    let place = "Wrong.swift:2:13: error: there is no type 'Strng' here; did you mean 'String'?"
    #expect(wrong.status == 69 && wrong.errors.contains(place), "\(wrong.errors)")
    // A script, too, gets the place in the file, not that of its own line.
    let loading = try program.run(["-e", "loadModel 'Wrong.swift'"])
    #expect(loading.errors.hasPrefix(place), "\(loading.errors)")
    let detail =
      "local _, e = pcall(loadModel, 'Wrong.swift') print(e.details[1].file, e.details[1].line, e.details[1].column)"
    #expect(try program.run(["-e", detail]).output == "Wrong.swift\t2\t13\n")
    #expect(try program.run(["--model", "None.swift", ":memory:", "-e", "1"]).status == 66)
  }

  @Test func ofSeveralVersionsInASwiftFileOneIsChosenByName() throws {
    let program = try BuiltProgram()
    try program.write(
      "Trips.swift",
      """
      enum V1: VersionedSchema { @Model final class Trip { var name = "" } }
      enum V2: VersionedSchema { @Model final class Trip { var title = "" } }
      """)
    let names = "print(store.model:source():match('(%a+) = String'))"
    #expect(try program.run(["--model", "Trips.swift", "--schema", "V1", ":memory:", "-e", names]).output == "name\n")
    #expect(try program.run(["--schema", "V2", "--model", "Trips.swift", ":memory:", "-e", names]).output == "title\n")
    let both = try program.run(["--model", "Trips.swift", ":memory:", "-e", names])
    #expect(both.status == 69 && both.errors.contains("Trips.swift:2:47: error: there are several versions"))
    #expect(both.errors.contains("choose one: --schema V2"))
    let none = try program.run(["--model", "Trips.swift", "--schema", "V3", ":memory:", "-e", names])
    #expect(none.status == 69 && none.errors.contains("there is no schema 'V3'; there are V1 and V2"))
    #expect(try program.run(["doc", "--schema", "V1", "Trips.swift"]).output.contains("name"))
    #expect(try program.run(["types", "--swift", "--schema", "V2", "Trips.swift"]).output.contains("var title"))
  }

  @Test func aLongNameIsNotCutInMessages() throws {
    let program = try BuiltProgram()
    let name = String(repeating: "long", count: 20) + ".lua"
    let result = try program.run(script: "\nerror 'here'", name: name)
    #expect(result.errors.hasPrefix("\(name):2: error: here\n"), "\(result.errors)")
  }

  @Test func anErrorThatIsNoTextIsShownAsAValue() throws {
    let result = try BuiltProgram().run(["-e", "error { code = 7 }"])
    #expect(result.errors.hasPrefix("-e:1: error: { code = 7 }\n"), "\(result.errors)")
  }

  @Test func aMisspeltNameOfLuaItselfIsNamed() throws {
    let result = try BuiltProgram().run(["-e", "string.fromat('x')"])
    #expect(
      result.errors.hasPrefix("-e:1: error: attempt to call a nil value (field 'fromat'); did you mean 'format'?\n"))
  }

  @Test func coloursAreForTerminalsOrOnDemand() throws {
    let program = try BuiltProgram.withStore()
    let arguments = ["quakes.sqlite", "--mode", "table", "-e", "Quake:all()"]
    #expect(!(try program.run(arguments).output.contains("\u{1B}")))
    #expect(try program.run(["--color", "always"] + arguments).output.contains("\u{1B}["))
  }

  @Test func everyCommandIsALuaFunctionToo() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run([
      "quakes.sqlite", "-e", "perilune.mode 'ndjson'", "-e", "perilune.sql 'SELECT 1 AS one'", "-e",
      "perilune.mode 'x'",
    ])
    #expect(result.output == "{\"one\":1}\n")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("-e:1: error: perilune.mode: 'x' is none of table"), "\(result.errors)")
  }

  @Test func exportsTakeTheirPlaceAtOnceAndComeBack() throws {
    let program = try BuiltProgram.withStore()
    for format in ["csv", "tsv", "json", "ndjson"] {
      let code = """
        Quake:find('us3').place = 'tab\\there "quoted", back\\\\slash\\nline' Quake:find('us4').place = '' Quake:find('us5').place = nil save()
        print(export(Quake:all(), 'out.\(format)'))
        local copy = open(':memory:', { model = store.model })
        local report = import(copy.entities.Quake, 'out.\(format)')
        print(report.inserted)
        for q in Quake:all():each() do
          local c = copy.entities.Quake:find(q.code)
          assert(c.place == q.place and c.magnitude == q.magnitude and c.time == q.time, q.code)
        end
        rollback()
        """
      let result = try program.run(["quakes.sqlite", "-e", code])
      #expect(result.output == "5\n5\n", "\(format): \(result.errors)")
    }
    let failed = try program.run(["quakes.sqlite", "-e", "export(Quake:all(), 'no/such/folder.csv')"])
    #expect(failed.status == 74)
    #expect(try program.run(["quakes.sqlite", "-e", "export(Quake:all(), 'x.xls')"]).status == 1)
  }

  @Test func resultsAreLinesOfJSON() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(
      ["quakes.sqlite", "--json", "-e", "Quake:where('magnitude < 3'):fetch()", "-e", "{1, 'x'}", "-e", "nil"])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4, "\(result.errors)")
    #expect(lines.first?.hasPrefix("{\"code\":\"us1\"") == true, "\(result.output)")
    #expect(lines.dropFirst(2) == ["[1,\"x\"]", "null"])
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed) }
  }

  @Test func theOrderOfACommandAndJSONDoesNotMatter() throws {
    let program = try BuiltProgram.withStore()
    let doctor = try program.run(["--json", "doctor", "quakes.sqlite"])
    #expect(doctor.output.hasPrefix("{"))
    try program.write("s.lua", "prnt()")
    #expect(try program.run(["--json", "check", "s.lua"]).output.hasPrefix("{"))
  }
}
