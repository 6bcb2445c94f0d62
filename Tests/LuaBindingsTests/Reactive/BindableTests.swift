import LuaBindings
import Testing

@Suite struct BindableTests {
  @Test func bindingsLeadToAnObservablesProperties() throws {
    let script = try Script()
    try script.run(
      """
      person, seen = Observable { name = "fat", age = 18 }, {}
      name = Bindable(person).name
      effect(function() seen[#seen + 1] = name.value end)
      name.value = "thin"
      """)
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("person.name, table.concat(seen, ' ')") == "thin fat thin")
    #expect(script.error("return Bindable(person).nmae") == "Observable has no 'nmae'; did you mean 'name'?")
    #expect(script.error("Bindable(5)") == "Bindable: expected an Observable or a managed object, got number")
  }

  @Test func bindingsLeadToAManagedObjectsPropertiesAndWriteAsAnyAssignmentDoes() throws {
    let script = try Script.sample()
    try script.run(
      """
      q = Quake { code = "us1", magnitude = 5 }
      save()
      magnitude, reports = Bindable(q).magnitude, Bindable(q).reports
      magnitude.value = 6
      reports.value = { Report { text = "felt" } }
      """)
    #expect(try script.value("q.magnitude, q.hasChanges, #q.reports, #reports.value") == "6.0 true 1 1")
    #expect(script.error("magnitude.value = 'x'")?.contains("Quake") == true)
    #expect(script.error("return Bindable(q).magnitud")?.contains("did you mean 'magnitude'?") == true)
    #expect(script.error("Bindable(q).magnitude = 5") == "'magnitude' of Bindable cannot be set")
    try script.run("rollback()")
    #expect(try script.value("magnitude.value, #reports.value") == "5.0 0")
    try script.run("undone = Bindable(q).place undone.value = 'x' undo()")
    #expect(try script.value("undone.value") == "nil")
  }

  @Test func bindingsStayTrueWhenAContextSavesByItself() throws {
    let script = try Script.sample()
    try script.run("context.autosave = true q = Quake { code = 'us1' } place = Bindable(q).place place.value = 'a'")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("q.isInserted, place.value, context.hasChanges") == "false a false")
    try script.run("place.value = 'b' collectgarbage()")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("place.value, store:sql('SELECT place FROM quake')[1].place") == "b b")
  }

  @Test func aTextFieldsBindingDrivesAFilterAndAHeadersClickASort() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i, place in ipairs { "Chile", "Peru", "Chile" } do
        Quake { code = "us" .. i, place = place, magnitude = i }
      end
      save()
      text, order, shown = State "", State { "magnitude" }, ""
      query = text:binding():map {
        get = function(text) return text ~= "" and Predicate("place CONTAINS[c] %@", text) or nil end,
        set = function(predicate) return predicate and predicate.format or "" end,
      }
      effect(function()
        local request = FetchRequest { entity = Quake, predicate = query.value, sortDescriptors = order.value }
        local codes = {}
        for q in request:each() do codes[#codes + 1] = q.code end
        shown = table.concat(codes, " ")
      end)
      """)
    #expect(try script.value("shown") == "us1 us2 us3")
    try script.run("text.value = 'chi'")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("shown") == "us1 us3")
    try script.run("order:binding().value = { '-magnitude' }")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("shown") == "us3 us1")
    try script.run("text.value = ''")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("shown") == "us3 us2 us1")
  }
}
