import LuaBindings
import Testing

@testable import Shell

/// What Tab offers.
@Suite final class CompletionTests {
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
    #expect(names("store.entities.") == ["Quake", "Report"])
    #expect(names("settings.") == ["color", "size"])
    #expect(names("settings.size.w") == ["width"])
    #expect(names("string.f").sorted() == ["find", "format"])
    #expect(names("('x'):up") == [])
    #expect(names("'x':up") == ["upper"])
    #expect(names("nosuch.") == [])
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
    #expect(names("Quake:where(\"magnitude > 5 AND pla") == ["place"])
    #expect(names("Quake:where [[ANY reports.te") == ["text"])
    #expect(names("Report:where \"quake.") == ["code", "magnitude", "place", "reports", "time"])
    #expect(names("Report:where \"quake.reports.@c") == ["@count"])
    #expect(names("Quake:where \"place ").contains("CONTAINS[cd]"))
    #expect(!names("Quake:where \"magnitude ").contains("CONTAINS[cd]"))
    #expect(names("Quake:where \"magnitude > 5 a") == ["AND", "ANY", "ALL"])
    #expect(names("strong:where('co") == ["code", "CONTAINS"])
    #expect(names("Quake:all():sorted(\"-ti") == ["time"])
    #expect(names("Quake:all():sum \"mag") == ["magnitude"])
    #expect(names("FetchRequest { entity = Report, predicate = \"te") == ["text"])
    #expect(names("print \"mag") == [])
  }

  @Test func tablesOfferOptionsAndProperties() {
    #expect(names("FetchRequest { fetchL") == ["fetchLimit"])
    #expect(names("FetchRequest { entity = Quake, sortD") == ["sortDescriptors"])
    #expect(names("SectionedFetchRequest { entity = Quake, sect") == ["sectionIdentifier"])
    #expect(names("import(Quake, 'x.csv', { uns").isEmpty)
    #expect(names("import(Quake, 'x.csv', { unr") == ["unresolved"])
    #expect(names("Quake { mag") == ["magnitude"])
    #expect(names("Quake { code = 'x', pla") == ["place"])
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
