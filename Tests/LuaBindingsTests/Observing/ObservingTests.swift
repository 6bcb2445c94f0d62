import LuaBindings
import Stores
import Testing

@Suite struct ObservingTests {
  @Test func anEntityTellsOfEachObject() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local seen = {}
      for _, kind in ipairs { "insert", "update", "delete" } do
        Quake:on(kind, function(q, change)
          seen[#seen + 1] = change.kind .. " " .. (q.isDeleted and "gone" or q.code) .. " " .. change.cause ..
            " " .. tostring(change.objectID == q.objectID) .. " " .. tostring(change.transaction.author)
        end)
      end
      local function take() local text = table.concat(seen, ", ") seen = {} return text end
      """)
    try script.run(
      "Quake { code = 'f' } Quake:find('a').felt = 1 Quake:find('b'):delete() context:save { author = 'me' }")
    #expect(try script.value("take()") == "insert f save true me, update a save true me, delete gone save true me")
    try script.turn("Quake:find('a').felt = 2")
    #expect(try script.value("take()") == "update a pending true nil")
    try script.run("save()")
    #expect(try script.value("take()") == "")
    try script.run("Report { text = 'x' } save() store:sql \"UPDATE quake SET felt = 3 WHERE code = 'c'\"")
    #expect(try script.value("take()") == "update c save true nil")
    #expect(
      script.error("Quake:on('inserted', print)")
        == "Quake:on: expected one of \"insert\", \"update\" or \"delete\", got \"inserted\"")
    #expect(script.error("Quake:on('insert')") == "Quake:on: expected a function, got no value")
    #expect(script.error("Quake:on()") == "Quake:on: expected \"insert\", \"update\" or \"delete\", got no value")
  }

  @Test func anAncestorTellsOfTheObjectsOfItsSubentities() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Thing = Entity { name = String }, Tool = Entity { weight = Double, _ = { parent = "Thing" } },
      } }))
      local things, tools = {}, {}
      Thing:on("insert", function(t) things[#things + 1] = t.entity.name .. " " .. t.name end)
      Tool:on("insert", function(t) tools[#tools + 1] = t.name end)
      Thing { name = "a" } Tool { name = "b" }
      save()
      """)
    #expect(try script.value("#things, table.concat(tools)") == "2 b")
  }

  @Test func aPropertyIsObservedWhoeverChangesIt() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local q, seen = Quake:find "a", {}
      local token = q:observe("magnitude", function(new, old) seen[#seen + 1] = old .. ">" .. new end)
      """)
    try script.turn("q.magnitude = 2 q.magnitude = 3")
    try script.run("save() q.felt = 1 save() store:sql 'UPDATE quake SET magnitude = 9'")
    #expect(try script.value("table.concat(seen, ' ')") == "1.0>3.0 3.0>9.0")
    try script.run("token:cancel() q.magnitude = 4 save()")
    #expect(try script.value("#seen") == "2")
    #expect(script.error("q:observe('magnitud', print)")?.contains("did you mean 'magnitude'?") == true)
    #expect(script.error("q:observe('magnitude')") == "Quake:observe: expected a function, got no value")
    #expect(script.error("Object.observe(5, 'magnitude', print)") == "Object.observe: expected an object, got number")
  }

  @Test func whatACallbackCancelsIsNotToldInTheSameRound() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local q, seen, tokens = Quake:find "a", {}, {}
      local function note(name) return function() seen[#seen + 1] = name end end
      Quake:on("update", function() for _, token in ipairs(tokens) do token:cancel() end end)
      tokens = {
        Quake:on("update", note "entity"), context:on("objectsDidChange", note "context"),
        q:observe("magnitude", note "value"), Quake:all():live():onChange(note "results"),
        Bindable(q).magnitude:onChange(note "binding"),
      }
      q.magnitude = 7
      save()
      """)
    #expect(try script.value("table.concat(seen, ' ')") == "")
  }

  @Test func keyPathsAndExpressionsAreObservedThroughRelationships() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local seen = {}
      local a, b = Quake:find "a", Quake:find "b"
      local report = Report { text = "x", quake = a }
      save()
      Object.observe(report, "quake.place", function(new, old) seen[#seen + 1] = tostring(old) .. ">" .. tostring(new) end)
      a:observe("reports.@count", function(new, old) seen[#seen + 1] = old .. ">" .. new end)
      report:observe("quake", function(new, old) seen[#seen + 1] = tostring(new == b) .. tostring(old == a) end)
      """)
    try script.run("a.place = 'Peru' save()")
    #expect(try script.value("table.concat(seen, ' ')") == "Japan>Peru")
    try script.run("seen = {} report.quake = b save()")
    #expect(try script.value("table.concat(seen, ' ')") == "Peru>Chile 1>0 truetrue")
    try script.run("seen = {} b:delete() save()")
    #expect(try script.value("seen[1]") == "Chile>nil")
  }

  @Test func aContextTellsOnceATurnWhatChanged() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local seen = {}
      local token = context:on("objectsDidChange", function(c)
        seen[#seen + 1] = #c.inserted .. #c.updated .. #c.deleted .. tostring(c.isComplete) .. tostring(c.context == context)
      end)
      """)
    try script.turn("Quake { code = 'f' } Quake { code = 'g' } Quake:find('a').felt = 1 Report { text = 'x' }")
    try script.run("save() Quake:find('a'):delete() save()")
    #expect(try script.value("table.concat(seen, ' ')") == "310truetrue 001truetrue")
    try script.run("token:cancel() Quake { code = 'h' } save()")
    #expect(try script.value("#seen") == "2")
    #expect(
      script.error("context:on('objectsDidChang', print)")
        == "context:on: expected one of \"willSave\", \"didSave\" or \"objectsDidChange\", got \"objectsDidChang\"")
  }

  @Test func anotherContextIsToldOfASave() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local other, seen = store:newContext(), {}
      other.entities.Quake:on("insert", function(q) seen[#seen + 1] = q.code .. tostring(q.context == other) end)
      Quake { code = "f" }
      context:processPendingChanges()
      local before = #seen
      save()
      """)
    #expect(try script.value("before, table.concat(seen)") == "0 ftrue")
  }
}
