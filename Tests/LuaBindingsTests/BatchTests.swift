import LuaBindings
import TestSupport
import Testing

@Suite(.seeded) struct BatchTests {
  @Test func rowsComeFromAnyIterator() throws {
    let script = try Script.sample()
    try script.run(
      """
      local rows = { { code = "a" }, { code = "b", magnitude = 2 } }
      local n = Quake:batchInsert(rows)
      n = n + Quake:batchInsert(ipairs { { code = "c" }, { code = "d" } })
      n = n + Quake:batchInsert(pairs { x = { code = "e" } })
      n = n + Quake:batchInsert(coroutine.wrap(function() for i = 1, 3 do coroutine.yield { code = "co" .. i } end end))
      n = n + Station:batchInsert(Quake:all():each(), { map = {
        code = "name", magnitude = false, place = false, time = false, day = false, felt = false, isReviewed = false } })
      """)
    #expect(try script.value("n, Quake:count(), Station:count(), Station:exists('name == %@', 'co2')") == "16 8 8 true")
    #expect(
      script.error("Quake:batchInsert(5)")
        == "Quake:batchInsert: expected a list of rows, an iterator, a request or a result, got number")
  }

  @Test func rowsOfRequestsAndResultsAreCopiedByName() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 5 do Quake { code = "c" .. i, magnitude = i, felt = i % 2 } end
      save()
      local copied = Station:batchInsert(Quake:where("felt == 1"), { map = { code = "name" } })
      local counted = Report:batchInsert(
        FetchRequest { entity = Quake, resultType = "dictionaries", propertiesToGroupBy = { "felt" },
          propertiesToFetch = { "felt", n = "count" } },
        { map = { felt = false, n = "score" } })
      """)
    #expect(try script.value("copied, counted, Station:count(), Report:all():sum 'score'") == "3 2 3 5")
    #expect(try script.value("Station:exists('name == %@', 'c5')") == "true")
    #expect(
      script.error("Station:batchInsert(Quake:all(), { map = { cod = 'name' } })")
        == "Quake:batchInsert: map: Quake has no property 'cod'; did you mean 'code'?"
        || script.error("Station:batchInsert(Quake:all(), { map = { cod = 'name' } })")
          == "Station:batchInsert: map: Quake has no property 'cod'; did you mean 'code'?"
    )
  }

  @Test func aRequestOfTheEntityItselfEnds() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 500 do Report { text = "t" .. i, score = i } end
      save()
      local first = Report:batchInsert(Report:all())
      local second = Report:batchInsert(Report:where("score <= 10"):fetch())
      Report { text = "unsaved" }
      local third = Report:batchInsert(Report:where("text == 'unsaved'"))
      """)
    #expect(try script.value("first, second, third, Report:count()") == "500 20 1 1022")
  }

  @Test func upsertChangesOnlyWhatIsGiven() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake { code = "a", magnitude = 1, place = "Chile" }
      save()
      local held = Quake:find "a"
      local _ = held.magnitude
      local ids = Quake:batchInsert({ { code = "a", magnitude = 5 }, { code = "b" } }, { upsert = "code", resultType = "objectIDs" })
      """)
    #expect(try script.value("#ids, ids[1] == held.objectID, held.magnitude, held.place") == "2 true 5.0 Chile")
    #expect(try script.value("Quake:count(), Quake:find('b').magnitude") == "2 0.0")
    #expect(
      script.error("Quake:batchInsert({ { magnitude = 1 } }, { upsert = 'code' })") == "row 1: Quake is found by code")
    #expect(
      script.error("Quake:batchInsert({}, { upsert = 'place' })")
        == "Quake:batchInsert: upsert: Quake.place is not unique; unique are: code")
    #expect(
      script.error("Quake:batchInsert({}, { upsert = 'cod' })")
        == "Quake:batchInsert: upsert: Quake has no property 'cod'; did you mean 'code'?")
    try script.run("held.magnitude = 6")
    #expect(
      script.error("Quake:batchInsert({ { code = 'b' }, { code = 'a', felt = 1 } }, { upsert = 'code' })")?
        .hasPrefix("row 2: the batch request touches 1 object of Quake with unsaved changes") == true)
  }

  @Test(arguments: 1...6) func upsertsAgreeWithAPlainTable(seed: Int) throws {
    let script = try Script.sample()
    try script.run(
      """
      math.randomseed(\(Seed.drawn(seed)))
      local plain, held = {}, {}
      for round = 1, 40 do
        local rows, expected = {}, {}
        for code, row in pairs(plain) do expected[code] = { magnitude = row.magnitude, felt = row.felt } end
        local isWrong = false
        for i = 1, math.random(0, 6) do
          local row = { code = "c" .. math.random(8) }
          if math.random(2) == 1 then row.magnitude = math.random(0, 11) + 0.0 end
          if math.random(2) == 1 then row.felt = math.random(100) end
          if math.random(8) == 1 then row.felt = null end
          rows[i] = row
          if row.magnitude and row.magnitude > 10 then isWrong = true end
          local known = expected[row.code] or { magnitude = 0.0 }
          expected[row.code] = known
          known.magnitude = row.magnitude or known.magnitude
          if row.felt == null then known.felt = nil elseif row.felt then known.felt = row.felt end
        end
        local source = rows
        if round % 3 == 1 then
          source = coroutine.wrap(function() for _, row in ipairs(rows) do coroutine.yield(row) end end)
        end
        if math.random(2) == 1 then held = Quake:all():fetch() for q in held:each() do local _ = q.magnitude end end
        local isFine, message = pcall(Quake.batchInsert, Quake, source, { upsert = "code" })
        assert(isFine ~= isWrong, message)
        if isFine then plain = expected end
        local count = 0
        for code, row in pairs(plain) do
          count = count + 1
          local quake = Quake:find(code)
          assert(quake.magnitude == row.magnitude and quake.felt == row.felt, code)
        end
        assert(Quake:count() == count)
      end
      """)
  }

  @Test func severalPropertiesMayBeUniqueTogether() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Network = Entity { code = String { unique = true } },
        Station = Entity { network = ToOne "Network", code = String, height = Int, _ = { unique = { { "network", "code" } } } },
      } }))
      Network { code = "us" } save()
      local map = { net = "network.code" }
      local first = Station:batchInsert({ { net = "us", code = "X", height = 1 }, { net = "us", code = "Y" } }, { map = map })
      Station:batchInsert({ { net = "us", code = "X", height = 2 } }, { map = map, upsert = { "network", "code" } })
      """)
    #expect(try script.value("first, Station:count(), Station:first('code == %@', 'X').height") == "2 2 2")
    #expect(
      script.error("Station:batchInsert({ { net = 'uk' } }, { map = map })")
        == "row 1: Station.network: there is no Network with code \"uk\"")
  }

  @Test func everyRowKeepsTheRulesOrNoneIsWritten() throws {
    let script = try Script.sample()
    #expect(
      script.error("Quake:batchInsert { { code = 'a' }, { code = 'b', magnitude = 11 } }")
        == "Quake in row 2: magnitude is 11.0, more than 10.0")
    #expect(
      script.error("Quake:batchInsert { { code = 'a' }, { code = 'b', magnitude = 'x' } }")
        == "row 2: Quake.magnitude: expected Double, got String (\"x\")")
    #expect(
      script.error("Quake:batchInsert { { code = 'a' }, { code = 'a' } }")
        == "row 2: there is another Quake with code = \"a\"")
    #expect(
      script.error("Quake:batchInsert { { code = 'a' }, { cod = 'a' } }")
        == "row 2: Quake has no property 'cod'; did you mean 'code'?")
    #expect(script.error("Station:batchInsert { {} }") == "Station in row 1: name is missing")
    #expect(
      script.error("Report:batchInsert { { quake = Station { name = 's' } } }")
        == "row 1: Report.quake: expected a Quake, got a Station")
    #expect(
      script.error(
        "local n = 0 Quake:batchInsert(function() n = n + 1 if n == 3 then error('stop') end return { code = 'c' .. n } end)"
      )?
      .contains("stop") == true)
    #expect(try script.value("Quake:count(), Station:count({ 'name != %@', 's' })") == "0 0")
    #expect(script.error("Quake:batchUpdate(nil, { magnitude = 11 })") == "Quake: magnitude is 11.0, more than 10.0")
  }

  @Test func updatesAndDeletesAnswerObjectIDs() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 4 do Quake { code = "c" .. i, magnitude = i } end
      save()
      local changed = Quake:batchUpdate("magnitude > 2", { felt = 1 }, { resultType = "objectIDs" })
      local deleted = Quake:batchDelete("magnitude < %@", 2, { resultType = "objectIDs" })
      local listed = Quake:batchDelete("code IN %@", { "c2", "x" })
      local more = Quake:all():update({ felt = 2 }, { resultType = "objectIDs" })
      local rest = Quake:all():delete { resultType = "objectIDs" }
      """)
    #expect(try script.value("#changed, #deleted, listed, #more, #rest, deleted[1].entityName") == "2 1 1 2 2 Quake")
  }

  @Test func allContextsOfTheStoreSeeIt() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake { code = "a", magnitude = 1 } save()
      local quake = Quake:find "a"
      Report { text = "felt", quake = quake } save()
      local other = store:newContext()
      local mine, theirs = Quake:find "a", other.entities.Quake:find "a"
      local report = other.entities.Report:first()
      local _ = mine.magnitude + theirs.magnitude + #theirs.reports, report.text
      Quake:batchUpdate(nil, { magnitude = 7 })
      local seen = mine.magnitude + theirs.magnitude
      Report:batchInsert { { text = "x", quake = mine } }
      local reports = #theirs.reports + #mine.reports
      Quake:all():delete()
      """)
    #expect(
      try script.value("seen, reports, mine.isDeleted, theirs.isDeleted, report.isDeleted") == "14.0 4 true true true")
    #expect(script.error("return theirs.magnitude") == "Quake/1 was deleted")
  }

  @Test func nothingElseIsWrittenWhileRowsAreRead() throws {
    let script = try Script.sample()
    for write in [
      "Quake { code = 'x' } save()", "context:transaction(function() end)", "Report:batchInsert { { text = 'x' } }",
      "store:newContext():save()",
    ] {
      #expect(
        script.error("Quake:batchInsert(function() \(write) return { code = 'y' } end)")?
          .contains("the rows of a batch insert are being read; save afterwards") == true)
      try script.run("context:rollback()")
    }
    #expect(try script.value("Quake:count(), Report:count()") == "0 0")
    try script.run("Quake { code = 'x' } save()")
    #expect(try script.value("Quake:count()") == "1")
  }

  @Test func manyRowsOfAnIteratorTakeNoMemory() throws {
    let script = try Script.sample()
    try script.run(
      """
      local n, most = 0, 0
      Quake:batchInsert(function()
        n = n + 1
        if n % 1000 == 0 then most = math.max(most, collectgarbage "count") end
        if n <= 50000 then return { code = "c" .. n } end
      end)
      """)
    #expect(try script.value("Quake:count(), most < 20000") == "50000 true")
  }
}
