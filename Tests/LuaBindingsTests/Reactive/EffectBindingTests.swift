import LuaRuntime
import ObjectGraph
import Reactive
import Testing

@testable import LuaBindings

@Suite struct EffectBindingTests {
  /// Runs a chunk as a turn of its own.
  private func turn(_ script: Script, _ chunk: String) throws {
    try script.run(chunk)
    for error in script.engine.turns.end() { Issue.record("\(script.engine.report(error).message)") }
  }

  @Test func runAtOnceThenOnceATurnInWhichSomethingTheyReadHasChanged() throws {
    let script = try Script()
    try turn(script, "a, b, log = State(1), State(2), {} e = effect(function() log[#log + 1] = a.value + b.value end)")
    try turn(script, "a.value = 10 b.value = 20 a.value = 11")
    try turn(script, "x = 1")
    #expect(try script.value("table.concat(log, ' '), e, e.isActive") == "3 31 effect true")
    try turn(script, "e:cancel() a.value = 0")
    #expect(try script.value("#log, e") == "2 cancelled effect")
    try turn(script, "do local e <close> = effect(function() log[#log + 1] = a.value end) end a.value = 5")
    #expect(try script.value("#log") == "3")
  }

  @Test func anErrorInAnEffectIsToldAndTheEffectGoesOn() throws {
    let script = try Script()
    try script.run("a = State(1) effect(function() seen = a.value if seen == 1 then error('one', 0) end end)")
    #expect(script.engine.turns.end().map { script.engine.report($0).message } == ["one"])
    try turn(script, "a.value = 2")
    #expect(try script.value("seen") == "2")
  }

