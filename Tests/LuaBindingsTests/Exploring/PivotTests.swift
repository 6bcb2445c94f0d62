import LuaBindings
import Testing

/// The cross tables of `pivot`.
@Suite struct PivotTests {
  private static func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      for i = 1, 40 do
        Quake { code = "n" .. i, magnitude = i % 7, place = i % 3 > 0 and "P" .. i % 3 or nil, felt = i % 4 > 0 and i % 4 or nil }
      end
      save()
      function cellsThatDiffer(value, plain)
        local wrong, cells = {}, 0
        for _, row in ipairs(Quake:where("code BEGINSWITH 'n'"):pivot { rows = "place", columns = "felt", value = value }) do
          for _, felt in ipairs { 1, 2, 3, "nil" } do
            local objects = Quake:where("code BEGINSWITH 'n'")
            if row.place then objects = objects:where("place == %@", row.place) else objects = objects:where("place == nil") end
            if felt == "nil" then objects = objects:where("felt == nil") else objects = objects:where("felt == %@", felt) end
            cells = cells + 1
            if row[tostring(felt)] ~= plain(objects) then wrong[#wrong + 1] = tostring(row.place) .. tostring(felt) end
          end
        end
        return cells .. table.concat(wrong, " ")
      end
      """)
    return script
  }

  @Test func eachCellTellsOfTheObjectsOfItsRowAndColumn() throws {
    let script = try Self.script()
    #expect(try script.value("cellsThatDiffer(nil, function(r) return r:count() end)") == "12")
    #expect(try script.value("cellsThatDiffer('max(magnitude)', function(r) return r:max('magnitude') end)") == "12")
  }

  @Test func aCellWithoutObjectsHasNoValueAndNoCountIsZero() throws {
    let script = try Script.quakes()
    let pivot = "Quake:pivot { rows = 'place', columns = 'magnitude'"
    #expect(try script.value("\(pivot) }[1]['1.0']") == "0")
    #expect(try script.value("\(pivot), value = 'max(magnitude)' }[1]['1.0']") == "nil")
  }

  @Test func mistakesInOptionsAreNamed() throws {
    let script = try Script.quakes()
    for (options, message) in [
      ("{ rows = 'place' }", "columns"), ("{ columns = 'place' }", "rows"), ("{ row = 'place' }", "rows"),
      ("{ rows = 'plac', columns = 'felt' }", "place"), ("'place'", "a table of options"),
    ] {
      let error = script.error("Quake:pivot(\(options))") ?? ""
      #expect(error.contains(message), "\(options): \(error)")
    }
    #expect((script.error("Quake:limit(1):pivot { rows = 'place', columns = 'felt' }") ?? "").contains("limit"))
  }
}
