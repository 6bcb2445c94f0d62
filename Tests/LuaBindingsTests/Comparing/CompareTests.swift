import LuaBindings
import TestSupport
import Testing

@Suite struct CompareTests {
  /// Two stores with the sample model: `store` and `other`, with the entities of `other` in `o`.
  private func stores(_ first: String = "", _ second: String = "") throws -> Script {
    let script = try Script.sample()
    try script.run("other = open(':memory:', { model = store.model }) o = other.entities")
    try script.run("\(first) save() \(second) other.context:save()")
    return script
  }

  @Test func objectsAreTheSameByTheirUniqueAttributeWhateverTheirKey() throws {
    let script = try stores(
      "Quake { code = 'a', magnitude = 1 } Quake { code = 'b', magnitude = 2 } Quake { code = 'c' }",
      "o.Quake { code = 'd' } o.Quake { code = 'c' } o.Quake { code = 'b', magnitude = 3, place = 'here' }")
    #expect(
      try script.value("store:compare(other, { entities = { 'Quake' } })") == """
        Quake by code: 1 inserted, 1 deleted, 1 updated, 1 equal
          - Quake a { code = "a", magnitude = 1.0 }
          ~ Quake b: magnitude 2.0 → 3.0, place nil → "here"
          + Quake d { code = "d", magnitude = 0.0 }
        """)
    #expect(
      try script.value(
        "(function() local u = store:compare(other).updated[1] return u.object.place, u.oldObject.magnitude, u.identity[1] end)()"
      ) == "here 2.0 b")
  }

  @Test func longValuesOfAnObjectThatOneStoreHasAreCut() throws {
    let script = try stores("", "o.Everything { string = ('x'):rep(5000), data = Data(('y'):rep(5000)) }")
    let line = try script.value("store:compare(other, { entities = { 'Everything' } }).inserted[1]")
    #expect(line.count < 250 && line.contains("…") && line.hasPrefix("+ Everything 1 { "), "\(line)")
    try script.run("store:compare(other):apply(store) save() Everything:first().data = Data(('z'):rep(5001)) save()")
    let change = try script.value("store:compare(other, { entities = { 'Everything' } }).updated[1]")
    #expect(change.count < 250 && change.hasPrefix("~ Everything 1: data "), "\(change)")
  }

  @Test func toOnesAreComparedByWhatTheyLeadTo() throws {
    let script = try stores(
      "local a, b = Quake { code = 'a' }, Quake { code = 'b' } save() Report { text = 'x', quake = a } Report { text = 'y', quake = b } Report { text = 'z' }",
      "local b, a = o.Quake { code = 'b' }, o.Quake { code = 'a' } other.context:save() o.Report { text = 'x', quake = a } o.Report { text = 'y', quake = a } o.Report { text = 'z', quake = b }"
    )
    #expect(
      try script.value("store:compare(other, { by = 'text' })") == """
        Everything by key: 0 equal
        Quake by code: 2 equal
        Report by text: 2 updated, 1 equal
        Station by key: 0 equal
          ~ Report y: quake b → a
          ~ Report z: quake nil → b
        """)
  }

  @Test func manyToManyRelationshipsAreComparedOnOneSide() throws {
    let script = try stores(
      "local q = Quake { code = 'a' } for _, n in ipairs { 'x', 'y' } do q.stations:add(Station { name = n }) end",
      "local q = o.Quake { code = 'a' } for _, n in ipairs { 'y', 'z' } do q.stations:add(o.Station { name = n }) end")
    let text = try script.value("store:compare(other, { by = 'name', entities = { 'Quake', 'Station' } })")
    #expect(text.contains("~ Quake a: stations + z, - x"))
    #expect(text.contains("Station by name: 1 inserted, 1 deleted, 1 equal"))
  }

  @Test func orderedRelationshipsTellMoves() throws {
    let script = try Script()
    try script.run(
      """
      local model = Model {
        List = Entity { name = String { unique = true }, items = ToMany "Item" { inverse = "list", ordered = true } },
        Item = Entity { name = String { unique = true }, list = ToOne "List" { inverse = "items" } },
      }
      store, other = open(":memory:", { model = model }), open(":memory:", { model = model })
      local function fill(s, names)
        local list = s.entities.List { name = "l" }
        for n in names:gmatch "." do list.items:add(s.entities.Item { name = n }) end
        s.context:save()
      end
      fill(store, "abcd") fill(other, "dabce")
      """)
    #expect(try script.value("store:compare(other).updated[1]") == "~ List l: items + e, moved d")
  }

  @Test func valuesAreEqualAsPredicatesCompareThem() throws {
    let script = try stores(
      "Everything { i64 = 1, double = 1.5, decimal = Decimal '1.10', date = Date '2024-01-01', json = { a = 1 }, data = 'x' }",
      "o.Everything { i64 = 1, double = 1.5004, decimal = Decimal '1.1', date = Date '2024-01-01', json = { a = 1 }, data = 'x' }"
    )
    #expect(try script.value("#store:compare(other).updated[1].changes") == "1")
    #expect(try script.value("store:compare(other, { tolerance = 0.001 }).isEmpty") == "true")
    #expect(try script.value("store:compare(other, { ignore = 'double' }).isEmpty") == "true")
    #expect(try script.value("store:compare(other, { ignore = 'Everything.double' }).isEmpty") == "true")
  }

  @Test func requestsOfOneStoreSelectTheirOwnObjects() throws {
    let script = try stores("for n = 1, 5 do Quake { code = tostring(n), magnitude = n } end")
    #expect(
      try script.value("Quake:where('magnitude > 3'):compare(Quake:where('magnitude < 5'))") == """
        Quake by code: 3 inserted, 1 deleted, 1 equal
          + Quake 1 { code = "1", magnitude = 1.0 }
          + Quake 2 { code = "2", magnitude = 2.0 }
          + Quake 3 { code = "3", magnitude = 3.0 }
          - Quake 5 { code = "5", magnitude = 5.0 }
        """)
    #expect(
      script.error("Quake:all():compare(Report:all())")?
        .contains("the requests are of Quake and Report, which are different entities") == true)
  }

  @Test func subentitiesAreComparedWithTheirEntityUnlessARequestLeavesThemOut() throws {
    let script = try Script()
    try script.run(
      """
      local model = Model {
        Animal = Entity { _ = { abstract = true }, name = String },
        Dog = Entity { _ = { parent = "Animal" }, age = Int },
      }
      a, b = open(":memory:", { model = model }), open(":memory:", { model = model })
      a.entities.Dog { name = "Rex", age = 3 } a.context:save()
      b.entities.Dog { name = "Rex", age = 4 } b.context:save()
      """)
    for text in [
      "a:compare(b, { entities = { 'Animal' } })", "a.entities.Animal:all():compare(b.entities.Animal:all())",
    ] {
      #expect(try script.value(text) == "Dog by key: 1 updated, 0 equal\n  ~ Dog 1: age 3 → 4")
    }
  }

  @Test func whatCannotBeComparedIsListed() throws {
    let script = try stores(
      "Station { name = 'x' } Station { name = 'x' } Report {} Report { text = 'r' }",
      "o.Station { name = 'x' } o.Report { text = 'r' } o.Report {}")
    let text = try script.value("store:compare(other, { by = 'name' })")
    #expect(text.contains("! Station x: the first store has several of this identity; it is not compared"))
    #expect(text.contains("Station by name: 1 duplicated, 1 equal"))
    let reports = try script.value("store:compare(other, { by = 'text', entities = { Report } })")
    #expect(reports.contains("Report by text: 2 unidentified, 1 equal"))
    #expect(try script.value("store:compare(other, { by = 'text', entities = { Report } }).isEmpty") == "false")
  }

  @Test func modelsAreComparedFirst() throws {
    let script = try Script()
    try script.run(
      """
      a = open(":memory:", { model = Model { Old = Entity { x = Int }, Gone = Entity { x = Int } } })
      b = open(":memory:", { model = Model { New = Entity { _ = { renamingIdentifier = "Old" }, z = Int { renamingIdentifier = "x" } } } })
      a.entities.Old { x = 1 } a.context:save()
      b.entities.New { z = 2 } b.context:save()
      """)
    #expect(
      try script.value("a:compare(b)") == """
        model  ~ Old is now New
        model  ~ New.x is now z
        model  - Gone
        Old by key: 1 updated, 0 equal
          ~ Old 1: x 1 → 2
        """)
  }

  @Test func wrongNamesAreErrorsWithTheNearestName() throws {
    let script = try stores()
    #expect(
      script.error("store:compare(other, { by = 'cod' })")
        == "none of the compared entities has a property 'cod'; did you mean 'code'?")
    #expect(
      script.error("store:compare(other, { entities = { 'Quak' } })")
        == "the store has no entity 'Quak'; did you mean 'Quake'?")
    #expect(script.error("store:compare(other, { by = 'reports' })")?.contains("objects of Quake cannot be") == true)
    #expect(script.error("store:compare(Quake)") == "store:compare: expected a store, got Entity")
    #expect(script.error("Quake:limit(3):compare(o.Quake:all())")?.contains("a limit or an offset") == true)
    #expect(
      script.error("store:compare(other, { tolerance = -1 })")
        == "store:compare: tolerance: expected a number from 0 on, got -1.0")
    try script.run("d = store:compare(other) other:close()")
    #expect(script.error("d.counts")?.contains("the store is closed") == true)
  }

  @Test(.seeded) func randomStoresDifferAsTheirObjectsOneByOneDo() throws {
    var random = SplitMix(seed: 48)
    for _ in 0..<30 {
      let script = try stores()
      try script.run("math.randomseed(\(Int.random(in: 0..<1_000_000, using: &random)))")
      #expect(try script.value(Self.reference) == "")
    }
  }

  /// Fills two stores by chance, compares them object by object, and returns what `compare` says otherwise.
  private static let reference = """
    (function()
      local function fill(entities, context)
        for _, n in ipairs { 'p', 'q', 'r' } do if math.random(4) > 1 then entities.Station { name = n } end end
        for i = 1, 12 do
          if math.random(4) > 1 then
            local q = entities.Quake { code = 'c' .. i, magnitude = math.random(0, 2), place = math.random(2) == 1 and 'x' or nil }
            for s in entities.Station:each() do if math.random(3) == 1 then q.stations:add(s) end end
          end
        end
        context:save()
      end
      fill({ Station = Station, Quake = Quake }, context)
      fill(o, other.context)
      local wanted = {}
      local function stations(q)
        local names = {}
        for _, s in ipairs(q.stations) do names[#names + 1] = s.name end
        table.sort(names)
        return table.concat(names, ' ')
      end
      for i = 1, 12 do
        local code = 'c' .. i
        local a, b = Quake:find(code), o.Quake:find(code)
        if a and not b then wanted['deleted ' .. code] = true end
        if b and not a then wanted['inserted ' .. code] = true end
        if a and b then
          for _, p in ipairs { 'magnitude', 'place' } do
            if a[p] ~= b[p] then wanted['updated ' .. code .. ' ' .. p] = true end
          end
          if stations(a) ~= stations(b) then wanted['updated ' .. code .. ' stations'] = true end
        end
      end
      local wrong = {}
      for change in store:compare(other, { by = 'name' , entities = { 'Station', 'Quake' } }):each() do
        if change.entity == 'Quake' then
          local head = change.kind .. ' ' .. change.identity[1]
          local names = change.kind == 'updated' and change.changes or { { } }
          for _, value in ipairs(names) do
            local key = value.property and head .. ' ' .. value.property or head
            if not wanted[key] then wrong[#wrong + 1] = 'more: ' .. key end
            wanted[key] = nil
          end
        end
      end
      for key in pairs(wanted) do wrong[#wrong + 1] = 'missing: ' .. key end
      return table.concat(wrong, ', ')
    end)()
    """
}
