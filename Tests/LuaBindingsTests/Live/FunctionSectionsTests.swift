import LuaBindings
import TestSupport
import Testing

/// Sections that a script's functions and computed properties make.
@Suite(.seeded) struct FunctionSectionsTests {
  private static func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      calls = 0
      Quake.computed.size = function(q) calls = calls + 1 return q.magnitude >= 3 and "big" or "small" end
      function sections(r)
        local out = {}
        for i, s in ipairs { table.unpack(r:slice(1, #r)) } do out[i] = tostring(s.id) .. ":" .. codes(s) end
        return table.concat(out, " ")
      end
      """)
    return script
  }

  @Test func computedPropertiesAndFunctionsMakeSections() throws {
    let script = try Self.script()
    try script.run(
      """
      r = SectionedFetchRequest { entity = Quake, sectionIdentifier = "size", sortDescriptors = { "-magnitude" } }:live()
      f = SectionedFetchRequest { entity = Quake, sectionIdentifier = function(q) return q.magnitude % 2 end }:live()
      q = Query { entity = Quake, sectionBy = "size", sort = "code" }
      """)
    #expect(
      try script.value("sections(r), r.sectionIdentifier, #r, r:section('small').index") == "big:edc small:ba size 2 2")
    #expect(try script.value("sections(f), type(f.sectionIdentifier), f:section(1).id") == "1:ace 0:bd function 1")
    #expect(try script.value("codes(q), #q.sections, q.sections[1].id, codes(q.sections[1])") == "abcde 2 small ab")
    #expect(try script.value("table.concat({ r:indexOf(Quake:find 'b') }, '.')") == "2.1")
    #expect(try script.value("tostring(r.request)") == "Quake sorted by -magnitude in sections by size")
    try script.run(
      "r.sectionIdentifier = 'place' f.sectionIdentifier = nil q.sectionBy = function(x) return x.code end")
    #expect(try script.value("sections(r), #f, #q.sections") == "Chile:db Japan:eca 5 5")
    try script.run(
      "saved = r.configuration r.configuration = { sectionIdentifier = 'size' } other = sections(r) r.configuration = saved"
    )
    #expect(try script.value("other, sections(r)") == "small:ab big:cde Chile:db Japan:eca")
  }

  @Test func changesAreToldWithTheirSections() throws {
    let script = try Self.script()
    try script.run(
      """
      r = SectionedFetchRequest { entity = Quake, sectionIdentifier = "size", sortDescriptors = { "code" } }:live()
      r:onChange(tell)
      Quake:find("a").magnitude = 9
      save()
      """)
    #expect(
      try script.value("told()") == "save ^a:1.1>1.1 c:2.1>1.2 d:2.2>1.3 e:2.3>1.4 +s1=big -s2=big")
    #expect(try script.value("sections(r)") == "big:acde small:b")
    try script.turn("told() Quake:find('b').magnitude = 4")
    #expect(try script.value("sections(r), told():match '^pending'") == "big:abcde pending")
    try script.turn("rollback()")
    #expect(try script.value("sections(r)") == "big:acde small:b")
    try script.run("store:sql \"UPDATE quake SET magnitude = 1 WHERE code > 'c'\"")
    #expect(try script.value("sections(r)") == "big:ac small:bde")
  }

  @Test func onlyObjectsThatChangedAreAskedAgain() throws {
    let script = try Self.script()
    try script.run(
      "r = SectionedFetchRequest { entity = Quake, sectionIdentifier = 'size', sortDescriptors = { 'code' } }:live()")
    #expect(try script.value("calls") == "5")
    try script.turn("")
    try script.run("Quake:find('a').felt = 2 save()")
    #expect(try script.value("calls, sections(r)") == "6 small:ab big:cde")
    try script.run("Quake { code = 'f', magnitude = 3 } save()")
    try script.turn("Report { text = 'x' }")
    #expect(try script.value("calls") == "7")
    try script.run(
      """
      local e = r:explain()
      text, name, asked, method = tostring(e), e.sectionFunction, e.sectionCalls, e.method
      """)
    #expect(
      try script.value("name, asked == calls, method, text:find('Derived', 1, true) ~= nil")
        == "size true refetched true")
  }

  @Test func relatedObjectsCount() throws {
    let script = try Self.script()
    try script.run(
      """
      r = SectionedFetchRequest { entity = Quake, sectionIdentifier = function(q) return #q.reports end,
        sortDescriptors = { "code" } }:live()
      Report { text = "x", quake = Quake:find "c" }
      save()
      """)
    #expect(try script.value("sections(r)") == "0:abde 1:c")
    try script.run("store:sql 'DELETE FROM report'")
    #expect(try script.value("sections(r)") == "0:abcde")
  }

  @Test func mistakesAreNamedAndTheResultsRecover() throws {
    let script = try Self.script()
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = function() return print end }:live()")?
        .contains("it is to answer a value, and answered a function") == true)
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = function() error 'no' end }:live()")?
        .hasSuffix("no") == true)
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = 5 }")?.hasSuffix("got number") == true)
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = 'siz' }:live()")?.contains("'siz'")
        == true)
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = 'size' }:swift()")?.contains("size")
        == true)
    #expect(
      script.error("SectionedFetchRequest { entity = Quake, sectionIdentifier = 'size', resultType = 'count' }") != nil)
    try script.run(
      """
      bad = false
      r = SectionedFetchRequest { entity = Quake, sectionIdentifier = function(q) if bad then error "late" end return q.place end,
        sortDescriptors = { "code" } }:live()
      """)
    let errors = try script.turn("bad = true Quake:find('a').place = 'Peru'")
    #expect(errors.count == 1 && errors[0].contains("late"))
    try script.turn("bad = false")
    #expect(try script.value("sections(r)") == "Peru:a Chile:bd Japan:ce")
  }

  /// Random changes: the sections are those that the function makes of a fresh fetch, and applying the reports to a copy of
  /// the list gives the list.
  @Test(arguments: [false, true]) func sectionsStayWhatTheFunctionMakes(inChild: Bool) throws {
    for seed in 0..<(Effort.isLong ? 100 : 8) {
      let script = try Self.script()
      var random = SplitMix(seed: seed)
      try script.run(
        """
        math.randomseed(\(Int(random.next() >> 33)))
        here = \(inChild) and context:newChild() or context
        Here = here.entities.Quake
        local function section(q) return (q.place or "-") .. (q.magnitude or 0) // 2 end
        r = SectionedFetchRequest { entity = Here, sectionIdentifier = section, sortDescriptors = { "felt", "code" } }:live()
        shown = {}
        local function copy()
          local all = {}
          for i = 1, #r do
            local s = r[i]
            all[i] = { id = s.id }
            for j = 1, #s do all[i][j] = s[j].code end
          end
          return all
        end
        local function text(all)
          local out = {}
          for i, s in ipairs(all) do out[i] = s.id .. "(" .. table.concat(s, ",") .. ")" end
          return table.concat(out, " ")
        end
        shown = copy()
        -- As a program follows it: takes away from the highest place down, then puts in from the lowest up.
        local function follow(change)
          local gone, come = {}, {}
          for _, list in ipairs { change.deleted, change.moved } do
            for _, e in ipairs(list) do gone[#gone + 1] = e end
          end
          for _, list in ipairs { change.inserted, change.moved } do
            for _, e in ipairs(list) do come[#come + 1] = e end
          end
          table.sort(gone, function(a, b)
            if a.oldSection ~= b.oldSection then return a.oldSection > b.oldSection end
            return a.oldIndex > b.oldIndex
          end)
          for _, e in ipairs(gone) do table.remove(shown[e.oldSection], e.oldIndex) end
          for i = #change.deletedSections, 1, -1 do table.remove(shown, change.deletedSections[i].index) end
          for _, s in ipairs(change.insertedSections) do table.insert(shown, s.index, { id = s.id }) end
          table.sort(come, function(a, b)
            if a.section ~= b.section then return a.section < b.section end
            return a.index < b.index
          end)
          for _, e in ipairs(come) do table.insert(shown[e.section], e.index, e.object.code) end
        end
        r:onChange(follow)
        function fresh()
          local all, places = {}, {}
          for _, q in ipairs(Here:sorted("felt", "code"):fetch():slice(1, 1000)) do
            local id = section(q)
            if not places[id] then all[#all + 1] = { id = id } places[id] = #all end
            local s = all[places[id]]
            s[#s + 1] = q.code
          end
          return text(all)
        end
        function check()
          local now, want = text(copy()), fresh()
          if now ~= want then error("shows " .. now .. "\\nwants " .. want) end
          if text(shown) ~= now then error("told " .. text(shown) .. "\\nshows " .. now) end
        end
        function step(number)
          local all = Here:all():fetch()
          local q = all[math.random(#all)]
          local what = math.random(9)
          if what <= 3 then q.magnitude = math.random(0, 9)
          elseif what == 4 then q.place = ({ "Chile", "Japan", "Peru" })[math.random(3)]
          elseif what == 5 then q.felt = math.random(4)
          elseif what == 6 then Here { code = "n" .. number, magnitude = math.random(0, 9) }
          elseif what == 7 and #all > 3 then q:delete()
          elseif what == 8 then here:rollback()
          else here:save() end
        end
        """)
      for number in 0..<30 {
        var errors = try script.turn("step(\(number))")
        errors += try script.turn("check()")
        #expect(errors.isEmpty, "seed \(seed), step \(number): \(errors)")
        if !errors.isEmpty { return }
      }
    }
  }
}
