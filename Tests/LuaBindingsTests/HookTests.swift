import LuaBindings
import Testing

@Suite struct HookTests {
  @Test func anObjectAwakesWithItsDefaultsBeforeItGetsItsValues() throws {
    let script = try Script.sample()
    try script.run(
      """
      function Quake:awakeFromInsert() self.felt = self.magnitude == 0 and 7 or 8 self.place = "nowhere" end
      local q = Quake { code = "a", place = "Chile" }
      """)
    #expect(try script.value("q.felt, q.place") == "7 Chile")
    #expect(script.error("function Quake:awakeFromInsert() error('no', 0) end Quake {}") == "no")
    #expect(try script.value("#context.insertedObjects") == "1")
    #expect(script.error("Quake.awakeFromFetch = print")?.contains("awakeFromFetch is never called") == true)
  }

  @Test func willSaveIsCalledForSubentitiesAndItsChangesAreSaved() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Thing = Entity { name = String, stamp = Int }, Tool = Entity { weight = Double, _ = { parent = "Thing" } },
      } }))
      local calls = 0
      function Thing:willSave() calls = calls + 1 if not self.stamp then self.stamp = 5 end end
      Thing { name = "a" } Tool { name = "b" }
      save()
      """)
    #expect(try script.value("calls, Tool:first().stamp, Thing:count 'stamp = 5'") == "4 5 2")
    try script.run("function Tool:willSave() self.weight = 2 Thing.willSave(self) end Tool { name = 'c' } save()")
    #expect(try script.value("Tool:first('name = %@', 'c').weight, Tool:first('name = %@', 'c').stamp") == "2.0 5")
  }

  @Test func anErrorInWillSaveAbortsTheSave() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a', felt = 1 }")
    #expect(
      script.error("function Quake:willSave() self.felt = 2 local x = nil + 1 end save()")?
        .hasPrefix("test:1: attempt to perform arithmetic on a nil value") == true)
    #expect(
      try script.value("q.felt, context.hasChanges, store:sql('SELECT count(*) AS n FROM quake')[1].n") == "1 true 0")
    #expect(
      script.error("function Quake:willSave() self.felt = (self.felt or 0) + 1 end save()")
        == "willSave keeps changing a Quake after 1000 calls; set a value only where it differs")
    try script.run("Quake.willSave = nil save()")
    #expect(try script.value("q.felt") == "1")
  }

  @Test func allViolationsOfScriptsAndModelAreInOneError() throws {
    let script = try Script.sample()
    try script.run(
      """
      function Quake:validateMagnitude(value) if value > 9 then error("is hard to believe") end end
      function Quake:validateCode(value) return value ~= "bad", "is bad" end
      function Quake:validatePlace(value) return value == nil or #value > 1 end
      function Quake:validate() if self.felt == 3 then error { message = "three is too few", property = "felt" } end end
      function Quake:validateForInsert() if self.felt == 4 then error("cannot begin with four", 0) end end
      local q = Quake { code = "bad", magnitude = 12, place = "x", felt = 3 }
      local ok, err = pcall(save)
      """)
    #expect(
      try script.value("err.message") == """
        5 values are not valid:
          Quake: magnitude is 12.0, more than 10.0
          Quake: code: is bad
          Quake: magnitude: is hard to believe
          Quake: place: is not valid
          Quake: felt: three is too few
        """)
    #expect(
      try script.value("err.kind, #err.details, err.details[2].rule, err.details[2].property, err.details[2].value")
        == "validation 5 custom code \"bad\"")
    #expect(try script.value("select(2, pcall(q.validate, q)).message == err.message") == "true")
    try script.run("q.code, q.magnitude, q.place, q.felt = 'ok', 5, 'xyz', 4")
    #expect(script.error("save()") == "Quake: cannot begin with four")
    try script.run("q.felt = 5 save() q.felt = 4 save()")
    #expect(try script.value("q:validate(), store:sql('SELECT felt FROM quake')[1].felt") == "true 4")
  }

  @Test func deletionsAreValidated() throws {
    let script = try Script.sample()
    try script.run(
      """
      function Quake:validateForDelete() return self.felt ~= 1, "was felt" end
      local q, r = Quake { code = "a", felt = 1 }, Quake { code = "b", felt = 2 }
      save()
      q:delete() r:delete()
      """)
    #expect(script.error("save()")?.hasSuffix("was felt") == true)
    try script.run("rollback() r:delete() save()")
    #expect(try script.value("Quake:count()") == "1")
  }

  @Test func helpKnowsTheMethodsThatTheEngineCalls() throws {
    let catalog = try Script().engine.catalog
    #expect(catalog.entries(named: "willSave").map(\.title) == ["Hook:willSave"])
    #expect(catalog.entries(named: "Hook").count == 9)
  }

  @Test func aMistakeInARuleIsNoViolation() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a' }")
    #expect(
      script.error("function Quake:validatePlace(value) return value < 5 end save()")?
        .contains("attempt to compare nil with number") == true)
    try script.run("Quake.validatePlace = nil")
    #expect(
      script.error("function Quake:validateForInsert() return self.magnitud end save()")
        == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(
      script.error("function Quake:validateForInsert() self.felt = 1 end save()")
        == "Quake cannot be changed by its own validation; change it in willSave")
  }

  @Test func validateIsAddedToAndNotReplaced() throws {
    let script = try Script.sample()
    try script.run(
      "function Quake:validate() return self.felt ~= 1, 'no' end local q = Quake { magnitude = 11, felt = 1 }")
    #expect(
      script.error("q:validate()") == "2 values are not valid:\n  Quake: magnitude is 11.0, more than 10.0\n  Quake: no"
    )
    #expect(script.error("function Quake:refresh() end") == "Quake: 'refresh' is built in and cannot be redefined")
    try script.run("Quake.validate = nil q.magnitude = 1")
    #expect(try script.value("q:validate()") == "true")
  }

  @Test func didSaveChangesArePendingAndItsErrorsStopNothing() throws {
    let script = try Script.sample()
    try script.run(
      """
      local told = {}
      function Quake:didSave()
        told[#told + 1] = self.isDeleted and "gone" or self.code
        if self.isDeleted then return end
        self.felt = (self.felt or 0) + 1
        error("after the save", 0)
      end
      local a, b = Quake { code = "a" }, Quake { code = "b" }
      save()
      """)
    #expect(try script.value("table.concat(told, ' '), #context.updatedObjects, Quake:count 'felt = 1'") == "a b 2 2")
    #expect(script.engine.turns.end().map { script.engine.report($0).message } == ["after the save", "after the save"])
    #expect(script.engine.turns.end().isEmpty)
    try script.run("rollback() a:delete() save()")
    #expect(try script.value("told[3]") == "gone")
  }

  @Test func functionsAreToldOfSavesUntilTheyAreCancelled() throws {
    let script = try Script.sample()
    try script.run(
      """
      local log = {}
      local before = context:on("willSave", function(changes)
        log[#log + 1] = "will " .. #changes.inserted
        for _, q in ipairs(changes.inserted) do q.felt = 9 end
      end)
      local after = context:on("didSave", function(changes)
        log[#log + 1] = "did " .. #changes.inserted .. #changes.updated .. #changes.deleted .. tostring(changes.context == context)
      end)
      local q = Quake { code = "a" }
      save()
      q.felt = 10
      before:cancel() before:cancel()
      save()
      do local closed <close> = after end
      q.felt = 11
      save()
      """)
    #expect(try script.value("table.concat(log, ', '), Quake:first().felt") == "will 1, did 100true, did 010true 11")
    #expect(
      script.error("context:on('didSav', print)")
        == "context:on: expected one of \"willSave\", \"didSave\" or \"objectsDidChange\", got \"didSav\"")
  }

  @Test func saveInATokenOfASaveGoesOnForAHundredRoundsAtMost() throws {
    let script = try Script.sample()
    try script.run("local n = 0 context:on('didSave', function() n = n + 1 Quake { code = 'c' .. n } save() end)")
    #expect(script.error("Quake { code = 'x' } save()")?.contains("100 times in a row") == true)
    #expect(try script.value("n, Quake:count(), context.hasChanges") == "100 101 false")
  }

  @Test func whatHooksDoToTheContextOrTheStoreIsHarmless() throws {
    let saving = "the context is being saved"
    for (body, expected) in [
      ("save()", saving), ("rollback()", saving), ("context:rollback()", saving), ("context:reset()", saving),
      ("store:close()", saving), ("do local s <close> = store end", saving),
      ("context:transaction(function() end)", saving), ("self:delete()", nil), ("context:refreshAllObjects()", nil),
      ("self:refresh { mergeChanges = false }", nil), ("Quake:batchDelete 'felt = 3'", nil),
      ("for q in Quake:all():each() do end collectgarbage()", nil), ("error()", "nil"), ("error(nil)", "nil"),
      ("error(setmetatable({}, { __tostring = function() error('x') end }))", "error object"),
      ("coroutine.yield()", "yield"), ("Quake.willSave = nil", nil),
    ] {
      for hook in ["willSave", "validate"] {
        let script = try Script.sample()
        try script.run(
          "for i = 1, 3 do Quake { code = 'c' .. i } end save() Quake:first().felt = 1 Quake { code = 'z' }")
        let message = script.error("function Quake:\(hook)() \(body) end save()")
        if hook == "willSave" {
          #expect(
            expected == nil ? message == nil : message?.contains(expected ?? "") == true,
            "\(body): \(message ?? "none")")
        }
        #expect(script.error("Quake.\(hook) = nil rollback() Quake { code = 'y' } save()") == nil, "\(body)")
      }
    }
  }

  @Test func hooksThatCallThemselvesAreErrors() throws {
    for (hook, body, expected) in [
      ("validate", "self:validate()", "overflow"), ("awakeFromInsert", "Quake {}", "overflow"),
      ("willSave", "Quake {}", "keeps changing"),
      ("prepareForDeletion", "self:delete()", nil),
      ("prepareForDeletion", "Quake {}:delete()", "overflow"),
    ] as [(String, String, String?)] {
      let script = try Script.sample()
      let message = script.error(
        "function Quake:\(hook)() \(body) end local q = Quake { code = 'a' } save() q:delete() save()")
      #expect(
        expected == nil ? message == nil : message?.contains(expected ?? "") == true, "\(hook): \(message ?? "none")")
      #expect(script.error("Quake.\(hook) = nil rollback() Quake { code = 'z' } save()") == nil, "\(hook)")
      #expect(try script.value("context.hasChanges, Quake:count 'code = \"z\"'") == "false 1")
    }
  }

  @Test func storesMayBeClosedByOtherHooks() throws {
    for hook in ["awakeFromInsert", "prepareForDeletion", "didSave"] {
      let script = try Script.sample()
      try script.run("for i = 1, 3 do Quake { code = 'c' .. i } end save()")
      let message = script.error(
        "function Quake:\(hook)() store:close() end local q = Quake:first() q.felt = 1 Quake { code = 'y' } q:delete() save()"
      )
      #expect(
        hook == "didSave" || ["closed", "was deleted"].contains { message?.contains($0) == true },
        "\(hook): \(message ?? "none")")
    }
    let script = try Script.sample()
    try script.run("function Quake:prepareForDeletion() context:rollback() end local q = Quake { code = 'a' }")
    #expect(script.error("q:delete()")?.contains("was deleted") == true)
    #expect(try script.value("context.hasChanges") == "false")
  }

  @Test func aHookThatNeverEndsCanBeStopped() throws {
    let script = try Script.sample()
    try script.run("function Quake:willSave() self.felt = 1 while true do end end local q = Quake { code = 'a' }")
    try script.engine.lua.setTimeLimit(seconds: 0.05)
    #expect(script.error("save()") == "the time limit was reached")
    script.engine.lua.clearInterrupt()
    try script.engine.lua.setTimeLimit(seconds: nil)
    #expect(try script.value("q.felt, context.hasChanges") == "nil true")
    try script.run("Quake.willSave = nil save()")
    #expect(try script.value("Quake:count()") == "1")
  }
}
