import LuaBindings
import Testing

@Suite struct WorkbenchTests {
  /// Forty earthquakes with holes in their values, the last ten of them and some changes unsaved.
  private func quakes() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      math.randomseed(7)
      for i = 1, 40 do
        local q = Quake { code = "c" .. i, magnitude = math.random(0, 9), felt = math.random(3) > 1 and math.random(5) or nil,
                          place = math.random(4) > 1 and "p" .. math.random(5) or nil }
        for r = 1, math.random(0, 3) do q.reports:add(Report { text = "r" .. r, score = math.random(3) > 1 and r or nil }) end
        if i == 30 then save() end
      end
      Quake:first("code == 'c3'"):delete()
      for i = 5, 9 do Quake:find("c" .. i).felt = i % 2 == 0 and 3 or nil end
      """)
    return script
  }

  @Test func countsAreWhatEachObjectSays() throws {
    let script = try quakes()
    // Predicates of random clauses, counted by asking each object in turn.
    let wrong = try script.value(
      """
      (function()
        local clauses = { "magnitude > 4", "felt > 2", "felt == nil", "place == 'p1'", "place IN {'p2', 'p3'}",
          "ANY reports.score > 1", "reports.@count == 2", "NOT felt < 3", "felt + magnitude > 6", "place CONTAINS[c] 'P4'",
          "magnitude BETWEEN {2, 5}", "NOT (felt > 1 AND place != 'p1')", "(felt > 3 OR magnitude < 3)" }
        local wrong = {}
        for round = 1, 150 do
          local terms = {}
          for i = 1, math.random(4) do terms[i] = clauses[math.random(#clauses)] end
          local text = table.concat(terms, math.random(2) == 1 and " AND " or " OR ")
          if math.random(4) == 1 then text = "NOT (" .. text .. ")" end
          local p = Predicate(text)
          local counts = p:counts(Quake)
          local function tally(predicate)
            local t = { yes = 0, no = 0, neither = 0 }
            for q in Quake:all():each() do
              local answer = predicate:evaluate(q)
              local name = answer == nil and "neither" or answer and "yes" or "no"
              t[name] = t[name] + 1
            end
            return t.yes .. "/" .. t.no .. "/" .. t.neither
          end
          local function said(c) return c.yes .. "/" .. c.no .. "/" .. c.neither end
          if said(counts) ~= tally(p) then wrong[#wrong + 1] = text .. ": " .. said(counts) .. " for " .. tally(p) end
          if counts.yes ~= Quake:count(p) or counts.total ~= Quake:count() then wrong[#wrong + 1] = text .. ": count" end
          for _, clause in ipairs(counts.clauses) do
            if said(clause) ~= tally(clause.predicate) then wrong[#wrong + 1] = text .. ": " .. clause.text end
            local reasons = 0
            for _, reason in ipairs(clause.reasons) do reasons = reasons + reason.count end
            if reasons > clause.neither then wrong[#wrong + 1] = text .. ": reasons" end
          end
          for name, want in pairs { matches = true, misses = false } do
            for _, q in ipairs(counts.samples[name]) do
              if p:evaluate(q) ~= want then wrong[#wrong + 1] = text .. ": " .. name end
            end
          end
          for _, near in ipairs(counts.nearMisses) do
            for _, q in ipairs(near.objects) do
              for i, clause in ipairs(counts.clauses) do
                if (clause.predicate:evaluate(q) == true) == (i == near.clause) then wrong[#wrong + 1] = text .. ": near" end
              end
            end
          end
        end
        return table.concat(wrong, "\\n")
      end)()
      """)
    #expect(wrong == "")
  }

  @Test func countsAreToldInWords() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 6 do Quake { code = "c" .. i, magnitude = i, felt = i > 2 and i or nil } end
      save()
      """)
    #expect(
      try script.value("tostring(Quake:where('felt > 3 AND magnitude < 6'):counts())") == """
        Quake  6 objects
          felt > 3       3 yes  1 no  2 neither (felt is nil)
          magnitude < 6  5 yes  1 no
          both           2 yes  2 no  2 neither
        most selective: felt > 3 leaves 3
        matches      c4, c5
        misses       c3, c6
        neither      c1, c2
        near misses  3 fail only felt > 3: c1, c2, c3
        near misses  1 fails only magnitude < 6: c6
        hint: 2 are neither because felt is nil, and not selected; to include them write (felt == nil OR felt > 3)
        """)
  }

  @Test func aDifferenceIsThatOfTheSets() throws {
    let script = try quakes()
    let wrong = try script.value(
      """
      (function()
        local clauses = { "magnitude > 4", "felt > 2", "felt == nil", "place == 'p1'", "ANY reports.score > 1", "NOT felt < 3" }
        local wrong = {}
        for round = 1, 60 do
          local a, b = Quake:where(clauses[math.random(#clauses)]), Quake:where(clauses[math.random(#clauses)])
          if math.random(3) == 1 then a = a:sorted("magnitude", "code"):limit(math.random(8)):offset(math.random(0, 4)) end
          if math.random(5) == 1 then b = Quake:all() end
          local diff = a:diff(b)
          local inA, inB = {}, {}
          for q in a:each() do inA[q.code] = true end
          for q in b:each() do inB[q.code] = true end
          local want = { onlyHere = {}, onlyThere = {}, both = {} }
          for q in Quake:all():each() do
            local name = inA[q.code] and (inB[q.code] and "both" or "onlyHere") or inB[q.code] and "onlyThere"
            if name then table.insert(want[name], q.code) end
          end
          for name, codes in pairs(want) do
            local found = {}
            for q in diff[name]:each() do found[#found + 1] = q.code end
            table.sort(found) table.sort(codes)
            if table.concat(found, " ") ~= table.concat(codes, " ") or diff.counts[name] ~= #codes then
              wrong[#wrong + 1] = tostring(a) .. " / " .. tostring(b) .. ": " .. name
            end
          end
        end
        return table.concat(wrong, "\\n")
      end)()
      """)
    #expect(wrong == "")
    #expect(
      try script.value("tostring(Quake:where('code == %@', 'c1'):diff { 'code IN %@', { 'c1', 'c2' } })") == """
        Quake  0 only here, 1 only there, 1 in both
          only there  c2
          both        c1
        """)
    #expect(
      script.error("Quake:all():diff(Report:all())") == "request:diff: Quake and Report have no objects in common")
    #expect(script.error("Quake:all():diff()")?.contains("expected a request or a predicate, got no value") == true)
  }

  @Test func explanationsSayWhatWouldHelp() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 400 do Quake { code = "c" .. i, magnitude = i % 9, felt = i % 50 } end
      save()
      e = Quake:where("felt == 7"):explain()
      trial = Quake:where("felt == 7"):tryIndex()
      """)
    #expect(
      try script.value("e.words[1], e.warnings[1]") == "reads all of Quake (400 rows) reads all 400 Quake to find 8")
    #expect(
      try script.value("tostring(e.advice[1]), e.advice[1].sql")
        == "Quake: felt = Int { indexed = true } CREATE INDEX quake_felt_index ON quake (felt)")
    #expect(
      try script.value("tostring(e):find('advice: Quake: felt = Int { indexed = true }', 1, true) ~= nil") == "true")
    #expect(
      try script.value("trial.isUsed, trial.wordsAfter[1]") == "true finds Quake by index quake_felt_index (felt = ?)")
    #expect(try script.value("tostring(trial):find(' → ', 1, true) ~= nil") == "true")
    #expect(try script.value("Quake:where('felt == 7'):tryIndex('felt, -time').indexes[1].keys[2]") == "-time")
    #expect(script.error("Quake:all():tryIndex 'flet'") == "Quake has no property 'flet'; did you mean 'felt'?")
    #expect(script.error("Quake:where('place == %@', 'x'):tryIndex()")?.hasPrefix("no index would help") == true)
  }

  @Test func aTemplateIsARequestOfItsEntity() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity { magnitude = Double }, Other = Entity { name = String },
        _ = { templates = { big = { entity = "Quake", predicate = "magnitude >= $minimum" } } },
      } }))
      for i = 1, 4 do Quake { magnitude = i } end
      """)
    #expect(try script.value("Quake:template('big', { minimum = 3 }):count()") == "2")
    #expect(
      script.error("Other:template('big', { minimum = 3 })") == "Other:template: the template 'big' is one for Quake")
    #expect(script.error("Quake:template('bug')")?.hasSuffix("did you mean 'big'?") == true)
    #expect(script.error("Quake:template('big')") == "Quake:template: big: a value for $minimum is missing")
  }

