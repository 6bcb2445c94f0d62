import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct FetchedPropertyTests {
  private static let model = """
    local function model(predicate, more)
      return Model {
        Quake = Entity {
          code = String { unique = true }, magnitude = Double, time = Date,
          reports = ToMany "Report" { inverse = "quake" },
          similar = FetchedProperty {
            entity = "Quake", predicate = predicate or "magnitude >= $FETCH_SOURCE.magnitude AND SELF != $FETCH_SOURCE",
            sortDescriptors = { "-magnitude" }, fetchLimit = 2,
          },
          marked = FetchedProperty {
            entity = "Report", predicate = "text CONTAINS[c] $FETCHED_PROPERTY.userInfo.search OR text == $FETCHED_PROPERTY.name",
            userInfo = { search = "GREAT" },
          },
          echoes = FetchedProperty { entity = "Report", predicate = "score > $FETCH_SOURCE.reports.@max.score" },
        },
        Report = Entity { text = String, score = Int, quake = ToOne "Quake" { inverse = "reports" } },
        _ = { templates = more or {
          big = { entity = "Quake", predicate = "magnitude >= $minimum", sortDescriptors = "-magnitude", fetchLimit = 3 },
          all = { entity = "Report" },
        } },
      }
    end
    """

  private func script() throws -> Script {
    let script = try Script()
    try script.run(
      Self.model + """

        use(open(":memory:", { model = model() }))
        for i = 1, 5 do Quake { code = "c" .. i, magnitude = i } end
        for i = 1, 3 do Report { score = i, quake = Quake:find("c" .. i) } end
        save() context:reset()
        local q = Quake:find "c2"
        """)
    return script
  }

  @Test func itsNameAndUserInfoAreValuesOfItsPredicate() throws {
    let script = try script()
    try script.run("for _, text in ipairs { 'a great one', 'marked', 'another' } do Report { text = text } end save()")
    #expect(try script.value("#q.marked") == "2")
  }

  @Test func itIsAListFetchedOnceUntilTheObjectIsRefreshed() throws {
    let script = try script()
    #expect(
      try script.value("#q.similar, q.similar[1].code, q.similar[2].code, q.similar[1] == Quake:find 'c5'")
        == "2 c5 c4 true")
    #expect(try script.value("#q.echoes, q.echoes[1].score") == "1 3")
    try script.run("Quake { code = 'c6', magnitude = 6 } save()")
    #expect(try script.value("q.similar[1].code") == "c5")
    try script.run("q.magnitude = 4.5 local before = q.similar[1].code q:refresh()")
    #expect(try script.value("before, q.similar[1].code, q.similar[2].code") == "c5 c6 c5")
    try script.run("context:rollback() context:refreshAllObjects()")
    #expect(try script.value("#q.similar, #Quake:find('c6').similar") == "2 0")
  }

  @Test func unsavedObjectsHaveItAndAreFound() throws {
    let script = try script()
    try script.run("local new = Quake { code = 'n', magnitude = 5.5 } local found = q.similar local own = new.similar")
    #expect(try script.value("found[1] == new, #own") == "true 0")
    try script.run("save()")
    #expect(try script.value("q.similar[1] == new, q.similar[1].code") == "true n")
  }

  @Test func itCannotBeSet() throws {
    let script = try script()
    let message = "'similar' of Quake, which is fetched, cannot be set"
    #expect(script.error("q.similar = {}") == message)
    #expect(script.error("q:set('similar', {})") == message)
    #expect(script.error("Quake { similar = {} }") == message)
    #expect(script.error("function Quake:similar() end") == "Quake: 'similar' is a property of the entity already")
    #expect(script.error("return q.simlar") == "Quake has no property 'simlar'; did you mean 'similar'?")
  }

  @Test func mistakesAreFoundWhenTheModelIsMade() throws {
    let script = try Script()
    try script.run(Self.model)
    #expect(
      script.error("model 'magnitud > 1'")
        == "Quake.similar: Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(
      script.error("model '$FETCH_SOURCE.magnitud > 1'")
        == "Quake.similar: Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(script.error("model 'magnitude >'")?.hasPrefix("Quake.similar: expected") == true)
    #expect(script.error("model 'magnitude > $FETCH_SOURC.magnitude'")?.contains("did you mean 'FETCH_SOURCE'") == true)
    #expect(
      script.error("model 'magnitude > $FETCH_SOURCE.code'")?.hasPrefix("Quake.similar: > cannot compare") == true)
    #expect(
      script.error("model(nil, { big = { entity = 'Quak' } })")
        == "template big: it fetches 'Quak', but there is no such entity; did you mean 'Quake'?")
    #expect(
      script.error("model(nil, { big = { entity = 'Quake', sortDescriptors = { '-tim' } } })")
        == "template big: Quake has no property 'tim'; did you mean 'time'?")
    #expect(script.error("model(nil, { big = { enity = 'Quake' } })")?.contains("did you mean 'entity'") == true)
    #expect(script.error("Model { A = Entity { x = FetchedProperty {} } }") == "FetchedProperty: entity is missing")
    #expect(
      script.error(
        "Model { A = Entity { x = Int }, B = Entity { x = FetchedProperty { entity = 'A' }, _ = { parent = 'A' } } }")
        == "B.x: there are two properties of this name")
  }

  @Test func templatesBecomeRequests() throws {
    let script = try script()
    #expect(
      try script.value("store:fetchRequest('big', { minimum = 3 }):fetch()[1].code, store:fetchRequest('all'):count()")
        == "c5 3")
    #expect(
      try script.value("store.model:fetchRequest('big', { minimum = 4 }):where('code != %@', 'c5'):count()") == "1")
    #expect(try script.value("table.concat(store.model.templateNames, ' ')") == "all big")
    #expect(
      script.error("store:fetchRequest 'bi'")
        == "store:fetchRequest: there is no template 'bi'; did you mean 'big'?")
    #expect(
      script.error("store:fetchRequest('big', { minimu = 3 })")
        == "there is no variable $minimu; did you mean 'minimum'?")
    #expect(script.error("store:fetchRequest 'big'") == "store:fetchRequest: big: a value for $minimum is missing")
    #expect(script.error("model():fetchRequest 'all'")?.contains("no store that is open has this model") == true)
  }

  @Test func theStoreKeepsThemAndTheyCanChange() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = try Script()
    try script.run(
      Self.model + "\nlocal s = open('\(path)', { create = true, model = model() }) s:close() s = open('\(path)')")
    #expect(try script.value("s:fetchRequest('big', { minimum = 1 }):count()") == "0")
    try script.run(
      """
      s:close()
      local t = open("\(path)", { readOnly = true, model = model("TRUEPREDICATE", {}) })
      local names = #t.model.templateNames
      t:close()
      t = open("\(path)", { model = model("FALSEPREDICATE", {}) })
      t.entities.Quake { code = "a" }
      """)
    #expect(try script.value("names, #t.model.templateNames, #t.entities.Quake:first().similar") == "0 0 0")
  }

  @Test func whatWasFoundIsNotGivenBack() throws {
    let script = try script()
    try script.run(
      """
      local first = q.similar[1].objectID
      Quake:batchInsert(function() n = (n or 0) + 1 if n < 20000 then return { code = "x" .. n, magnitude = 0 } end end)
      local kept = q.similar
      kept = nil
      for x in Quake:all():each() do local _ = x.code end
      for x in Quake:all():fetch():each() do local _ = x.code end
      collectgarbage() collectgarbage()
      for x in Quake:all():sorted("-code"):each() do local _ = x.code end
      """)
    #expect(try script.value("q.similar[1].objectID == first, q.similar[1].code") == "true c5")
  }
}