  @Test func effectsThatChangeWhatTheyReadAreEndedByAnErrorThatNamesThem() throws {
    let script = try Script()
    try script.run("a = State(1)\neffect(function() a.value = a.value + 1 end)")
    #expect(
      script.engine.turns.end().map { script.engine.report($0).message } == [
        "observers keep changing what they observe: effect (test:2) (100 rounds)"
      ])
  }

  @Test func effectsThatAnEffectHasMadeEndWhenItRunsAgain() throws {
    let script = try Script()
    try turn(
      script,
      """
      outer, inner, log = State(1), State(1), {}
      effect(function()
        local number = outer.value
        effect(function() log[#log + 1] = number .. ":" .. inner.value end)
      end)
      """)
    try turn(script, "outer.value = 2")
    try turn(script, "inner.value = 9")
    #expect(try script.value("table.concat(log, ' ')") == "1:1 2:1 2:9")
  }

  @Test func withObservationTrackingTellsOnceAtTheChangeAndGivesWhatTheFunctionGives() throws {
    let script = try Script()
    try script.run(
      """
      person, log = Observable { name = "fat", age = 18 }, {}
      results = table.pack(withObservationTracking(function() return person.name, nil end, function()
        log[#log + 1] = "changed to " .. person.name
      end))
      person.age = 19
      log[#log + 1] = "older"
      person.name = "thin"
      person.name = "round"
      """)
    #expect(try script.value("table.concat(log, ', '), results[1], results.n") == "older, changed to thin fat 2")
    #expect(script.error("withObservationTracking(function() error('x', 0) end, print)") == "x")
    #expect(script.error("withObservationTracking(print)")?.contains("expected a function, got no value") == true)
  }

  @Test func readingAnObjectsPropertiesAndCollectionsIsTrackedAlsoByMethods() throws {
    let script = try Script.sample()
    try turn(
      script,
      """
      q = Quake { code = "a", magnitude = 5 }
      other = Quake { code = "b", magnitude = 1 }
      function Quake:isMajor() return self.magnitude >= 7 end
      save()
      log = {}
      effect(function() log[#log + 1] = tostring(q:isMajor()) end)
      effect(function() log[#log + 1] = #q.reports end)
      effect(function() log[#log + 1] = q:value "reports.@count" end)
      """)
    let sources = try #require(script.engine.globals.store).mainContext.objectSources
    #expect(sources.objects.count == 1)
    try script.run("q.magnitude = 8 q.reports:add(Report { text = 'x' })")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(log, ' ')") == "false 0 0 true 1 1")
  }

  @Test func objectsAreTrackedOnlyAsLongAsSomebodyDoes() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'a' } save() e = effect(function() local m = q.magnitude end)")
    let sources = try #require(script.engine.globals.store).mainContext.objectSources
    #expect(sources.objects.count == 1)
    try script.run("e:cancel() local x = q.magnitude withObservationTracking(function() x = q.place end, print)")
    sources.didChange(Array(sources.objects).filter { _ in false })
    try script.run("print = function() end")
    sources.didChangeAll()
    #expect(sources.isEmpty)
  }

  @Test func aTrackedObjectKeepsItsPlaceWhileObjectsComeAndGo() throws {
    let script = try Script.sample()
    try turn(
      script,
      """
      Quake:batchInsert((function()
        local rows = {}
        for i = 1, 3000 do rows[i] = { code = "c" .. i, magnitude = i / 1000 } end
        return rows
      end)())
      log = {}
      effect(function() log[#log + 1] = Quake:find("c7").magnitude end)
      collectgarbage()
      for q in Quake:all():each() do local m = q.magnitude end
      collectgarbage()
      for q in Quake:all():each() do local m = q.magnitude end
      Quake:find("c7").magnitude = 9
      """)
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(log, ' ')") == "0.007 9.0")
  }

  @Test func aClosedEngineLetsGoOfEffectsAndWhatTheyHold() throws {
    weak var effect: Effect?
    weak var state: State<LuaReference>?
    do {
      let script = try Script.sample()
      let engine = script.engine
      try script.run(
        """
        a = State(1)
        local q = Quake { code = "x" }
        e = effect(function() local x = a.value local m = q.magnitude end)
        a:onChange(function() return a, e end)
        local ns = Namespace()
        ns:tag("x", ns)
        """)
      engine.lua.pushGlobal("e")
      engine.lua.pushGlobal("a")
      effect = engine.classes.object(BoundEffect.self, at: -2, on: engine.lua.stack)?.effect
      state = engine.classes.object(BoundState.self, at: -1, on: engine.lua.stack)?.state
      engine.lua.stack.pop(2)
      try script.run("e, a = nil, nil collectgarbage() collectgarbage()")
      #expect(effect != nil)
    }
    #expect(effect == nil)
    #expect(state == nil)
  }

  @Test func aChangedValueIsReportedOncePerTurnWithItsOldOne() throws {
    let script = try Script.sample()
    try turn(
      script,
      """
      a, b, log = State(1), State(2), {}
      quake = Quake { code = "a", magnitude = 3 }
      local function note(new, old) log[#log + 1] = old .. ">" .. new end
      w = onChange(function() return a.value + b.value end, note)
      onChange(function() return quake.magnitude end, note, { initial = true })
      """)
    try turn(script, "a.value = 2 b.value = 1")
    try turn(script, "a.value = 5 quake.magnitude = 4")
    try turn(script, "w:cancel() a.value = 50")
    #expect(try script.value("table.concat(log, ' ')") == "3.0>3.0 3>6 3.0>4.0")
    #expect(script.error("onChange(print)") == "onChange: expected a function, got no value")
    #expect(script.error("onChange(print, print, { debounce = -1 })")?.contains("debounce") == true)
  }

  @Test func anErrorInAWatchedExpressionIsReportedAndTheWatchGoesOn() throws {
    let script = try Script()
    try script.run(
      "a, log = State(1), {} onChange(function() return a.value > 1 and error 'no' or a.value end, function(n, o) log[#log + 1] = o .. n end)"
    )
    try script.run("a.value = 2")
    #expect(script.engine.turns.end().count == 1)
    try turn(script, "a.value = 0")
    #expect(try script.value("table.concat(log, ' ')") == "10")
  }

  @Test func aDebouncedWatchWaitsUntilNothingChanges() throws {
    let script = try Script()
    try turn(
      script,
      """
      a, log = State(1), {}
      onChange(function() return a.value end, function(new, old) log[#log + 1] = old .. ">" .. new stopLoop() end, { debounce = 0.02 })
      """)
    try turn(script, "a.value = 2")
    try turn(script, "a.value = 3")
    #expect(try script.value("#log") == "0")
    try turn(script, "runLoop { seconds = 20 }")
    #expect(try script.value("table.concat(log, ' ')") == "1>3")
    // What is as it was is no change.
    try turn(script, "a.value = 9")
    try turn(script, "a.value = 3")
    try turn(script, "after(0.1, stopLoop) runLoop { seconds = 20 }")
    #expect(try script.value("#log") == "1")
  }
}
