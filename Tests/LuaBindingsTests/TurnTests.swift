import LuaBindings
import Testing

@Suite struct TurnTests {
  @Test func onlyContextsThatSaveByThemselvesDoSoAtTheEndOfATurn() throws {
    let script = try Script.sample()
    try script.run(
      """
      local other = store:newContext { autosave = true }
      other.entities.Quake { code = "a" }
      Quake { code = "b" }
      """)
    #expect(try script.value("other.autosave, context.autosave") == "true false")
    #expect(script.engine.turns.end(failed: true).isEmpty)
    #expect(try script.value("other.hasChanges") == "true")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("other.hasChanges, context.hasChanges") == "false true")
    try script.run("context.autosave = true")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("context.hasChanges, Quake:count()") == "false 2")
    #expect(script.error("context.autosave = 1") == "context.autosave: expected a boolean, got number")
    #expect(script.error("store:newContext { autosaves = true }")?.contains("did you mean 'autosave'?") == true)
  }

  @Test func whatAChildSavesByItselfItsParentSavesInTheSameTurn() throws {
    let script = try Script.sample()
    try script.run("context.autosave = true context:newChild({ autosave = true }).entities.Quake { code = 'a' }")
    #expect(script.engine.turns.end().isEmpty)
    #expect(script.engine.stores.unsavedChangeCount == 0)
    #expect(try script.value("store:sql('SELECT count(*) n FROM quake')[1].n") == "1")
  }

  @Test func aFailedAutosaveIsToldAndItsChangesStay() throws {
    let script = try Script.sample()
    try script.run("context.autosave = true local q = Quake { code = 'a', magnitude = 11 }")
    let errors = script.engine.turns.end().map { script.engine.report($0) }
    #expect(
      errors.map(\.message) == [
        "Quake: magnitude is 11.0, more than 10.0\n  (in an autosave: the changes stay unsaved)"
      ])
    #expect(errors.map(\.kind) == ["validation"])
    #expect(script.engine.stores.unsavedChangeCount == 1)
    try script.run("q.magnitude = 5")
    #expect(script.engine.turns.end().isEmpty)
    #expect(script.engine.stores.unsavedChangeCount == 0)
  }

  @Test func performRunsAtOnceAndReturnsItsResults() throws {
    let script = try Script.sample()
    #expect(try script.value("context:perform(function(...) return select('#', ...), ... end, 1, nil)") == "2 1 nil")
    #expect(try script.value("select('#', context:performAndWait(function() end))") == "0")
    #expect(script.error("context:perform(5)") == "context:perform: expected a function, got number")
    #expect(script.error("context:perform(function() error('x', 0) end)") == "x")
  }

  @Test func theOutermostPerformSavesAContextThatDoesSoByItself() throws {
    let script = try Script.sample()
    try script.run(
      """
      context.autosave = true
      local inner
      context:perform(function()
        context:perform(function() Quake { code = "a" } end)
        inner = context.hasChanges
      end)
      """)
    #expect(try script.value("inner, context.hasChanges, Quake:count()") == "true false 1")
    #expect(script.error("context:perform(function() Quake { magnitude = 12 } end)")?.contains("more than 10") == true)
    #expect(try script.value("#context.insertedObjects") == "1")
    try script.run("rollback() pcall(context.perform, context, function() Quake { code = 'b' } error('x') end)")
    #expect(try script.value("#context.insertedObjects") == "1")
    #expect(script.error("context:perform(function() store:close() end)") == nil)
  }
}
