import Foundation
import LuaBindings
import TestSupport
import Testing

@testable import Presentation
@testable import Session
@testable import Shell

/// What Tab offers.
@Suite final class LuaCompleterTests {
  let engine: Engine

  deinit { engine.close() }

  init() throws {
    engine = try Engine()
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity {
          code = String { unique = true }, magnitude = Double { indexed = true }, place = String, time = Date,
          reports = ToMany "Report" { inverse = "quake" },
        },
        Aftershock = Entity { delay = Double, _ = { parent = "Quake" } },
        Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
      } }))
      local quake = Quake { code = "us1" }
      strong = Quake:where "magnitude > 5"
      settings = { color = "red", size = { width = 1 } }
      """, name: "=test")
  }

  private func names(_ line: String) -> [String] {
    LuaCompleter(engine: engine).completions(line, at: line.utf8.count).candidates.map(\.text)
  }

  @Test func namesAreThoseOfGlobalsLocalsAndKeywords() {
    #expect(names("Qua") == ["Quake"])
    #expect(names("qua") == ["quake"])
    #expect(names("x = stri").contains("string"))
    #expect(names("whi") == ["while"])
    #expect(names("FetchReq") == ["FetchRequest"])
  }

  @Test func membersFollowWhatStandsBeforeThem() {
    #expect(names("Quake:whe") == ["where"])
    #expect(names("quake.mag") == ["magnitude"])
    #expect(names("quake:del") == ["delete"])
    #expect(names("quake.").contains("objectID"))
    #expect(names("strong:so") == ["sorted"])
    #expect(names("store.ent") == ["entities"])
    #expect(names("store.entities.") == ["Aftershock", "Quake", "Report"])
    #expect(names("settings.") == ["color", "size"])
    #expect(names("settings.size.w") == ["width"])
    #expect(names("string.f").sorted() == ["find", "format"])
    #expect(names("('x'):up") == [])
    #expect(names("'x':up") == ["upper"])
    #expect(names("nosuch.") == [])
  }

  @Test func whatASubentityHasFollowsACast() {
    #expect(names("Quake:where 'CAS") == ["CAST("])
    #expect(names("Quake:where 'CAST(SELF, \"Af") == ["Aftershock"])
    #expect(names("Report:where \"CAST(quake, 'A") == ["Aftershock"])
    #expect(names("Quake:where 'CAST(SELF, \"Aftershock\").del") == ["delay"])
    #expect(names("Report:where \"CAST(quake, 'Aftershock').del") == ["delay"])
    #expect(names("Report:where \"CAST(quake, 'Aftershock').delay B") == ["BETWEEN"])
    #expect(names("Report:where \"CAST(SELF, 'A").isEmpty)
  }

  @Test func chainsAreFollowedByWhatTheCatalogSays() {
    #expect(names("Quake:where(\"magnitude > 5\"):lim") == ["limit"])
    #expect(names("Quake:all():sorted '-time':limit(5):fet").contains("fetch"))
    #expect(names("Quake:first().mag") == ["magnitude"])
    #expect(names("Quake:first().reports[1].te") == ["text"])
    #expect(names("Quake:first().reports[1].quake.pl") == ["place"])
    #expect(names("Quake { code = 'x' }.mag") == ["magnitude"])
    #expect(names("store.context:sav") == ["save"])
    #expect(names("quake.time.ye") == ["year"])
  }

  @Test func predicatesOfferKeyPathsAndOperators() {
    #expect(names("Quake:where \"mag") == ["magnitude"])
    #expect(names("print(1, Quake:where \"mag") == ["magnitude"])
    #expect(names("Quake:where(\"magnitude > 5 AND pla") == ["place"])
    #expect(names("Quake:where [[ANY reports.te") == ["text"])
    #expect(names("Report:where \"quake.") == ["code", "magnitude", "place", "reports", "time"])
    #expect(names("Report:where \"quake.reports.@c") == ["@count"])
    #expect(names("Quake:where \"place ").contains("CONTAINS[cd]"))
    #expect(!names("Quake:where \"magnitude ").contains("CONTAINS[cd]"))
    #expect(names("Quake:where \"magnitude > 5 a") == ["AND"])
    #expect(names("Quake:where \"magnitude > 5 AND a") == ["ANY", "ALL"])
    #expect(
      names("Quake:where 'time == ") == ["code", "magnitude", "place", "reports", "time", "nil", "TRUE", "FALSE", "%@"])
    #expect(names("Quake:where \"place BEG") == ["BEGINSWITH[cd]"])
    #expect(names("Predicate \"NOT") == ["NOT"])
    #expect(names("strong.predicate = 'mag") == ["magnitude"])
    #expect(names("Quake:where 'MAGN") == ["magnitude"])
    #expect(names("strong:where('co") == ["code"])
    #expect(names("Quake:all():sorted(\"-ti") == ["time"])
    #expect(names("Quake:all():sum \"mag") == ["magnitude"])
    #expect(names("FetchRequest { entity = Report, predicate = \"te") == ["text"])
    #expect(names("print \"mag") == [])
  }

  @Test func tablesOfferOptionsAndProperties() {
    #expect(names("FetchRequest { fetchL") == ["fetchLimit = "])
    #expect(names("FetchRequest { entity = Quake, sortD") == ["sortDescriptors = "])
    #expect(names("SectionedFetchRequest { entity = Quake, sect") == ["sectionIdentifier = ", "sectionValues = "])
    #expect(names("import(Quake, 'x.csv', { uns").isEmpty)
    #expect(names("import(Quake, 'x.csv', { unr") == ["unresolved = "])
    #expect(names("open('x', { crea") == ["create = "])
    #expect(names("Quake { mag") == ["magnitude = "])
    #expect(names("Quake { code = 'x', pla") == ["place = "])
    #expect(names("Quake:where('x'):update { pla") == ["place = "])
    #expect(names("Quake:batchUpdate('x', { pla") == ["place = "])
    #expect(names("String { uni") == ["unique = "])
    #expect(names("ToMany 'Report' { inv") == ["inverse = "])
    #expect(names("strong:groupBy('place', { n = 'count' }, { hav") == ["having = "])
    #expect(names("strong:groupBy('place', { n").allSatisfy { !$0.hasSuffix(" = ") })
    #expect(names("store:history { si") == ["since = "])
    #expect(names("Query { sectio").contains("sectionBy = "))
    #expect(names("strong:plot { face") == ["facet = "])
    #expect(names("strong:pivot { ro").first == "rows = ")
    #expect(names("save { dry") == ["dryRun = "])
    #expect(names("x = { mag") == [])
  }

  @Test func optionsOfferTheWordsTheyTake() {
    #expect(names("FetchRequest { resultType = 'obj") == ["objects", "objectIDs"])
    #expect(names("ToMany('Report', { deleteRule = 'cas") == ["cascade"])
    #expect(names("ToMany 'Report' { deleteRule = 'cas") == ["cascade"])
    #expect(names("strong:delete { resultType = 'obj") == ["objectIDs"])
    #expect(names("plot(Quake, { mark = 'li") == ["line"])
    #expect(names("plot(Quake, { x = 'mag") == ["magnitude"])
    #expect(names("strong:pivot { rows = 'pla") == ["place"])
    #expect(names("strong:pivot { rows = 'place', columns = 'code', value = 'su") == ["sum("])
    #expect(names("FetchRequest { entity = 'Qu") == ["Quake"])
    #expect(names("FetchRequest { entity = Quake, sortDescriptors = { '-magn") == ["magnitude"])
    #expect(names("FetchRequest { entity = Quake, predicate = { 'magn") == ["magnitude"])
    #expect(names("show(strong, { mode = 'js").contains("json"))
    #expect(names("show(strong, { columns = { 'code', 'rep") == ["reports"])
  }

  @Test func aggregatesAreOfferedWhereGroupsTakeThem() {
    #expect(names("strong:groupBy('pla") == ["place"])
    #expect(names("strong:groupBy('place', { n = 'cou") == ["count"])
    #expect(names("strong:groupBy('place', { n = 'count', m = 'med") == ["median("])
    #expect(names("strong:grouped({ 'place' }, { m = 'max(mag") == ["magnitude"])
  }

  @Test func fetchedPropertiesElementsAndScriptsAreKnown() throws {
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity {
          magnitude = Double, place = Composite { city = String, geo = Composite { lat = Double, lon = Double } },
          similar = FetchedProperty { entity = "Quake", predicate = "magnitude >= $FETCH_SOURCE.magnitude" },
        },
      } }))
      local q = Quake { magnitude = 1 }
      function Quake:isMajor() return true end
      local live = Quake:all():live()
      local sections = SectionedFetchRequest { entity = Quake, sectionIdentifier = "magnitude" }:live()
      """, name: "=test")
    #expect(names("q.sim") == ["similar"])
    #expect(names("q.similar[1].mag") == ["magnitude"])
    #expect(names("q.similar:ea") == ["each"])
    #expect(names("q:isM") == ["isMajor"])
    #expect(names("Quake:where('place.ci") == ["city"])
    #expect(names("Quake:all():sorted('place.geo.l") == ["lat", "lon"])
    #expect(names("live:onCh") == ["onChange"])
    #expect(names("live[1].magn") == ["magnitude"])
    #expect(names("sections[1].inde") == ["index"])
    #expect(names("plot('x', { y = 'magn") == ["magnitude"])
  }

  @Test func historiesAreKnown() {
    #expect(names("store:history():la") == ["last"])
    #expect(names("store:history():last().tok") == ["token"])
  }

  @Test func helpIsOfferedByName() {
    #expect(names("?whe") == ["where"])
    #expect(names("?magn") == ["magnitude"])
    #expect(names("?CONT") == ["CONTAINS"])
  }

  @Test func filesAreOfferedWhereCallsTakeThem() throws {
    let folder = try TemporaryFolder()
    for name in ["a.csv", "b c.csv"] { try "x".write(toFile: folder.file(name), atomically: true, encoding: .utf8) }
    #expect(names("open(\"\(folder.url.path)/a") == ["a.csv"])
    #expect(names("import(Quake, '\(folder.url.path)/") == ["a.csv", "b c.csv"])
    #expect(names("io.open('\(folder.url.path)/a") == ["a.csv"])
    #expect(names("print('\(folder.url.path)/a") == [])
  }

  @Test func sqlIsOfferedInItsStrings() {
    #expect(names("store:sql \"SELECT magn") == ["magnitude"])
    #expect(names("store:sql 'SELECT * FROM qu") == ["quake"])
    let line = "store:sql 'SELECT pla FROM quake'"
    #expect(LuaCompleter(engine: engine).completions(line, at: 21).candidates.map(\.text) == ["place"])
  }

  // MARK: Values

  /// Objects whose places have quotes of both kinds, and backslashes.
  private func addQuakes() throws {
    _ = try engine.evaluate(
      """
      for place, count in pairs { Suva = 3, Sendai = 2, ["O'ahu"] = 1, ['the "Ring"'] = 1, ["a\\\\b"] = 1 } do
        for number = 1, count do Quake { code = place .. number, place = place, magnitude = count } end
      end
      store.context:save()
      """, name: "=test")
  }

  /// The line with the candidate put in that begins with some text.
  private func completed(_ line: String, _ beginning: String = "") -> String? {
    let found = LuaCompleter(engine: engine).completions(line, at: line.utf8.count)
    guard let candidate = found.candidates.first(where: { $0.text.hasPrefix(beginning) }) else { return nil }
    return String(decoding: line.utf8.prefix(found.start), as: UTF8.self) + candidate.text
  }

  @Test func valuesOfTheStoreAreOfferedByFrequency() throws {
    try addQuakes()
    #expect(names("Quake:where \"place == ").prefix(2) == ["'Suva'", "'Sendai'"])
    #expect(names("Quake:where 'place == ").prefix(2) == ["\"Suva\"", "\"Sendai\""])
    #expect(names("Quake:where [[place == ").prefix(2) == ["\"Suva\"", "\"Sendai\""])
    #expect(names("Report:where \"quake.place BEGINSWITH[c] 's") == ["Suva'", "Sendai'"])
    #expect(names("Quake:count \"place IN {'Suva', 'Se") == ["Sendai'"])
    #expect(names("strong:where(\"magnitude == ") == ["1.0", "3.0", "2.0"])
    #expect(names("FetchRequest { entity = Quake, predicate = \"place == 'su") == ["Suva'"])
    #expect(names("Quake:where \"place == 'x") == [])
    let found = LuaCompleter(engine: engine).completions("Quake:where \"place == 'su", at: 25)
    #expect(found.candidates.first?.remark == "3" && found.isWhole)
  }

  @Test(arguments: [
    ("\"place == 'su", "Suva"), ("\"place == ", "'O"), ("'place == ", "\"O"), ("\"place == \\\"O", "O"),
    ("'place == ", "\"the"), ("\"place == ", "'the"), ("'place == \\'the", "the"), ("\"place == 'a", "a"),
    ("[[place == ", "\"the"), ("[==[place == 'a", "a"),
  ])
  func aValueThatIsPutInSelectsItself(beginning: String, value: String) throws {
    try addQuakes()
    let line = try #require(completed("Quake:where(" + beginning, value), "\(beginning)")
    let opening = beginning.prefix { "[=\"'".contains($0) }
    let ending = opening.first == "[" ? String(opening.map { $0 == "[" ? "]" : $0 }) : String(opening)
    let expected = beginning.contains("su") ? 3 : 1
    let answer = try engine.evaluate("return " + line + ending + "):count() == \(expected)", name: "=test")
    engine.lua.stack.push(try #require(answer.first))
    defer { engine.lua.stack.pop() }
    #expect(engine.lua.stack.bool(at: -1), "\(line)\(ending)")
  }

  @Test func valuesReadInPartAreNotCertain() {
    var completions = Completions(start: 0, candidates: [Completions.Candidate("Suva'", "3+")], isWhole: false)
    #expect(!completions.isCertain(typed: 1))
    completions.isWhole = true
    #expect(completions.isCertain(typed: 1))
    completions.candidates = []
    #expect(!completions.isCertain(typed: 0))
  }

  @Test func wordsAreOfferedWhereACallTakesThem() throws {
    _ = try engine.evaluate("condition = Predicate 'magnitude > 5'", name: "=test")
    #expect(names("condition:swift \"ma") == ["macro"])
    #expect(names("strong:swift('fetchD") == ["fetchDescriptor"])
    #expect(names("condition:check(Quake, \"") == ["sqlite", "memory", "swiftData"])
    #expect(names("strong:check \"mem") == ["memory"])
    #expect(names("condition:evaluate(quake, \"") == ["memory"])
    #expect(names("SortDescriptor('magnitude', \"re") == ["reverse"])
    #expect(names("strong:tryIndex \"pla") == ["place"])
    #expect(names("strong:tryIndex \"place, -ti") == ["time"])
    #expect(names("condition:nosuch \"") == [])
  }

  @Test func theTemplatesOfTheModelAreOffered() throws {
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity { magnitude = Double }, Report = Entity { text = String },
        _ = { templates = {
          strong = { entity = "Quake", predicate = "magnitude > 5" },
          loud = { entity = "Report", predicate = "text != nil" },
        } },
      } }))
      """, name: "=test")
    #expect(names("Quake:template \"") == ["strong"])
    #expect(names("store:fetchRequest(\"") == ["loud", "strong"])
  }

  @Test func nothingIsOfferedInComments() {
    #expect(names("x = 1 -- Qua") == [])
    #expect(names("--[[ Qua") == [])
  }

  @Test func theWordIsReplacedFromItsBeginning() {
    let line = "print(Quake:whe"
    #expect(LuaCompleter(engine: engine).completions(line, at: line.utf8.count).start == 12)
    let predicate = "Report:where \"quake.mag"
    #expect(LuaCompleter(engine: engine).completions(predicate, at: predicate.utf8.count).start == 20)
  }
}
