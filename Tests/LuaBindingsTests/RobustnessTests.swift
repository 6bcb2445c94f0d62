import LuaBindings
import Testing

/// What a script does wrong is an error, and nothing else.
@Suite struct RobustnessTests {
  @Test func aStoreMayBeClosedInTheMiddleOfAnything() throws {
    for chunk in [
      "for q in Quake:all():each() do store:close() local _ = q.code end",
      "Quake:batchInsert(function() store:close() return { code = 'x' } end)",
      "context:transaction(function() Quake { code = 'x' } store:close() end)",
      "local r = Quake:all():fetch() store:close() for q in r:each() do end",
      "local q = Quake:first() local c = q.reports store:close() return #c",
      "local q = Quake:first() store:close() q.magnitude = 5",
      "local q = Quake:first() store:close() q:delete()",
      "store:close() context:save()",
      "store:close() store:sql 'SELECT 1'",
      "store:close() return Quake:find 'a'",
      "local r = Quake:all() store:close() r:explain()",
    ] {
      let script = try Script.sample()
      try script.run("for i = 1, 3 do Quake { code = 'c' .. i } end save() context:reset()")
      let message = script.error(chunk) ?? "no error"
      #expect(message.contains("closed"), "\(chunk): \(message)")
    }
  }

  @Test func objectsOutliveTheirStore() throws {
    let script = try Script.sample()
    try script.run(
      "local q = Quake { code = 'a' } save() store:close() store = nil context = nil Quake = nil collectgarbage() collectgarbage()"
    )
    #expect(script.error("return q.code") == "Quake: the store is closed")
    #expect(script.error("return #q.reports") == "Quake: the store is closed")
  }

  @Test func writingDuringALoopDoesNoHarm() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 50 do Quake { code = 'c' .. i, magnitude = 1 } end save() context:reset()
      local n = 0
      for q in Quake:all():each() do
        n = n + 1
        if n % 10 == 0 then q:delete() save() elseif n % 7 == 0 then context:rollback() else q.magnitude = n % 9 end
        if n % 20 == 0 then context:reset() end
      end
      context:rollback()
      """)
    #expect(try script.value("n, Quake:count()") == "50 45")
  }

  @Test func extremeNumbersAreRefusedOrHarmless() throws {
    let script = try Script.sample()
    for chunk in [
      "return #Quake:all():page(math.maxinteger, math.maxinteger)", "return #Quake:all():page(2, math.maxinteger)",
      "return Quake:all():limit(math.maxinteger):count()", "return Quake:all():offset(math.maxinteger):count()",
      "return #Quake:all():fetch():slice(math.mininteger, math.maxinteger)",
      "return Quake:all():fetch()[math.mininteger]",
      "return tostring(Date(1e300))", "return Date(1e300).year", "return tostring(Decimal '1e100' * Decimal '1e100')",
      "return Quake { code = 'x', felt = math.mininteger }.felt",
    ] {
      #expect(script.error(chunk) == nil, "\(chunk): \(script.error(chunk) ?? "")")
    }
    #expect(script.error("Quake:all():limit(-1)")?.contains("fetchLimit is -1") == true)
    #expect(script.error("Quake:all():limit(1.5)") == "request:limit: expected an integer, got 1.5")
    #expect(script.error("Date(0/0)")?.contains("is not a finite number of seconds") == true)
    #expect(script.error("local t = {} t[1] = t; return Predicate('a IN %@', t)")?.contains("contains itself") == true)
  }

  @Test func methodsOfOtherThingsAreErrors() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a' }")
    #expect(script.error("q.delete(5)") == "Object:delete: expected an object, got number")
    #expect(script.error("Quake.where(5, 'x')")?.contains("Entity expected, got number") == true)
    #expect(script.error("getmetatable(q).__index(5, 'x')") != nil)
    #expect(script.error("return q[5]") == "Quake: expected the name of a property, got number")
    // A property is of objects, and an option of a declaration is no member.
    #expect(script.error("return Quake.place") == "Quake has no 'place'; its objects have one: Quake:first().place")
    #expect(script.error("return Quake.order") == "Quake has no 'order'; did you mean 'sorted'?")
    #expect(
      script.error("return Quake[5]") == "Quake has no '[5]'; did you mean 'all'?"
        || script.error("return Quake[5]")?.hasPrefix("Quake has no '[5]'") == true)
    #expect(script.error("setmetatable({}, { __gc = print })") != nil)
    #expect(script.error("return q + 1") != nil)
    #expect(script.error("return #q") != nil)
  }

  @Test func coroutinesMayHoldLoops() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 5 do Quake { code = 'c' .. i, magnitude = i } end save()
      local next = coroutine.wrap(function() for q in Quake:all():sorted("magnitude"):each() do coroutine.yield(q) end end)
      local a, b = next(), next()
      """)
    #expect(try script.value("a.code, b.code, next().code") == "c1 c2 c3")
  }

  @Test func aHundredThousandObjects() throws {
    let script = try Script.sample()
    try script.run(
      """
      local n = 0
      Quake:batchInsert(function() n = n + 1 if n <= 100000 then return { code = "c" .. n, magnitude = n % 10 } end end)
      local sum, kept = 0, {}
      for q in Quake:all():each() do sum = sum + q.magnitude if n % 1000 == 0 then kept[#kept + 1] = q end end
      local result = Quake:all():sorted("-magnitude", "code"):fetch()
      """)
    #expect(
      try script.value("sum, #result, result[1].magnitude, result[100000].magnitude") == "450000.0 100000 9.0 0.0")
  }
}
