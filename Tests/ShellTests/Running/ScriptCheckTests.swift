import Foundation
import Testing

/// `perilune check` finds the mistakes of scripts where they stand, and nothing else.
@Suite struct ScriptCheckTests {
  struct Case: Sendable, CustomStringConvertible {
    var script: String
    /// `line:column: message`, each.
    var mistakes: [String]
    var description: String { script }
  }

  static let cases: [Case] = [
    Case(script: "local x = = 1", mistakes: ["1:11: error: unexpected symbol near '='"]),
    Case(script: "#!perilune\nlocal x = = 1; y = 2", mistakes: ["2:11: error: unexpected symbol near '='"]),
    Case(
      script: "#!/usr/bin/env perilune\nprnt(1)", mistakes: ["2:1: error: there is no 'prnt'; did you mean 'print'?"]),
    Case(script: "string.fromat('x')", mistakes: ["1:8: error: string has no 'fromat'; did you mean 'format'?"]),
    Case(script: "Quak:count()", mistakes: ["1:1: error: there is no 'Quak'; did you mean 'Quake'?"]),
    Case(
      script: "return Quake:where('magnitud > %@', 5)",
      mistakes: ["1:21: error: Quake has no property 'magnitud'; did you mean 'magnitude'?"]),
    Case(
      script: "local q = Quake:all():limit(3)\nreturn q:where [[\n  plac == 'x']]",
      mistakes: ["3:3: error: Quake has no property 'plac'; did you mean 'place'?"]),
    Case(
      script: "return Quake:where \"place == \\\"x\\\" AND cod == 'y'\"",
      mistakes: ["1:20: error: Quake has no property 'cod'; did you mean 'code'?"]),
    Case(
      script: "return Quake:where('magnitude > %d AND code == %@', 5)",
      mistakes: ["1:48: error: the format takes 2 arguments, but 1 was given"]),
    Case(
      script: "return Quake:all():sorted('-tme', 'code')",
      mistakes: ["1:29: error: Quake has no property 'tme'; did you mean 'time'?"]),
    Case(
      script: "return Quake:max 'magnitud'",
      mistakes: ["1:19: error: Quake has no property 'magnitud'; did you mean 'magnitude'?"]),
    Case(
      script:
        "return FetchRequest { entity = 'Report', predicate = { 'txt == %@', 1 }, sortDescriptors = { 'text', 'tex' } }",
      mistakes: [
        "1:57: error: Report has no property 'txt'; did you mean 'text'?",
        "1:103: error: Report has no property 'tex'; did you mean 'text'?",
      ]),
    Case(
      script: "return store.entities.Report:count 'ANY quake.cod == 1'",
      mistakes: ["1:47: error: Quake has no property 'cod'; did you mean 'code'?"]),
    Case(script: "return Predicate 'a == == 2'", mistakes: ["1:24: error: expected a value, found =="]),
    // Objects, wherever they come from.
    Case(
      script: "for q in Quake:where('magnitude > 6'):each() do print(q.plce, q.place) q:delte() end",
      mistakes: [
        "1:57: error: Quake has no 'plce'; did you mean 'place'?",
        "1:74: error: Quake has no 'delte'; did you mean 'delete'?",
      ]),
    Case(
      script: "for i, q in ipairs(Quake:all():fetch()) do q.magnitud = i end",
      mistakes: ["1:46: error: Quake has no 'magnitud'; did you mean 'magnitude'?"]),
    Case(
      script:
        "local q = Quake:first()\nfor _, r in ipairs(q.reports) do print(r.quake.plac, r.txt) end return q.reports[1].quak",
      mistakes: [
        "2:48: error: Quake has no 'plac'; did you mean 'place'?",
        "2:56: error: Report has no 'txt'; did you mean 'text'?",
        "2:85: error: Report has no 'quak'; did you mean 'quake'?",
      ]),
    Case(
      script: "Quake { code = 'a', plac = 'b' }",
      mistakes: ["1:21: error: Quake has no 'plac'; did you mean 'place'?"]),
    // Options.
    Case(
      script: "return FetchRequest { entity = Quake, fetchLimt = 3 }, Quake:all():with { fetchOfset = 1 }",
      mistakes: [
        "1:39: error: FetchRequest: there is no option 'fetchLimt'; did you mean 'fetchLimit'?",
        "1:75: error: with: there is no option 'fetchOfset'; did you mean 'fetchOffset'?",
      ]),
    Case(
      script:
        "open('x', { readonly = true }) import(Quake, 'a.csv', { mapp = { a = 'code' } }) plot(Quake, { x = 'place', titel = 'x' })",
      mistakes: [
        "1:13: error: open: there is no option 'readonly'; did you mean 'readOnly'?",
        "1:57: error: import: there is no option 'mapp'; did you mean 'map'?",
        "1:109: error: plot: there is no option 'titel'; did you mean 'title'?",
      ]),
    // Methods of everything else that is known.
    Case(
      script: "Quake:wheer('magnitude > 5') return Quake:where('magnitude > 5'):sortd('code'):soort()",
      mistakes: [
        "1:7: error: Quake has no 'wheer'; did you mean 'where'?",
        "1:66: error: request has no 'sortd'; did you mean 'sorted'?",
      ]),
    Case(
      script:
        "local list = Quake:all():fetch() list:eech() Quake:first().reports:sorrted('text') context:svae() store:sqll()",
      mistakes: [
        "1:39: error: result has no 'eech'; did you mean 'each'?",
        "1:68: error: result has no 'sorrted'; did you mean 'sorted'?",
        "1:92: error: context has no 'svae'; did you mean 'save'?",
        "1:105: error: store has no 'sqll'; did you mean 'sql'?",
      ]),
    // The channels of plots.
    Case(
      script:
        "plot(Quake, { x = 'magnitud', y = 'average(mgnitude)', color = 'place', facet = 'cod' }) Quake:all():plot { x = 'plce' }",
      mistakes: [
        "1:20: error: Quake has no property 'magnitud'; did you mean 'magnitude'?",
        "1:44: error: Quake has no property 'mgnitude'; did you mean 'magnitude'?",
        "1:82: error: Quake has no property 'cod'; did you mean 'code'?",
        "1:114: error: Quake has no property 'plce'; did you mean 'place'?",
      ]),
    Case(
      script: "plot(Quake, 'magnitud') plot(Quake, 'magnitude')",
      mistakes: [
        "1:14: error: Quake has no property 'magnitud'; did you mean 'magnitude'?",
        "1:37: error: plot: expected a table of options: { x = \"magnitude\" }",
      ]),
    // What is no mistake.
    Case(
      script:
        "function Quake:strong() return self.magnitude > 5 end function Quake.named(x) end Quake:strong() Quake:named()",
      mistakes: []),
    Case(
      script: "local store = {} function store:mine() end store:mine() store:other() local Quake = other Quake:any()",
      mistakes: ["1:85: error: there is no 'other'"]),
    Case(
      script: "plot(Quake, { x = 'year(time)', y = 'count', color = 'lowercase(place)' }) plot({ 1, 2 }, { y = 'a' })",
      mistakes: []),
    Case(
      script:
        "function Quake:label() return self.place end Quake.computed.big = function(q) return q.magnitude > 5 end\n"
        + "for q in Quake:all():each() do print(q:label(), q.big, q.objectID, q.hasChanges) end", mistakes: []),
    Case(
      script: "local q = Quake:first() q = { plce = 1 } print(q.plce) for q = 1, 3 do print(q.x) end\n"
        + "for _, q in ipairs({ Quake:first() }) do print(q.anything) end", mistakes: []),
    Case(script: "local list = Quake:all():fetch() print(list.anything, #list)", mistakes: []),
    Case(script: "plot(Quake, { data = {}, mark = 'bar', encoding = { x = { field = 'place' } } })", mistakes: []),
    Case(script: "function total(n) return n end\nlocal function f(...) return total(...) end\nf()", mistakes: []),
    Case(
      script: "for i, v in ipairs { a = 1, [2] = 3; 4 } do local t = i t, count = v, 1 end print(count)", mistakes: []),
    Case(script: "repeat local done = true until done goto out ::out:: print(#arg, _VERSION, _ENV)", mistakes: []),
    Case(script: "local q = Quake q = Report return q:where 'text == nil'", mistakes: []),
    Case(script: "local t = { n = 1 }\nfunction t.a.b:c(x) return self, x end\nreturn t.anything.at.all", mistakes: []),
    Case(script: "local a = ... return Quake:where('place == %@ AND magnitude > %@', select(1, a))", mistakes: []),
    Case(
      script: "return Quake:where('%K == %@', 'place', 1), Predicate [[#Predicate<Quake> { $0.magnitude > 5 }]]",
      mistakes: []),
    Case(
      script:
        "return Predicate [[\n  let least = 5.5\n  let p = NSPredicate(format: \"magnitude >= %@\", least as NSNumber)\n]]",
      mistakes: []),
    Case(
      script: "if x then local x <const> = 1 elseif Quake then x = 2 else x = 3 end return function(a) return a end, x",
      mistakes: []),
  ]

