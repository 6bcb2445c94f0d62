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
}
