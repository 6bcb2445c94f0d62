import LuaBindings
import Testing

@Suite struct FaultTests {
  private func sample() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 1000 do
        local q = Quake { code = "c" .. i, felt = i }
        for j = 1, i % 3 do Report { text = i .. "." .. j, quake = q } end
      end
      save()
      local other = store:newContext()
      local Quake, Report = other.entities.Quake, other.entities.Report
      local function statements()
        local s = other.statistics
        return s.faultStatements + s.memberStatements + s.countStatements
      end
      """)
    return script
  }

  @Test func aLoopOverToManysFiresAFewStatements() throws {
    for loop in ["Quake:all():each()", "Quake:all():fetch():each()", "Quake:all():sorted('-felt'):fetch():each()"] {
      let script = try sample()
      try script.run(
        "local n = 0 for q in \(loop) do for r in q.reports:each() do if r.quake == q then n = n + 1 end end end")
      #expect(try script.value("n") == "1000")
      #expect(try script.value("other.statistics.memberStatements <= 12") == "true", "\(loop)")
      let counting = try sample()
      try counting.run("local n = 0 for q in \(loop) do n = n + #q.reports end")
      #expect(try counting.value("n") == "1000")
      #expect(try counting.value("other.statistics.countStatements <= 12") == "true", "\(loop)")
      #expect(try counting.value("other.statistics.rowsRead <= 1000") == "true")
    }
  }

  @Test func aLoopOverToOnesFiresAFewStatements() throws {
    for loop in ["Report:all():each()", "Report:all():fetch():each()"] {
      let script = try sample()
      try script.run("local n = 0 for r in \(loop) do n = n + r.quake.felt end")
      #expect(try script.value("n") == "500167")
      #expect(try script.value("statements() <= 30") == "true", "\(loop)")
    }
  }

  @Test func prefetchingLeavesNothingToAsk() throws {
    let script = try sample()
    try script.run(
      """
      local request = FetchRequest { entity = Quake, relationshipKeyPathsForPrefetching = { "reports" } }
      local result = request:fetch()
      local before = statements()
      local n = 0
      for q in result:each() do for r in q.reports:each() do n = n + #r.text * 0 + 1 end n = n + #q.reports end
      """)
    #expect(try script.value("n, statements() - before") == "2000 0")
  }

  @Test func subentitiesAreReadTogetherToo() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Vehicle = Entity { plate = String, owner = ToOne "Person" { inverse = "vehicles" }, _ = { abstract = true } },
        Car = Entity { doors = Int, trips = ToMany "Trip" { inverse = "car" }, _ = { parent = "Vehicle" } },
        Truck = Entity { load = Double, _ = { parent = "Vehicle" } },
        Person = Entity { name = String, vehicles = ToMany "Vehicle" { inverse = "owner" } },
        Trip = Entity { km = Int, car = ToOne "Car" { inverse = "trips" } },
      } }))
      for i = 1, 400 do
        local p = Person { name = "p" .. i }
        local c = Car { plate = "C" .. i, doors = i % 5, owner = p }
        Truck { plate = "T" .. i, load = i, owner = p }
        Trip { km = i, car = c }
      end
      save()
      local function all(entity, options)
        options.entity = entity
        return FetchRequest(options)
      end
      local function read(context, request)
        local before = context.statistics
        local n = 0
        for v in request:each() do
          if v.owner.name and v.entity.name == "Car" then n = n + #v.trips + v.trips[1].km * 0 else n = n + 1 end
        end
        local after, statements = context.statistics, 0
        for name, number in pairs(after) do
          if name:find("Statements") then statements = statements + number - before[name] end
        end
        return n, statements
      end
      """)
    try script.run("local a = store:newContext() local n, statements = read(a, a.entities.Vehicle:all())")
    #expect(try script.value("n, statements < 60") == "800 true")
    try script.run(
      "local b = store:newContext() n, statements = read(b, b.entities.Vehicle:all():sorted('-plate'):fetch())")
    #expect(try script.value("n, statements < 60") == "800 true")
    try script.run(
      """
      local c = store:newContext()
      local people = all(c.entities.Person, { relationshipKeyPathsForPrefetching = { "vehicles.owner" } }):fetch()
      local before, m = c.statistics.faultStatements + c.statistics.memberStatements, 0
      for p in people:each() do for v in p.vehicles:each() do if v.owner == p and v.plate then m = m + 1 end end end
      """)
    #expect(try script.value("m, c.statistics.faultStatements + c.statistics.memberStatements - before") == "800 0")
  }

  @Test func statisticsNameTheLinesThatAskOften() throws {
    let script = try sample()
    try script.run(
      """
      other.recordsStatistics = true
      local codes = {}
      for i = 1, 40 do codes[i] = "c" .. (i * 7) end
      for _, code in ipairs(codes) do
        local q = Quake:find(code)
        local _ = q.reports[1]
      end
      local s = other.statistics
      """)
    #expect(
      try script.value("s.memberStatements, s.lines[2].line, s.lines[2].kind, s.lines[2].relationship")
        == "40 test:6 members reports")
    #expect(
      try script.value("s.lines[2].sentence")
        == "test:6 fired 40 statements for the members of Quake.reports: prefetch it with relationshipKeyPathsForPrefetching = { \"reports\" }"
    )
    #expect(try script.value("tostring(s):find('memberStatements: 40', 1, true) ~= nil") == "true")
    try script.run("other.recordsStatistics = false")
    #expect(try script.value("#other.statistics.lines, other.recordsStatistics") == "0 false")
    #expect(try script.value("context.statistics.memberStatements") == "0")
  }

  @Test func aRowThatIsGoneIsAnErrorOrADeletedObject() throws {
    let script = try sample()
    try script.run("local q = Quake:all():fetch()[5] store:sql 'DELETE FROM report' store:sql 'DELETE FROM quake'")
    #expect(script.error("return q.code")?.hasPrefix("there is no Quake ") == true)
    #expect(try script.value("q.isDeleted, other.shouldDeleteInaccessibleFaults") == "true false")
    try script.run("other.shouldDeleteInaccessibleFaults = true")
    #expect(try script.value("q.code, #q.reports, q.isDeleted") == "nil 0 true")
    #expect(script.error("q.felt = 1")?.contains("was deleted") == true)
    #expect(script.error("q:delete()")?.contains("was deleted") == true)
    #expect(script.error("other.shouldDeleteInaccessibleFaults = 'x'")?.contains("expected a boolean") == true)
  }

  @Test func afterAResetObjectsAreReadAgainAndUnsavedOnesAreGone() throws {
    let script = try sample()
    try script.run(
      """
      local q, new = Quake:find "c1", Quake { code = "new" }
      local reports = q.reports
      q.felt = 77
      other:reset()
      """)
    #expect(
      try script.value("q.felt, q.isFault, #reports, q == Quake:find 'c1', other.hasChanges") == "1 false 1 true false")
    #expect(script.error("return new.code")?.contains("was deleted") == true)
    #expect(try script.value("new.isDeleted") == "true")
  }

  @Test func transientsAreKeptByASaveAndResetByARefresh() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Item = Entity { name = String, note = String { transient = true, default = "none" } },
      } }))
      local i = Item { name = "a" }
      i.note = "seen"
      save()
      """)
    #expect(try script.value("i.note") == "seen")
    try script.run("i:refresh()")
    #expect(try script.value("i.note") == "none")
    try script.run("i.note = 'again' context:refreshAllObjects()")
    #expect(try script.value("i.note") == "none")
    try script.run("i.note = 'again' i.name = 'b' context:refreshAllObjects()")
    #expect(try script.value("i.note, i.name") == "again b")
  }
}
