import Testing

@Suite struct ObjectTests {
  @Test func anObjectIsMadeWithItsValues() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1", magnitude = 5.1, time = Date "2024-01-22T16:26:12Z" }"#)
    #expect(try script.value("q.code, q.magnitude, q.time, q.place") == "us1 5.1 2024-01-22T16:26:12Z nil")
    #expect(
      try script.value("q.isInserted, q.hasChanges, q.isUpdated, q.isDeleted, q.isFault")
        == "true true false false false")
    #expect(try script.value("q") == #"Quake/t1 { code = "us1", magnitude = 5.1, time = Date "2024-01-22T16:26:12Z" }"#)
    try script.run("save()")
    #expect(try script.value("q.isInserted, q.hasChanges, q.objectID") == "false false Quake/1")
    #expect(try script.value("q.day") == "2024-01-22")
  }

  @Test func anObjectIsTheSameLuaValue() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1" } save()"#)
    #expect(
      try script.value(#"q == Quake:find "us1", rawequal(q, Quake:find "us1"), q == Quake:first()"#) == "true true true"
    )
    try script.run("local r = Report { text = 'felt it', quake = q } save()")
    #expect(try script.value("r.quake == q, q.reports[1] == r") == "true true")
  }

  @Test func everyTypeKeepsItsValue() throws {
    let script = try Script.sample()
    try script.run(
      #"""
      local e = Everything {
        i16 = -32768, i32 = 2147483647, i64 = math.maxinteger, decimal = Decimal "1.10", double = 0.1, float = 2.5,
        string = "Ōsaka", bool = true, date = Date "2024-01-22T16:26:12Z", uuid = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
        url = "https://example.org/a", data = "\0\xFF", json = { a = { 1, null, "x" }, b = true }, composite = { lat = 1.5, lon = 2 },
      }
      save()
      context:refreshAllObjects()
      """#)
    #expect(try script.value("e.i16, e.i32, e.i64 == math.maxinteger") == "-32768 2147483647 true")
    #expect(try script.value("e.decimal, e.double, e.float, e.string, e.bool") == "1.1 0.1 2.5 Ōsaka true")
    #expect(
      try script.value("e.date, e.uuid, e.url")
        == "2024-01-22T16:26:12Z E621E1F8-C36C-495A-93FC-0C247A3E6E5F https://example.org/a")
    #expect(try script.value(#"e.data == "\0\xFF""#) == "true")
    #expect(try script.value("e.json.a[1], e.json.a[2] == null, e.json.a[3], e.json.b") == "1 true x true")
    #expect(try script.value("e.composite.lat, e.composite.lon") == "1.5 2.0")
    #expect(try script.value("math.type(e.i64), math.type(e.double), type(e.date)") == "integer float userdata")
  }

  @Test func aToManyKeepsItsInverse() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1" } local a, b = Report { text = "a" }, Report { text = "b" }"#)
    try script.run("q.reports:add(a) q.reports:add(b)")
    #expect(try script.value("#q.reports, a.quake == q, q.reports[1].text, q.reports[3]") == "2 true a nil")
    try script.run("q.reports:remove(a)")
    #expect(try script.value("#q.reports, a.quake") == "1 nil")
    try script.run("q.reports = { a, b }")
    #expect(try script.value("#q.reports, a.quake == q") == "2 true")
    try script.run("q.reports = {}  a.quake = q")
    #expect(try script.value("#q.reports, q.reports[1] == a, b.quake") == "1 true nil")
    try script.run("local texts = {} for r in q.reports:each() do texts[#texts + 1] = r.text end")
    #expect(try script.value("table.concat(texts, ',')") == "a")
    #expect(try script.value("q.reports == q.reports, tostring(q.reports)") == "true Quake.reports: 1 × Report")
  }

  @Test func aManyToManyWorksFromBothSides() throws {
    let script = try Script.sample()
    try script.run(
      #"local q = Quake { code = "us1" } local s = Station { name = "ANMO" } s.quakes:add(q) save() context:reset()"#)
    #expect(try script.value(#"#Quake:find("us1").stations, Quake:first().stations[1].name"#) == "1 ANMO")
  }

  @Test func changedAndCommittedValuesTellTheDifference() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1", magnitude = 5 } save() q.magnitude = 6"#)
    #expect(
      try script.value("q:changedValues().magnitude, q:committedValues().magnitude, q:committedValues().code")
        == "6.0 5.0 us1")
    #expect(try script.value("q.isUpdated, context.hasChanges, #context.updatedObjects") == "true true 1")
    try script.run("context:rollback()")
    #expect(try script.value("q.magnitude, context.hasChanges") == "5.0 false")
  }

  @Test func valueFollowsKeyPathsAndAggregates() throws {
    let script = try Script.sample()
    try script.run(
      #"local q = Quake { code = "us1", time = Date "2024-01-22" } q.reports:add(Report { text = "x", score = 3 })"#)
    #expect(
      try script.value(#"q:value "reports.@count", q:value "code", q:value "reports.@sum.score", q:value "year(time)""#)
        == "1 us1 3 2024")
    #expect(try script.value(#"Object.value(q, "code")"#) == "us1")
    try script.run(#"q:set("code", "us2")"#)
    #expect(try script.value("q.code") == "us2")
  }

  @Test func aDeletedObjectIsGone() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1" } q.reports:add(Report { text = "x" }) save() q:delete()"#)
    #expect(try script.value("q.isDeleted, Quake:count(), Report:count()") == "true 0 0")
    try script.run("save()")
    #expect(try script.value("q.isDeleted, q") == "true Quake/1 (deleted)")
    #expect(script.error("return q.code") == "Quake/1 was deleted")
  }

  @Test func methodsAndComputedPropertiesBelongToAll() throws {
    let script = try Script.sample()
    try script.run(
      """
      function Quake:isMajor() return self.magnitude >= 7 end
      Quake.computed.year = function(self) return self.time.year end
      local q = Quake { magnitude = 7.5, time = Date "2024-01-22" }
      """)
    #expect(try script.value("q:isMajor(), q.year, Quake.isMajor ~= nil") == "true 2024 true")
    #expect(script.error("function Quake:find() end") == "Quake: 'find' is built in and cannot be redefined")
    #expect(script.error("Quake.delete = print") == "Quake: 'delete' is built in and cannot be redefined")
    #expect(script.error("q.year = 5") == "'year' of Quake, which is computed, cannot be set")
    try script.run("function Quake:isMajor() return 'no' end")
    #expect(try script.value("q:isMajor()") == "no")
  }

  @Test func pairsGivesPropertiesWithValues() throws {
    let script = try Script.sample()
    try script.run(
      #"local names = {} for name, value in pairs(Quake { code = "us1", magnitude = 5 }) do names[#names + 1] = name .. "=" .. tostring(value) end"#
    )
    #expect(try script.value("table.concat(names, ' ')") == "code=us1 magnitude=5.0")
  }

  @Test func aTransactionSavesOrUndoes() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1" }"#)
    #expect(
      script.error(#"context:transaction(function() Quake { code = "us2" } q.code = "us3" error("no", 0) end)"#) == "no"
    )
    #expect(try script.value("q.code, #context.insertedObjects, Quake:count()") == "us1 1 1")
    #expect(try script.value(#"context:transaction(function() q.magnitude = 1 return "done", 2 end)"#) == "done 2")
    #expect(try script.value("context.hasChanges, Quake:count()") == "false 1")
  }

  @Test func theDiffIsData() throws {
    let script = try Script.sample()
    try script.run(
      #"local a, b = Quake { code = "a", magnitude = 1 }, Quake { code = "b" } save() a.magnitude = 2 b:delete() local c = Quake { code = "c" }"#
    )
    try script.run("local d = context:diff()")
    #expect(
      try script.value("#d.inserted, d.inserted[1] == c, #d.updated, d.updated[1].object == a, d.deleted[1] == b")
        == "1 true 1 true true")
    #expect(
      try script.value("d.updated[1].changes[1].property, d.updated[1].changes[1].old, d.updated[1].changes[1].new")
        == "magnitude 1.0 2.0")
    #expect(
      try script.value("d")
        == "+ Quake/t3 { code = \"c\", magnitude = 0.0 }\n~ Quake a  magnitude: 1.0 → 2.0\n- Quake/2 (deleted)")
  }

  @Test func droppedObjectsAreCollected() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake:batchInsert((function() local n = 0 return function() n = n + 1 if n <= 20000 then return { code = "c" .. n, magnitude = n % 10 } end end end)())
      collectgarbage()
      local before, sum = collectgarbage("count"), 0
      for q in Quake:all():each() do sum = sum + q.magnitude end
      collectgarbage()
      local grown = collectgarbage("count") - before
      """)
    #expect(try script.value("sum, Quake:count()") == "90000.0 20000")
    #expect(try script.value("grown < 2000") == "true")
  }

  @Test func heldObjectsKeepTheirValuesWhileOthersStream() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 30000 do Quake { code = "c" .. i, magnitude = i % 10 } end
      save()
      context:reset()
      local kept = {}
      for q in Quake:all():sorted("code"):each() do if #kept < 100 then kept[#kept + 1] = { q, q.code } end end
      local wrong = 0
      for _, pair in ipairs(kept) do if pair[1].code ~= pair[2] then wrong = wrong + 1 end end
      """)
    #expect(try script.value("wrong, #kept, kept[1][1] == Quake:find(kept[1][2])") == "0 100 true")
  }
}