  @Test func aLiveResultOfAWholeLargeTableIsToldOfBeforeItIsRead() throws {
    let script = try quakes()
    var told: [String] = []
    script.engine.host.largeResultWatch = LargeResultWatch(limit: 39) { told.append("\($0.name) \($1)") }
    try script.run("save() r = Quake:all():live()")
    #expect(told == ["Quake 39"])
    try script.run("w = Quake:all():limit(10):live() p = Quake:where('felt == 3'):live() c = Quake:all():fetch()")
    #expect(told.count == 1, "these may be small, or are not live")
    script.engine.host.largeResultWatch = LargeResultWatch(limit: 40) { told.append("\($0.name) \($1)") }
    try script.run("s = Quake:all():live()")
    #expect(told.count == 1)
  }

  @Test func slowReadsAreToldToWhoAsks() throws {
    let script = try quakes()
    var told: [String] = []
    script.engine.host.onSlowRead = { told.append($0.sentence(in: $1) ?? "") }
    try script.run("Quake:where('felt == 3'):count()")
    #expect(told.isEmpty)
    script.engine.reads.slowLimit = 0
    try script.run("save() told = Quake:where('felt == 3'):count()")
    #expect(told.count == 1)
    #expect(told[0].hasPrefix("read all 39 Quake in "))
    #expect(told[0].hasSuffix(" (no index on felt)"))
    try script.run("for q in Quake:where('felt == 3'):each() do end")
    #expect(told.count == 2)
    try script.run("local n = Quake:where('felt == 3'):sum 'magnitude'")
    #expect(told.count == 3)
    // Where no index would help there is nothing to advise.
    script.engine.host.onSlowRead = { read, context in
      if let sentence = read.sentence(in: context, onlyAdvice: true) { told.append(sentence) }
    }
    try script.run("for q in Quake:all():each() do end")
    #expect(told.count == 3)
    try script.run("local n = Quake:where('felt == 3'):count()")
    #expect(told.count == 4 && told[3].hasSuffix(" (no index on felt)"))
    script.engine.reads.slowLimit = nil
    try script.run("Quake:where('felt == 3'):count()")
    #expect(told.count == 4)
  }
}
