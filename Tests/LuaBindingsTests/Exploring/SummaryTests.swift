import LuaBindings
import TestSupport
import Testing

/// What `summary` tells of the values of each property.
@Suite(.seeded) struct SummaryTests {
  /// A store of random items, and `plain(name)`, which sums up a property as slowly and plainly as can be.
  private static func script(seed: Int, rows: Int) throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { create = true, model = Model { Item = Entity {
        whole = Int, real = Double, word = String, flag = Bool, day = Date, price = Decimal, blob = Data } } }))
      math.randomseed(\(seed))
      local r = math.random
      local function maybe(value) if r(6) > 1 then return value end end
      for i = 1, \(rows) do
        Item { whole = maybe(r(-9, 9)), real = maybe(r(-40, 40) / 8), word = maybe(("ab"):sub(r(2)):rep(r(0, 3))),
          flag = maybe(r(2) == 1), day = maybe(Date(r(5) * 86400)), price = maybe(Decimal(r(-5, 5) .. ".5")) }
      end
      if r(2) == 1 then save() end
      function plain(name)
        local values, counts, keys, nulls = {}, {}, {}, 0
        for item in Item:each() do
          local value = item[name]
          if value == nil then nulls = nulls + 1 else
            values[#values + 1] = value
            local key = tostring(value)
            if not counts[key] then keys[#keys + 1] = { value = value, key = key } end
            counts[key] = (counts[key] or 0) + 1
          end
        end
        local less = name == "flag" and function(a, b) return not a and b end or function(a, b) return a < b end
        table.sort(values, less)
        table.sort(keys, function(a, b)
          if counts[a.key] ~= counts[b.key] then return counts[a.key] > counts[b.key] end
          return less(a.value, b.value)
        end)
        local top = {}
        for i = 1, math.min(5, #keys) do top[i] = keys[i].key .. "x" .. counts[keys[i].key] end
        local quartiles = {}
        for q = 1, 3 do
          if #values > 0 then quartiles[q] = tostring(values[math.ceil(#values * q / 4)]) end
        end
        return { count = #values, nulls = nulls, distinct = #keys, min = values[1], max = values[#values],
          top = table.concat(top, " "), quartiles = table.concat(quartiles, " ") }
      end
      function told(name)
        local s, top, quartiles, spread = Item:summary()[name], {}, {}, 0
        for i, t in ipairs(s.top) do top[i] = tostring(t.value) .. "x" .. t.count end
        for i, q in ipairs(s.quartiles or {}) do quartiles[i] = tostring(q) end
        for _, b in ipairs(s.histogram or {}) do spread = spread + b.count end
        return { count = s.count, nulls = s.nulls, distinct = s.distinct, min = s.min, max = s.max,
          top = table.concat(top, " "), quartiles = table.concat(quartiles, " "), spread = spread }
      end
      """)
    return script
  }

  @Test func aSummaryTellsWhatAPlainPassOverTheObjectsTells() throws {
    var random = SplitMix(seed: 17)
    for rows in [0, 1, 2, 7, 100] {
      let script = try Self.script(seed: Int.random(in: 0...1_000_000, using: &random), rows: rows)
      for name in ["whole", "real", "word", "flag", "day", "price"] {
        let fields =
          name == "flag" ? ["count", "nulls", "distinct", "top"] : ["count", "nulls", "distinct", "min", "max", "top"]
        for field in fields {
          let difference = try script.value(
            "(function() local a, b = told('\(name)').\(field), plain('\(name)').\(field) "
              + "return a == b and '' or tostring(a) .. ' instead of ' .. tostring(b) end)()")
          #expect(difference == "", "\(name).\(field) of \(rows)")
        }
        guard ["whole", "real", "day", "price"].contains(name) else { continue }
        #expect(try script.value("told('\(name)').quartiles == plain('\(name)').quartiles") == "true", "\(name)")
        #expect(try script.value("told('\(name)').spread == plain('\(name)').count") == "true", "\(name)")
      }
    }
  }

  @Test func aSummaryTellsOfWhatTheRequestSelects() throws {
    let script = try Script.quakes()
    #expect(
      try script.value(
        "Quake:where('magnitude > 3'):summary('magnitude').magnitude.count == Quake:where('magnitude > 3'):count()")
        == "true")
    #expect(try script.value("Quake:limit(1):summary()[1].total") == "1")
    #expect(try script.value("#Quake:summary('magnitude', 'length(place)')") == "2")
  }

  @Test func aMistakenKeyPathIsNamed() throws {
    let script = try Script.quakes()
    let error = script.error("Quake:summary('magnitud')") ?? ""
    #expect(error.contains("magnitude"), "\(error)")
  }
}
