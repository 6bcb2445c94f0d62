import LuaBindings
import Testing

@Suite struct LiveLifetimeTests {
  @Test func oneWithoutCallbacksIsCollectedAndOneWithThemIsNot() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local weak, heard = setmetatable({}, { __mode = "v" }), 0
      weak.plain = Quake:all():live()
      do
        local observed = Quake:all():live()
        token = observed:onChange(function() heard = heard + 1 end)
        observed = nil
      end
      collectgarbage() collectgarbage()
      """)
    #expect(try script.value("weak.plain") == "nil")
    try script.run("Quake { code = 'f' } save()")
    #expect(try script.value("heard") == "1")
    try script.run("token = nil collectgarbage() collectgarbage() Quake { code = 'g' } save()")
    #expect(try script.value("heard") == "2")
  }

  @Test func aCancelledTokenEndsTheCalls() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, n = Quake:all():live(), 0
      local token = r:onChange(function() n = n + 1 end)
      do local closing <close> = r:onChange(function() n = n + 100 end) end
      Quake { code = "f" } save()
      token:cancel() token:cancel()
      Quake { code = "g" } save()
      """)
    #expect(try script.value("n, tostring(token), #r") == "1 cancelled observation 7")
  }

  @Test func aCallbackThatCancelsTheNextIsItsLast() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, seen, second = Quake:all():live(), {}
      r:onChange(function() seen[#seen + 1] = "a" second:cancel() end)
      second = r:onChange(function() seen[#seen + 1] = "b" end)
      r:onChange(function() seen[#seen + 1] = "c" r:close() end)
      r:onChange(function() seen[#seen + 1] = "d" end)
      Quake { code = "f" } save()
      Quake { code = "g" } save()
      """)
    #expect(try script.value("table.concat(seen)") == "ac")
  }

  @Test func anErrorIsToldAndStopsNothing() throws {
    let script = try Script.quakes()
    let errors = try script.turn(
      """
      local r, n = Quake:all():live(), 0
      r:onChange(function() error("first", 0) end)
      r:onChange(function() n = n + 1 end)
      Quake:on("insert", function() error("second", 0) end)
      Quake { code = "f" }
      save()
      """)
    #expect(errors == ["first", "second"])
    #expect(try script.value("n, #r") == "1 6")
    #expect(script.engine.turns.end().isEmpty)
  }

  @Test func observersWithoutRestAreNamedOutOfTheSaveThatBeganThem() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, n = Quake:all():live(), 0
      r:onChange(function() n = n + 1 Quake { code = "x" .. n } save() end)
      """)
    let message = script.error("Quake { code = 'f' } save()")
    #expect(message?.contains("Quake:live") == true && message?.contains("100 rounds") == true)
    #expect(try script.value("n, Quake:exists 'code == \"f\"'") == "100 true")
    #expect(try script.value("#r == Quake:count()") == "true")
  }

  @Test func memoryOfResultsCountsForTheLimitAndIsGivenBack() throws {
    var options = Engine.Options()
    options.memoryLimit = 6 << 20
    let script = try Script(options)
    try script.run(
      """
      use(open(":memory:", { model = Model { Quake = Entity { code = String } } }))
      local rows = {}
      for i = 1, 2000 do rows[i] = { code = "r" .. i } end
      Quake:batchInsert(rows)
      rows = nil
      """)
    try script.run("for i = 1, 150 do local r = Quake:all():live() end")
    #expect(
      script.error("kept = {} for i = 1, 150 do kept[i] = Quake:all():live() end")?.contains("not enough memory")
        == true)
  }

  @Test func anEngineIsLetGoWithWhatIsLiveInIt() throws {
    weak var engine: Engine?
    do {
      let script = try Script.quakes()
      engine = script.engine
      try script.run(
        """
        local r = Quake:all():live()
        r:onChange(function() return r end)
        Quake:on("update", function() return r end)
        local q = Quake:find "a"
        q:observe("magnitude", function() return q end)
        context:on("objectsDidChange", function() return r end)
        """)
    }
    #expect(engine == nil)
  }
}
