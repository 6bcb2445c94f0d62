import LuaBindings
import Testing

@Suite struct LiveValuesTests {
  @Test func aCountStaysTrue() throws {
    let script = try Script.quakes()
    try script.run(
      "local c = FetchRequest { entity = Quake, predicate = 'magnitude >= 3', resultType = 'count' }:live()")
    try script.run("local n = 0 c:onChange(function(change) n = n + 1 end)")
    #expect(try script.value("c.count, c.value, #c, tostring(c)") == "3 3 3 3 × Quake, live")
    try script.run("Quake { code = 'f', magnitude = 8 } save()")
    #expect(try script.value("c.count, n, c[1].count") == "4 1 4")
    try script.run("Quake { code = 'g', magnitude = 1 } save()")
    #expect(try script.value("c.count, n") == "4 1")
    try script.run("c.predicate = nil")
    #expect(try script.value("c.count, n") == "7 2")
  }

  @Test func dictionariesStayTrue() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local d = FetchRequest {
        entity = Quake, resultType = "dictionaries", propertiesToFetch = { "code", "magnitude" },
        predicate = "magnitude >= 3", sortDescriptors = { "-magnitude" },
      }:live()
      local seen = {}
      d:onChange(function(change)
        for _, e in ipairs(change.inserted) do seen[#seen + 1] = "+" .. e.values.code .. e.index end
        for _, e in ipairs(change.updated) do seen[#seen + 1] = "~" .. e.values.code end
      end)
      """)
    #expect(
      try script.value("#d, d[1].code, d[3].magnitude, d[4], d.columns[2], tostring(d)")
        == "3 e 3.0 nil magnitude 3 rows of Quake, live")
    try script.run("Quake { code = 'f', magnitude = 4.5 } save()")
    #expect(try script.value("#d, d[2].code, seen[1]") == "4 f +f2")
    try script.run("local all = {} for row in d:each() do all[#all + 1] = row.code end")
    #expect(try script.value("table.concat(all), d:slice(3, 9)[2].code, d.value") == "efdc c nil")
  }

  @Test func groupsStayTrueAndCanHaveAnotherCondition() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local g = FetchRequest {
        entity = Quake, resultType = "dictionaries", propertiesToGroupBy = { "place" },
        propertiesToFetch = { "place", n = "count", biggest = "max(magnitude)" }, sortDescriptors = { "place" },
      }:live()
      local seen = {}
      g:onChange(function(change)
        for _, e in ipairs(change.inserted) do seen[#seen + 1] = "+" .. e.values.place end
        for _, e in ipairs(change.updated) do seen[#seen + 1] = "~" .. e.values.place .. e.values.n end
      end)
      """)
    #expect(try script.value("#g, g[1].place, g[1].n, g[2].biggest") == "2 Chile 2 5.0")
    try script.run("Quake { code = 'f', place = 'Chile' } Quake { code = 'g', place = 'Peru' } save()")
    #expect(try script.value("#g, g[1].n, table.concat(seen, ' ')") == "3 3 +Peru ~Chile3")
    try script.run("seen = {} Quake:find('a').felt = 3 save()")
    #expect(try script.value("#seen") == "0")
    try script.run("g.havingPredicate = 'n >= 3'")
    #expect(try script.value("#g, g[1].place, g[2].place") == "2 Chile Japan")
    #expect(script.error("g.sectionIdentifier = 'place'") != nil)
  }

  @Test func aLostGreatestValueIsLookedUpAndTheExplanationSaysSo() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local g = Quake:all():grouped("place", { top = "max(magnitude)", low = "min(magnitude)" }):live()
      Quake:find("e"):delete()
      Quake:find("b"):delete()
      save()
      """)
    #expect(try script.value("g[1].place, g[1].top, g[1].low, g[2].top, g[2].low") == "Chile 4.0 4.0 3.0 1.0")
    #expect(try script.value("g:explain().ordered[1], g:explain().reloads, g:explain().lastRows") == "magnitude 0 2")
    #expect(try script.value("tostring(g:explain()):match('the next is looked up')") == "the next is looked up")
    try script.run("local n = Quake:all():grouped('place', { n = 'count' }):live()")
    #expect(try script.value("n:explain().ordered") == "nil")
  }
}
