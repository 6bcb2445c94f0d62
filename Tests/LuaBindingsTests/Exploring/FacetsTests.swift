import LuaBindings
import TestSupport
import Testing

/// What `facets` counts and the requests that its rows lead to.
@Suite struct FacetsTests {
  private static func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      Quake { code = "x", place = nil, felt = 3 }
      Quake { code = "y", place = "cafe\\u{301}" } Quake { code = "z", place = "caf\\u{e9}" }
      save()
      Quake { code = "unsaved", place = "Peru", felt = 3 }
      Quake:where("code == 'a'"):first().place = nil
      """)
    return script
  }

  @Test func eachFacetLeadsToAsManyObjectsAsItCounts() throws {
    let script = try Self.script()
    let wrong = try script.value(
      """
      (function()
        local wrong = {}
        for _, request in ipairs { Quake:all(), Quake:where("magnitude > 2"), Quake:where("felt == nil") } do
          for _, path in ipairs { "place", "felt", "magnitude", "isReviewed", "time", "length(place)" } do
            local sum = 0
            for _, facet in ipairs(request:facets(path)) do
              sum = sum + facet.count
              local led = facet.request:count()
              if led ~= facet.count then
                wrong[#wrong + 1] = path .. " " .. tostring(facet.value) .. ": " .. facet.count .. " but " .. led
              end
            end
            if sum ~= request:count() then wrong[#wrong + 1] = path .. " has " .. sum end
          end
        end
        return table.concat(wrong, "; ")
      end)()
      """)
    #expect(wrong == "")
  }

  @Test func theMostFrequentValueIsFirstAndNilLast() throws {
    let script = try Self.script()
    let order = try script.value(
      """
      (function()
        local out = {}
        for i, facet in ipairs(Quake:facets("place")) do out[i] = tostring(facet.value) .. facet.count end
        return table.concat(out, " ")
      end)()
      """)
    #expect(order.hasPrefix("Chile2 Japan2 Peru1 "), "\(order)")
    #expect(order.hasSuffix("nil2"), "\(order)")
  }

  @Test func aToOneIsCountedByItsObjects() throws {
    let script = try Self.script()
    try script.run(
      """
      q = Quake:where("code == 'b'"):first()
      Report { text = "a", quake = q } Report { text = "b", quake = q } Report { text = "c" }
      """)
    #expect(try script.value("Report:facets('quake')[1].value == q") == "true")
    #expect(try script.value("Report:facets('quake')[1].request:count()") == "2")
    #expect(try script.value("#Report:facets('quake')") == "2")
  }

  @Test func aRequestWithALimitIsRefused() throws {
    let script = try Self.script()
    let error = script.error("Quake:limit(2):facets('place')") ?? ""
    #expect(error.contains("limit"), "\(error)")
    #expect((script.error("Quake:facets('plac')") ?? "").contains("place"))
    #expect((script.error("Quake:facets()") ?? "").contains("key path"))
  }

  @Test func facetsOfLiveResultsFollowEveryChangeAndThePredicate() throws {
    let script = try Self.script()
    try script.run(
      """
      local wrong = {}
      local live = Quake:where("felt == nil OR felt > 0"):live()
      local paths = { "place", "felt", "length(place)", "isReviewed" }
      local facets = { live:facets(table.unpack(paths)) }
      function compare(step)
        for number, path in ipairs(paths) do
          local fresh = live.request:facets(path)
          local kept = facets[number]
          if #fresh ~= #kept then wrong[#wrong + 1] = step .. path .. #fresh .. " " .. #kept end
          for i = 1, #fresh do
            local one, other = fresh[i], kept[i]
            if one.value ~= other.value or one.count ~= other.count or other.property ~= path then
              wrong[#wrong + 1] = step .. path .. i
            end
            if other.request:count() ~= other.count then wrong[#wrong + 1] = step .. path .. " leads elsewhere" end
          end
        end
      end
      """)
    for line in [
      "", "save()", "Quake { code = 'n', place = 'Peru' } save()",
      "Quake:find('a'):delete() context:processPendingChanges()",
      "rollback() context:processPendingChanges()", "store:sql \"UPDATE quake SET place = 'Chile' WHERE code < 'c'\"",
      "live.predicate = 'magnitude > 2'", "Quake:find('e').felt = 9 save()", "live.predicate = nil",
    ] {
      try script.run(line)
      try script.run("compare [[\(line)]]")
    }
    #expect(try script.value("table.concat(wrong, '; ')") == "")
    #expect(try script.value("facets[1]:explain().method") == "maintained")
    #expect(script.error("live:facets()") != nil)
    #expect(script.error("live:facets('reports.text')") != nil)
    #expect(script.error("Quake:all():limit(1):live():facets('place')") != nil)
  }
}
