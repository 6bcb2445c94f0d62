import LuaBindings
import TestSupport
import Testing

@Suite(.seeded) struct OrderedTests {
  private func script() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        List = Entity {
          items = ToMany "Item" { inverse = "list", ordered = true }, tags = ToMany "Tag" { inverse = "lists", ordered = true },
          loose = ToMany "Loose" { inverse = "list" },
        },
        Item = Entity { name = String, list = ToOne "List" { inverse = "items" } },
        Tag = Entity { name = String, lists = ToMany "List" { inverse = "tags" } },
        Loose = Entity { list = ToOne "List" { inverse = "loose" } },
      } }))
      list, all, tags = List {}, {}, {}
      for i = 1, 9 do all[i] = Item { name = tostring(i) } tags[i] = Tag { name = tostring(i) } end
      function names(collection)
        local names = {}
        for item in collection:each() do names[#names + 1] = item.name end
        return table.concat(names)
      end
      function changed() return store:sql("SELECT total_changes() AS n")[1].n end
      """)
    return script
  }

  @Test(arguments: ["items", "tags"]) func theOrderIsKept(_ property: String) throws {
    let script = try script()
    let members = property == "items" ? "all" : "tags"
    try script.run(
      """
      local m, seen = \(members), {}
      list.\(property) = { m[3], m[1], m[2] } save() context:reset()
      list = List:first() seen[1] = names(list.\(property))
      m = {} for i = 1, 9 do m[i] = (("\(property)" == "items") and Item or Tag):first('name == %@', tostring(i)) end
      list.\(property):add(m[4]) save() context:refreshAllObjects() seen[2] = names(list.\(property))
      list.\(property):insert(m[5], 2) save() context:refreshAllObjects() seen[3] = names(list.\(property))
      list.\(property):move(5, 1) save() context:refreshAllObjects() seen[4] = names(list.\(property))
      list.\(property):move(1, 3) seen[5] = names(list.\(property)) save() context:refreshAllObjects() seen[6] = names(list.\(property))
      list.\(property):insert(m[4], 1) save() context:refreshAllObjects() seen[7] = names(list.\(property))
      list.\(property):remove(m[5]) save() context:refreshAllObjects() seen[8] = names(list.\(property))
      list.\(property):insert(m[9], #list.\(property) + 1) save() context:refreshAllObjects() seen[9] = names(list.\(property))
      """)
    #expect(
      try script.value("table.concat(seen, ' ')") == "312 3124 35124 43512 35412 35412 43512 4312 43129")
  }

  @Test(arguments: ["items", "tags"]) func aMoveRewritesOnePlace(_ property: String) throws {
    let script = try script()
    let members = property == "items" ? "all" : "tags"
    try script.run(
      """
      list.\(property) = \(members) save()
      local counts = {}
      for _, places in ipairs { { 9, 1 }, { 1, 9 }, { 2, 6 }, { 5, 4 } } do
        local before = changed()
        list.\(property):move(places[1], places[2]) save()
        counts[#counts + 1] = changed() - before
      end
      local before = changed()
      list.\(property):move(3, 3) save()
      counts[#counts + 1] = changed() - before
      """)
    #expect(try script.value("table.concat(counts, ' '), names(list.\(property))") == "1 1 1 1 0 134652789")
  }

  @Test func placesAndKindsAreChecked() throws {
    let script = try script()
    try script.run("list.items = { all[1], all[2] }")
    #expect(script.error("list.items:move(3, 1)") == "List.items:move: expected a place from 1 to 2, got 3")
    #expect(script.error("List {}.items:move(1, 1)") == "List.items:move: there are no members to move")
    #expect(script.error("list.items:move(1, 0)") == "List.items:move: expected a place from 1 to 2, got 0")
    #expect(script.error("list.items:insert(all[3], 4)") == "List.items:insert: expected a place from 1 to 3, got 4")
    #expect(script.error("list.items:insert(5, 1)") == "List.items:insert: expected an Item, got number")
    #expect(script.error("list.loose:insert(Loose {}, 1)") == "List.loose:insert: the relationship is not ordered")
    #expect(script.error("list.loose:move(1, 1)") == "List.loose:move: the relationship is not ordered")
    #expect(try script.value("names(list.items)") == "12")
  }

  @Test(arguments: 1...4) func randomMovesAgreeWithALuaList(seed: Int) throws {
    let script = try script()
    try script.run(
      """
      math.randomseed(\(Seed.drawn(seed)))
      for _, pair in ipairs { { "items", all }, { "tags", tags } } do
        local property, members = pair[1], pair[2]
        local plain = {}
        for step = 1, 120 do
          local collection, what, n = list[property], math.random(5), #plain
          if what == 1 then
            local member = members[math.random(9)]
            local known for i, m in ipairs(plain) do if m == member then known = i end end
            if known then table.remove(plain, known) end
            local place = math.random(#plain + 1)
            table.insert(plain, place, member) collection:insert(member, place)
          elseif what == 2 and n > 0 then
            local from, to = math.random(n), math.random(n)
            table.insert(plain, to, table.remove(plain, from)) collection:move(from, to)
          elseif what == 3 and n > 0 then
            collection:remove(table.remove(plain, math.random(n)))
          elseif what == 4 then
            save()
          else
            if math.random(2) == 1 then save() context:refreshAllObjects() end
          end
          assert(#collection == #plain, property)
          for i, member in ipairs(plain) do assert(collection[i] == member, property .. step) end
        end
      end
      """)
  }
}
