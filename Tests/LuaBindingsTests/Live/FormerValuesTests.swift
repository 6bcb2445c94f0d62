import LuaBindings
import TestSupport
import Testing

/// The former values of updated objects, as observers receive them.
@Suite(.seeded) struct FormerValuesTests {
  private static func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      log = {}
      function text(v) return v == nil and "nil" or type(v) == "userdata" and tostring(v.text or v) or tostring(v) end
      function changes(entry)
        if not entry.changes then return "?" end
        local names = {}
        for name in pairs(entry.changes) do names[#names + 1] = name end
        table.sort(names)
        for i, name in ipairs(names) do
          local c = entry.changes[name]
          names[i] = name .. " " .. text(c.old) .. ">" .. text(c.new)
        end
        return table.concat(names, ",")
      end
      function take() local all = table.concat(log, "; ") log = {} return all end
      """)
    return script
  }

  @Test func anUpdatedRowTellsOldAndNewValues() throws {
    let script = try Self.script()
    try script.run(
      """
      r = Quake:all():sorted("code"):live()
      r:onChange(function(c)
        for _, list in ipairs { c.updated, c.moved } do
          for _, e in ipairs(list) do log[#log + 1] = c.kind .. " " .. e.object.code .. ": " .. changes(e) end
        end
      end)
      a, c = Quake:find "a", Quake:find "c"
      a.magnitude, a.felt = 7, 3
      save()
      """)
    #expect(try script.value("take()") == "save a: felt nil>3,magnitude 1.0>7.0")
    try script.run("store:sql \"UPDATE quake SET place = NULL, magnitude = magnitude WHERE code = 'c'\"")
    #expect(try script.value("take()") == "save c: place Japan>nil")
    try script.run("Quake:batchUpdate(\"code = 'c'\", { place = 'Peru' })")
    #expect(try script.value("take()") == "save c: place nil>Peru")
    try script.run("c.code = 'z' save()")
    #expect(try script.value("take()") == "save z: code c>z")
  }

  @Test func unsavedChangesAreToldFromWhatWasToldLast() throws {
    let script = try Self.script()
    try script.run(
      """
      r = Quake:all():sorted("code"):live()
      r:onChange(function(c) for _, e in ipairs(c.updated) do kept = e log[#log + 1] = c.kind .. " " .. changes(e) end end)
      a = Quake:find "a"
      """)
    try script.turn("a.magnitude = 5")
    #expect(try script.value("take()") == "pending magnitude 1.0>5.0")
    try script.turn("a.magnitude = 6 a.felt = 1")
    #expect(try script.value("take()") == "pending felt nil>1,magnitude 5.0>6.0")
    try script.run("a.magnitude = 6.5 save()")
    #expect(try script.value("take()") == "save magnitude 6.0>6.5")
    try script.turn("a.magnitude = 1")
    #expect(try script.value("take()") == "pending magnitude 6.5>1.0")
    try script.turn("rollback()")
    #expect(try script.value("take()") == "pending magnitude 1.0>6.5")
    // A kept report stays as it was, after any later changes.
    try script.turn("r:onChange(function(c) later = c end) a.magnitude = 2")
    try script.run("save() a.magnitude = 3 save()")
    try script.turn("a.magnitude = 4")
    try script.run("first = later save()")
    #expect(try script.value("changes(first.updated[1])") == "magnitude 3.0>4.0")
  }

  @Test func toOnesAreToldAsObjectsAndDatesAsDates() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity { code = String, time = Date, reports = ToMany "Report" { inverse = "quake" } },
        Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" }, id = UUID, price = Decimal },
      } }))
      q1, q2 = Quake { code = "one", time = Date(0) }, Quake { code = "two" }
      r = Report { text = "felt", quake = q1, id = UUID "00000000-0000-0000-0000-000000000001", price = Decimal "1.10" }
      save()
      Report:on("update", function(object, change) seen = change.changes end)
      Quake:all():live():onChange(function(c) time = c.updated[1] and c.updated[1].changes.time end)
      r.quake, r.price, q1.time, r.id = q2, Decimal "2.20", Date(60), UUID "00000000-0000-0000-0000-000000000002"
      save()
      """)
    #expect(
      try script.value(
        "seen.quake.old == q1, seen.quake.new == q2, seen.text, tostring(seen.price.old), time.new - time.old")
        == "true true nil 1.1 60.0")
    #expect(try script.value("seen.id.old") == "00000000-0000-0000-0000-000000000001")
    try script.run("r.quake = nil save()")
    #expect(try script.value("seen.quake.old == q2, seen.quake.new") == "true nil")
  }

  @Test func anObservedPathTellsBothInItsChange() throws {
    let script = try Self.script()
    try script.run(
      """
      Quake:find("a"):observe("magnitude", function(new, old, change)
        log[#log + 1] = change.cause .. " " .. change.changes.magnitude.old .. ">" .. change.changes.magnitude.new
          .. " " .. tostring(change.transaction.author) .. " " .. tostring(change.objectID == Quake:find("a").objectID)
      end)
      Quake:find("a").magnitude = 2
      save { author = "me" }
      """)
    #expect(try script.value("take()") == "save 1.0>2.0 me true")
  }

  @Test func groupsTellTheirFormerRow() throws {
    let script = try Self.script()
    try script.run(
      """
      g = Quake:all():grouped("place", { n = "count", top = "max(magnitude)" }):live()
      g:onChange(function(c) for _, e in ipairs(c.updated) do log[#log + 1] = e.values.place .. " " .. changes(e) end end)
      Quake { code = "f", place = "Chile", magnitude = 1 }
      save()
      """)
    #expect(try script.value("take()") == "Chile n 2>3")
  }

  @Test func whatAnotherProgramReplacedIsNotKnown() throws {
    let folder = try TemporaryFolder()
    let script = try Script()
    try script.run(
      """
      local path = "\(folder.path)/quakes.sqlite"
      use(open(path, { create = true, history = true, model = Model { Quake = Entity { code = String, magnitude = Double } } }))
      Quake { code = "a", magnitude = 1 }
      save()
      Quake:all():live():onChange(function(c) known = c.updated[1].changes ~= nil end)
      other = open(path)
      """)
    try script.turn("other:sql 'UPDATE quake SET magnitude = 2'")
    try script.turn("")
    #expect(try script.value("known") == "false")
  }

  /// Programs of random changes, turns, saves and rollbacks: each report is the difference to the last one.
  @Test(arguments: [false, true]) func tellsTheDifferenceToWhatWasToldLast(inChild: Bool) throws {
    for seed in 0..<(Effort.isLong ? 200 : 12) {
      let script = try Self.script()
      var random = SplitMix(seed: seed)
      try script.run(
        """
        math.randomseed(\(Int(random.next() >> 33)))
        local here = \(inChild) and context:newChild() or context
        local Here = here.entities.Quake
        local names = { "magnitude", "felt", "place" }
        local function state(q) return { magnitude = q.magnitude, felt = q.felt, place = q.place } end
        local results, shown, counted = Here:all():sorted("code"):live(), {}, {}
        for q in results:each() do shown[q.code], counted[q.code] = state(q), state(q) end
        local function compare(what, code, old, new, told)
          if not told then error(what .. " " .. code .. ": not known") end
          for _, name in ipairs(names) do
            local c = told[name]
            if old[name] == new[name] then
              if c then error(what .. " " .. code .. "." .. name .. ": told although equal") end
            elseif not c or c.old ~= old[name] or c.new ~= new[name] then
              error(("%s %s.%s: %s>%s, told %s>%s"):format(what, code, name, old[name], new[name], c and c.old, c and c.new))
            end
          end
        end
        told = 0
        results:onChange(function(change)
          for _, e in ipairs(change.updated) do
            local code, now = e.object.code, state(e.object)
            compare(change.kind, code, shown[code], now, e.changes)
            shown[code] = now
            told = told + 1
          end
          for _, e in ipairs(change.inserted) do shown[e.object.code] = state(e.object) end
        end)
        Here:on("update", function(q, change)
          local now = state(q)
          compare("on", q.code, counted[q.code], now, change.changes)
          counted[q.code] = now
        end)
        Here:on("insert", function(q) counted[q.code] = state(q) end)
        function step(number)
          local q = results[math.random(#results)]
          for _ = 1, math.random(3) do
            local name = names[math.random(3)]
            local value = name == "place" and ({ "Chile", "Japan" })[math.random(2)] or math.random(3)
            if math.random(5) == 1 then value = nil end
            q[name] = value
          end
          local what = math.random(8)
          if what <= 2 then here:save() elseif what == 3 then here:rollback()
          elseif what == 4 and not \(inChild) and not here.hasChanges then
            store:sql("UPDATE quake SET magnitude = ? WHERE code = ?", math.random(3), q.code)
          elseif what == 5 then Here { code = "n" .. number, magnitude = 1 }
          end
        end
        """)
      for number in 0..<40 {
        let errors = try script.turn("step(\(number))")
        #expect(errors.isEmpty, "seed \(seed), step \(number): \(errors)")
        if !errors.isEmpty { return }
      }
      #expect(try script.value("told > 3") == "true")
    }
  }
}
