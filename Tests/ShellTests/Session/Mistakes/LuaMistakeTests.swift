import Foundation
import TestSupport
import Testing

@testable import Shell

/// Mistakes of people who come to Lua from elsewhere are reported in plain words, with the line to write.
@Suite struct LuaMistakeTests {
  /// A line, and the line that is proposed instead.
  static let lines: [(line: String, instead: String)] = [
    (#"Quake.where("magnitude > 5")"#, #"Quake:where("magnitude > 5")"#), ("Quake.count()", "Quake:count()"),
    ("Quake:all().count()", "Quake:all():count()"), (#"store.sql "SELECT 1""#, #"store:sql "SELECT 1""#),
    ("local n = Quake.count()", "local n = Quake:count()"),
    ("Quake:where(magnitude > 5)", #"Quake:where("magnitude > 5")"#),
    (#"Quake:where(place == "Suva")"#, #"Quake:where("place == 'Suva'")"#),
    (#"Quake:where(place = "Suva")"#, #"Quake:where("place = 'Suva'")"#),
    ("Quake:where(magnitude ~= 5):count()", #"Quake:where("magnitude != 5"):count()"#),
    ("Quake:count(magnitude > 5 and place ~= nil)", #"Quake:count("magnitude > 5 and place != nil")"#),
    ("for q in Quake:all() do print(q) end", "for q in Quake:all():each() do print(q) end"),
    ("for q in Quake do print(q) end", "for q in Quake:each() do print(q) end"),
    ("for q in Quake:all():fetch() do print(q) end", "for q in Quake:all():fetch():each() do print(q) end"),
    ("for _, q in ipairs(Quake:all()) do print(q) end", "for q in Quake:all():each() do print(q) end"),
    ("for x in { 1, 2 } do print(x) end", "for _, x in ipairs({ 1, 2 }) do print(x) end"),
    ("for r in store:sql('SELECT 1') do print(r) end", "for _, r in ipairs(store:sql('SELECT 1')) do print(r) end"),
    ("return Quake:first():place", "return Quake:first().place"),
    ("print(Quake:first():place())", "print(Quake:first().place)"),
    ("if 1 != 2 then print(1) end", "if 1 ~= 2 then print(1) end"), ("n += 1", "n = n + 1"),
    ("if 1 == 1 && true then end", "if 1 == 1 and true then end"), ("x = 1 || 2", "x = 1 or 2"),
    ("print(Quake:all()[1].code)", "print(Quake:all():first().code)"), ("print(Quake[1])", "print(Quake:first())"),
    ("print(Quake:all()[2])", "print(Quake:all():fetch()[2])"), ("print(Quake[2])", "print(Quake:all():fetch()[2])"),
    ("print(Quake:count)", "print(Quake:count())"), ("Quake:count", "Quake:count()"),
    ("print(Quake:all():first.code)", "print(Quake:all():first().code)"), ("print(#Quake)", "print(Quake:count())"),
    (#"print(#Quake:where("magnitude > 2") + 1)"#, #"print(Quake:where("magnitude > 2"):count() + 1)"#),
    ("Quake:all():each(function(q) print(q.code) end)", "for q in Quake:all():each() do print(q.code) end"),
    (
      "Quake:where { place = 'Suva', magnitude = 2 + 3 }",
      #"Quake:where("place == %@ AND magnitude == %@", 'Suva', 2 + 3)"#
    ),
    ("Quake:count({ place = 'Suva' })", #"Quake:count("place == %@", 'Suva')"#),
    ("if 1 = 2 then end", "if 1 == 2 then end"), (#"print("a" + 5)"#, #"print("a" .. 5)"#),
  ]

  @Test(arguments: lines.indices)
  func aMistakeIsAnsweredWithTheLineToWriteWhichRuns(index: Int) throws {
    let (line, instead) = Self.lines[index]
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "-e", "n = 1", "-e", line])
    #expect(result.status == 1)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && lines.last == "-e:1: note: write \(instead)", "\(result.errors)")
    let right = try program.run(["quakes.sqlite", "-e", "n = 1", "-e", instead])
    #expect(right.status == 0, "\(right.errors)")
  }

  /// Lines whose mistake is another one: nothing is explained away.
  @Test(arguments: [
    "Quake:where(nothing > 5)", "Quake:where(5)", "print(magnitude.x)", "x = = 1", "for q in 5 do end",
    #"print("a" .. nil)"#, "Quake:where(\"magnitude >\" 5)", "local t = {} t.x.y = 1",
  ])
  func otherMistakesKeepTheirOwnWords(line: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", line])
    #expect(result.status == 1)
    #expect(!result.errors.contains("note: write"), "\(result.errors)")
  }

  /// One wrong sign in a predicate is one error, wherever it stands.
  @Test func oneMistakeOfSyntaxIsOneError() throws {
    let script = """
      local pieces = { "magnitude", ">", "5", "AND", "(", "place", "CONTAINS[cd]", "'a'", "OR", "ANY reports.text", "==", "'x'", ")" }
      for place = 1, #pieces + 1 do
        for _, wrong in ipairs { ")", ">", ",", "}", "]", "%" } do
          local parts = { table.unpack(pieces) }
          table.insert(parts, place, wrong)
          local text = table.concat(parts, " ")
          local ok, problem = pcall(Quake.where, Quake, text)
          if not ok and #problem.details > 1 then print(text, problem) end
        end
      end
      """
    let program = try BuiltProgram.withStore()
    try program.write("x.lua", script)
    let result = try program.run(["quakes.sqlite", "x.lua"])
    #expect(result.output.isEmpty && result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test func theCallsThatLedToAnErrorAreShownOfLibrariesAndOnRequest() throws {
    let program = try BuiltProgram()
    try program.write("lib.lua", "return { fail = function(x) return x.y end }")
    try program.write("own.lua", "local function f(x) return x.y end\nf()\n")
    try program.write("uses.lua", "require 'lib'.fail()\n")
    #expect(try program.run(["own.lua"]).errors == "own.lua:1: error: attempt to index a nil value (local 'x')\n")
    #expect(try program.run(["--trace", "own.lua"]).errors.contains("stack traceback:\n\town.lua:1: in "))
    #expect(try program.run(["uses.lua"]).errors.contains("in main chunk"))
  }

  @Test func anOrderLikeThatOfSQLIsAnsweredWithASign() throws {
    let program = try BuiltProgram.withStore()
    for (line, instead) in [
      (#"print(Quake:all():sorted("magnitude DESC"))"#, #"print(Quake:all():sorted("-magnitude"))"#),
      ("print(Quake:all():sorted('place', 'magnitude asc'))", "print(Quake:all():sorted('place', 'magnitude'))"),
    ] {
      let errors = try program.run(["quakes.sqlite", "-e", line]).errors
      #expect(errors.hasSuffix("note: write \(instead)\n"), "\(errors)")
      #expect(try program.run(["quakes.sqlite", "-e", instead]).status == 0)
    }
  }

  @Test func anObjectThatIsNotThereIsSaid() throws {
    let program = try BuiltProgram.withStore()
    for line in [
      #"print(Quake:find("nope").place)"#, #"Quake:find "nope".place = 1"#,
      "Quake:where('magnitude > 99'):first().place = 1",
    ] {
      let errors = try program.run(["quakes.sqlite", "-e", line]).errors
      #expect(errors.contains(" is nil: there is no such object"), "\(errors)")
    }
    let other = try program.run(["quakes.sqlite", "-e", "local t = {} print(t.x.y, Quake:find 'us1')"]).errors
    #expect(!other.contains("no such object"), "\(other)")
  }

  @Test func aNameThatStandsForNothingIsNoNil() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("quakes.sqlite", columns: 100, rows: 40)
    try session.expect("quakes> ")
    for (line, answer) in [
      ("quakes", "error: there is no 'quakes'; did you mean 'Quake'?"),
      // An entity is nearer than the property of that name.
      ("quake", "error: there is no 'quake'; did you mean 'Quake'?"),
      ("nothingLikeIt", "error: there is no 'nothingLikeIt'\n"),
      ("magnitude", "there is no 'magnitude'; it is a property of Quake"), ("schema", "the command is .schema"),
      ("nil", "nil\nquakes>"), ("local here = nil", "quakes>"), ("here", "nil\nquakes>"),
      ("rollbac", "error: there is no 'rollbac'\n"), (".rolback", "there is no command .rolback\n"),
      (".entitis", "did you mean '.entities'?"),
      // Nothing is waited for behind the name of a method.
      ("Quake:count", "note: write Quake:count()"),
    ] {
      session.send(line + "\r")
      try session.expect(answer)
    }
  }
}