  @Test(arguments: cases)
  func aMistakeIsToldWithItsPlace(_ example: Case) throws {
    let program = try BuiltProgram.withStore()
    try program.write("s.lua", example.script)
    let result = try program.run(["check", "s.lua", "--store", "quakes.sqlite"])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines == example.mistakes.map { "s.lua:" + $0 }, "\(result.errors)")
    #expect(result.status == (example.mistakes.isEmpty ? 0 : 1))
  }

  @Test func aCheckedScriptDoesNotRun() throws {
    let program = try BuiltProgram.withStore()
    try program.write("s.lua", "print 'ran'\nQuake { code = 'new' }\nsave()\nio.open('made', 'w')")
    let before = try Data(contentsOf: URL(filePath: program.path("quakes.sqlite")))
    let result = try program.run(["check", "s.lua", "--store", "quakes.sqlite"])
    #expect(result.output == "")
    #expect(result.status == 0)
    #expect(!FileManager.default.fileExists(atPath: program.path("made")))
    #expect(try Data(contentsOf: URL(filePath: program.path("quakes.sqlite"))) == before)
  }

  @Test func scriptsThatAreCheckedTogetherKnowEachOthersGlobals() throws {
    let program = try BuiltProgram()
    try program.write("a.lua", "function helper() end")
    try program.write("b.lua", "helper()")
    #expect(try program.run(["check", "a.lua", "b.lua"]).status == 0)
    #expect(
      try program.run(["check", "b.lua"]).output == "b.lua:1:1: error: there is no 'helper'; did you mean 'help'?\n")
  }

  @Test func aModelFileStandsForAStore() throws {
    let program = try BuiltProgram()
    try program.write("model.lua", "return Model { Book = Entity { title = String } }")
    try program.write("s.lua", "return Book:where \"titel == 'x'\"")
    #expect(
      try program.run(["check", "s.lua", "--model", "model.lua"]).output
        == "s.lua:1:20: error: Book has no property 'titel'; did you mean 'title'?\n")
    // Without either, it may be an entity with any property.
    try FileManager.default.removeItem(atPath: program.path("model.lua"))
    #expect(try program.run(["check", "s.lua"]).status == 0)
  }

  @Test func theModelOfTheProjectIsFound() throws {
    let program = try BuiltProgram()
    for folder in ["app/scripts", "other"] {
      try FileManager.default.createDirectory(atPath: program.path(folder), withIntermediateDirectories: true)
    }
    try program.write("app/model.lua", "return Model { Book = Entity { title = String } }")
    let text = "return Book:where \"titel == 'x'\""
    for name in ["app/s.lua", "app/scripts/s.lua", "other/s.lua"] { try program.write(name, text) }
    let mistake = ":1:20: error: Book has no property 'titel'; did you mean 'title'?\n"
    for name in ["app/s.lua", "./app/scripts/s.lua", program.path("app/scripts/s.lua")] {
      #expect(try program.run(["check", name]).output == name + mistake)
    }
    #expect(try program.run(["check", "other/s.lua"]).status == 0)
    // What lies above the current folder is not the project's.
    let inside = try program.shell([
      "env", "-C", program.path("app/scripts"), BuiltProgram.executable, "check", "s.lua",
    ])
    #expect(inside.status == 0, "\(inside.output)\(inside.errors)")
    // A file of that name that gives no model is something else.
    try program.write("app/model.lua", "return { 1 }")
    #expect(try program.run(["check", "app/s.lua"]).status == 0)
  }

  @Test func mistakesAsJSONHaveTheirPlaces() throws {
    let program = try BuiltProgram()
    try program.write("s.lua", "prnt(1)")
    let result = try program.run(["check", "--json", "s.lua"])
    #expect(
      result.output
        == #"{"column":1,"endColumn":5,"file":"s.lua","kind":"name","line":1,"message":"there is no 'prnt'; did you mean 'print'?","severity":"error"}"#
        + "\n")
    #expect(result.status == 1)
  }

  /// Scripts that run without an error have no mistakes to report.
  @Test func theExamplesHaveNoMistakes() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let folders = ["Examples", "Benchmarks/jobs"].map { root.appending(path: $0) }
    let scripts = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lua") }
        .map { folder.appending(path: $0).path }
    }
    #expect(scripts.count > 10)
    for script in scripts {
      let result = try BuiltProgram().run(["check", script])
      #expect(result.output == "")
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// A script with ten times the mistakes must not take a hundred times the work: each is reported, with its own line.
  @Test func manyMistakesEachHaveTheirPlace() throws {
    let program = try BuiltProgram()
    let count = 4000
    try program.write("s.lua", (1...count).map { "  prnt(\($0)) missing\($0)()" }.joined(separator: "\n"))
    let lines = try program.run(["check", "s.lua"]).output.split(separator: "\n")
    #expect(lines.count == 2 * count)
    for (index, line) in lines.enumerated() {
      let number = index / 2 + 1
      let column = index % 2 == 0 ? 3 : 10 + "\(number)".count
      #expect(line.hasPrefix("s.lua:\(number):\(column): error: there is no '"), "\(line)")
      if index % 2 == 0 { #expect(line.hasSuffix("did you mean 'print'?")) }
    }
  }

  @Test func rubbishIsASyntaxErrorAndNoCrash() throws {
    let program = try BuiltProgram()
    for rubbish in ["\u{1B}Lua", "[[", "\"", "local", "f(", "x = {", "#", "", "::", "\u{FEFF}print(1)", "a.b.c"] {
      try program.write("s.lua", rubbish)
      let result = try program.run(["check", "s.lua"])
      #expect([0, 1].contains(result.status), "\(rubbish): \(result.errors)")
    }
    try Data([0xFF, 0xFE, 0x00, 0x22, 0x0A, 0x5B, 0x5B]).write(to: URL(filePath: program.path("s.lua")))
    #expect(try program.run(["check", "s.lua"]).status == 1)
  }
}
