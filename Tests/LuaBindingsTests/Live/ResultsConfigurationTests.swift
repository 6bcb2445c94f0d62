import LuaBindings
import Testing

@Suite struct ResultsConfigurationTests {
  @Test func everyPropertyIsChangedAlone() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:all():sorted('code'):live() r:onChange(tell)")
    try script.run("r.predicate = \"place CONTAINS 'Jap'\"")
    #expect(try script.value("told(), codes(r)") == "configuration -b:2> d:4> ace")
    try script.run("r.sortDescriptors = { '-magnitude' }")
    #expect(try script.value("told(), codes(r)") == "configuration ^e:3>1 c:2>2 eca")
    try script.run("r.predicate = { 'magnitude >= %@', 3 }")
    #expect(
      try script.value("codes(r), tostring(r.predicate), r.sortDescriptors[1].order") == "edc magnitude >= 3 reverse")
    try script.run("r.predicate = Predicate 'magnitude < 3'")
    #expect(try script.value("codes(r)") == "ba")
    try script.run("r.predicate = nil r.sortDescriptors = SortDescriptor('code')")
    #expect(try script.value("codes(r), r.predicate") == "abcde nil")
    try script.run("r.sortDescriptors = nil r.includesPendingChanges = false")
    #expect(
      try script.value("#r, #r.sortDescriptors, r.includesPendingChanges, tostring(r.request)") == "5 0 false Quake")
  }

  @Test func severalAreChangedByOneFetchAndToldOnce() throws {
    let script = try Script.quakes()
    try script.run("local r, n = Quake:all():sorted('code'):live(), 0 r:onChange(function() n = n + 1 end)")
    try script.run(
      "r:configure { predicate = 'magnitude >= 2', sortDescriptors = { '-code' }, fetchLimit = 3, animation = 'spring' }"
    )
    #expect(try script.value("codes(r), n, r.animation") == "edc 1 spring")
    try script.run("r:configure { predicate = null, fetchLimit = null, sortDescriptors = null, animation = null }")
    #expect(try script.value("#r, n, r.predicate, r.fetchLimit, r.animation") == "5 2 nil 0 nil")
    try script.run("r:configure {}")
    #expect(try script.value("n") == "2")
  }

  @Test func whoReadsAPropertyIsToldOfItsChangesAlone() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, seen = Quake:all():sorted('code'):live(), {}
      local function note(name) return function() seen[#seen + 1] = name end end
      r:binding("sortDescriptors"):onChange(note "order")
      r:binding("filter"):onChange(note "predicate")
      effect(function() seen[#seen + 1] = "limit " .. r.fetchLimit end)
      effect(function() seen[#seen + 1] = "request " .. tostring(r.request) end)
      local function take() local text = table.concat(seen, ", ") seen = {} return text end
      """)
    #expect(try script.value("take()") == "limit 0, request Quake sorted by code")
    for (change, told) in [
      ("Quake { code = 'f' } save()", ""), ("r.sortDescriptors = { 'code' }", ""),
      ("r.order = 'reverse'", "order, request Quake sorted by -code"),
      ("r.predicate = 'felt > 1'", "predicate, request Quake where felt > 1 sorted by -code"),
      ("r:configure { filter = null, limit = 2 }", "predicate, limit 2, request Quake sorted by -code limit 2"),
      ("r:binding('fetchLimit').value = 0", "limit 0, request Quake sorted by -code"),
    ] {
      try script.turn(change)
      #expect(try script.value("take()") == told, "\(change)")
    }
  }

  @Test func whatIsWrongChangesNothing() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:where('magnitude >= 3'):sorted('code'):live() r:onChange(tell)")
    #expect(
      script.error("r:configure { predicat = 'x' }")
        == "results:configure: there is no option 'predicat'; did you mean 'predicate'?")
    #expect(
      script.error("r:configure { fetchLimit = 1, predicate = 'magnitud > 1' }")?.contains("did you mean 'magnitude'?")
        == true)
    #expect(
      script.error("r.predicate = 5")
        == "results.predicate: expected a predicate (string, table or Predicate), got number")
    #expect(
      script.error("r:configure { sortDescriptors = 5.5 }")
        == "results:configure: sortDescriptors: expected a list of key paths and SortDescriptors, got number")
    #expect(script.error("r.fetchLimit = 'a'") == "results.fetchLimit: expected an integer, got string")
    #expect(script.error("r.predicate = 'magnitude > $least'")?.contains("$least") == true)
    #expect(script.error("r.sortDescriptors = { 'reports' }") != nil)
    #expect(script.error("r.fetchLimit = -1") != nil)
    #expect(script.error("r.propertiesToGroupBy = { 'place' }") != nil)
    #expect(script.error("r.entity = Report")?.contains("has no 'entity'") == true)
    #expect(script.error("r.isClosed = true") == "'isClosed' of results cannot be set")
    #expect(
      script.error("r:configure { filter = 'magnitude > 1', predicate = 'magnitude > 2' }")
        == "results:configure: 'filter' and 'predicate' are the same; give one of them")
    #expect(try script.value("codes(r), tostring(r.predicate), told()") == "cde magnitude >= 3 ")
  }

  @Test func changesAreToldInTheRoundAfterThatOfACallback() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = Quake:all():sorted('code'):live()
      local rounds = {}
      r:onChange(function(change)
        rounds[#rounds + 1] = change.kind .. #r
        if change.kind == "save" then
          r.predicate = "magnitude >= 4"
          rounds[#rounds + 1] = "set" .. #r
        end
      end)
      Quake { code = "f", magnitude = 4 }
      save()
      """)
    #expect(try script.value("table.concat(rounds, ' ')") == "save6 set3 configuration3")
  }

  @Test func theAnimationIsTheRequestsTheCallsOrItsOwn() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local request = FetchRequest { entity = Quake, animation = "easeIn", sortDescriptors = { "code" } }
      local a, b, c = request:live(), request:live { animation = "spring" }, request:limit(3):live { animation = "none" }
      local seen = {}
      for i, r in ipairs { a, b, c } do
        r:onChange(function(change) seen[i] = tostring(change.animation) .. tostring(change.transaction.animation) end)
      end
      store:sql "DELETE FROM quake WHERE code = 'a'"
      """)
    #expect(try script.value("request.animation, a.animation, b.animation, c.animation") == "easeIn easeIn spring nil")
    #expect(try script.value("table.concat(seen, ' ')") == "easeIneaseIn springspring nilnil")
    #expect(script.error("request:live { animaton = 'x' }")?.contains("did you mean 'animation'?") == true)
    #expect(script.error("a.animation = 5") == "results.animation: expected the name of an animation, got number")
  }

  @Test func bindingsReadAndSetOneProperty() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = Quake:all():sorted("code"):live()
      local order, least = r:binding "sortDescriptors", r:binding "filter"
      order.value = { "-magnitude" }
      """)
    #expect(try script.value("codes(r), order.value[1].keyPath, least.value") == "edcba magnitude nil")
    try script.run("least.value = { 'magnitude >= %@', 3 }")
    #expect(try script.value("codes(r), tostring(least.value)") == "edc magnitude >= 3")
    try script.run("least.value = nil r.sortDescriptors = 'code'")
    #expect(try script.value("codes(r), order.value[1].keyPath") == "abcde code")
    #expect(
      script.error("r:binding 'sortDescriptor'")
        == "results:binding: there is no option 'sortDescriptor'; did you mean 'sortDescriptors'?")
    #expect(
      script.error("least.value = 5") == "results.filter: expected a predicate (string, table or Predicate), got number"
    )
    try script.run("r:close()")
    #expect(script.error("order.value = { 'code' }") == "results.sortDescriptors: the live result is closed")
  }

  @Test func anEffectRunsAgainWhenTheResultsOrTheirConfigurationChange() throws {
    let script = try Script.quakes()
    try script.turn(
      """
      local r, seen = Quake:where("magnitude >= 3"):live(), {}
      local minimum = State(3)
      minimum:onChange(function(new) r.predicate = { "magnitude >= %@", new } end)
      local e = effect(function() seen[#seen + 1] = minimum.value .. ":" .. #r end)
      """)
    try script.turn("Quake { code = 'f', magnitude = 9 } save()")
    try script.turn("minimum.value = 5")
    #expect(try script.value("table.concat(seen, ' ')") == "3:3 3:4 5:2")
    try script.turn("e:cancel() minimum.value = 1")
    #expect(try script.value("#seen, #r") == "3 6")
  }

  // MARK: The configuration as a value

  @Test func theConfigurationIsReadAndSetWhole() throws {
    let script = try Script.quakes()
    try script.run(
      """
      r = FetchRequest { entity = Quake, nsPredicate = "magnitude > 2", nsSortDescriptors = { "-code" }, fetchLimit = 2 }:live()
      told = {}
      r:onChange(function(c) told[#told + 1] = c.kind .. " " .. tostring(c) end)
      saved = r.configuration
      r.configuration = { predicate = "magnitude < 3", sectionIdentifier = "place" }
      """)
    #expect(
      try script.value("saved.predicate, #saved.sortDescriptors, saved.sectionIdentifier") == "magnitude > 2 1 nil")
    #expect(
      try script.value("#r, r[1].id, r.predicate, #r.sortDescriptors, r.fetchLimit") == "2 Chile magnitude < 3 0 2")
    try script.run("r.configuration = saved")
    #expect(try script.value("codes(r), r.sectionIdentifier, r.nsPredicate") == "ed nil magnitude > 2")
    #expect(try script.value("#told, told[1]") == "2 configuration 2 inserted, 2 deleted, 2 sections inserted")
    try script.run("r.configuration = {}")
    #expect(try script.value("codes(r), r.predicate") == "ab nil")
    #expect(
      script.error("r.configuration = { limit = 5 }")?.hasPrefix("results.configuration: there is no option 'limit'")
        == true)
    #expect(
      script.error("r.configuration = { predicate = 'x ==', sortDescriptors = { 'code' } }") != nil)
    #expect(try script.value("r.predicate") == "nil")
    #expect(script.error("r.configuration = 5")?.hasSuffix("got number") == true)
    #expect(
      script.error("FetchRequest { entity = Quake, predicate = 'felt > 1', nsPredicate = 'felt > 2' }")
        == "FetchRequest: 'nsPredicate' and 'predicate' are the same; give one of them")
  }

  @Test func aBindingToTheConfigurationHasItsFields() throws {
    let script = try Script.quakes()
    try script.run(
      """
      r = Quake:sorted("code"):live()
      b = r:binding()
      seen = {}
      b.nsPredicate:onChange(function(new) seen[#seen + 1] = tostring(new) end)
      b.nsPredicate.value = { "place == %@", "Chile" }
      b.nsSortDescriptors.value = { "-code" }
      """)
    _ = script.engine.turns.end()
    #expect(try script.value("codes(r), b.predicate.value, #b.sortDescriptors.value") == "db place == \"Chile\" 1")
    #expect(script.error("return b.predicat") == "binding has no 'predicat'; did you mean 'predicate'?")
    #expect(script.error("b.sortDescriptor = 1") == "binding has no 'sortDescriptor'; did you mean 'sortDescriptors'?")
    #expect(script.error("return State(1):binding().predicat") == "binding has no 'predicat'")
    #expect(try script.value("b.value.predicate, table.concat(seen)") == "place == \"Chile\" place == \"Chile\"")
    try script.run("b.value = { sortDescriptors = { '-magnitude' } } b.sectionIdentifier.value = 'place'")
    #expect(try script.value("#r, r[1].id, b:at('sectionIdentifier').value") == "2 Chile place")
    #expect(try script.value("tostring(r:binding 'nsPredicate')") == "Binding(nil)")
  }

  @Test func whoeverReadsTheConfigurationIsToldOfItsChanges() throws {
    let script = try Script.quakes()
    try script.run(
      """
      r, count = Quake:all():live(), 0
      effect(function() local _ = r.configuration.predicate count = count + 1 end)
      """)
    try script.turn("r.nsPredicate = 'felt > 1'")
    try script.turn("Quake:find('a').felt = 2")
    try script.turn("r:binding().value = { predicate = 'felt > 2' }")
    #expect(try script.value("count") == "3")
  }
}
