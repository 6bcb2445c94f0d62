import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite(.seeded) struct GroupingTests {
  private static func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      function lines(rows, ...)
        local out = {}
        for i, row in ipairs(rows) do
          local cells = {}
          for n, name in ipairs { ... } do cells[n] = tostring(row[name]) end
          out[i] = table.concat(cells, " ")
        end
        return table.concat(out, "; ")
      end
      function columns(rows) return table.concat(getmetatable(rows).__columns, " ") end
      """)
    return script
  }

  @Test func groupsAreCountedUnlessAggregatesAreNamed() throws {
    let script = try Self.script()
    try script.run("rows = Quake:groupBy 'place'")
    #expect(try script.value("columns(rows), lines(rows, 'place', 'count')") == "place count Chile 2; Japan 3")
    #expect(
      try script.value("lines(Quake:groupBy({ 'place' }, nil, { sort = '-count', limit = 1 }), 'place', 'count')")
        == "Japan 3")
    #expect(
      try script.value("lines(Quake:groupBy(function(q) return q.magnitude > 2 end), 'group', 'count')")
        == script.value("lines(Quake:groupBy(function(q) return q.magnitude > 2 end, { 'count' }), 'group', 'count')"))
    #expect(try script.value("lines(Quake:all():grouped('place'):fetch(), 'place', 'count')") == "Chile 2; Japan 3")
    #expect(script.error("Quake:groupBy('place', 'count')")?.contains("expected a table of aggregates by name") == true)
  }

  @Test func groupsAreMadeByExpressions() throws {
    let script = try Self.script()
    try script.run("rows = Quake:groupBy('TERNARY(magnitude > 2, 1, 0)', { n = 'count', top = 'max(magnitude)' })")
    #expect(try script.value("#rows, columns(rows)") == "2 TERNARY(magnitude > 2, 1, 0) n top")
    try script.run(
      "rows = Quake:groupBy({ half = 'trunc(magnitude / 2)' }, { n = 'count' }, { having = 'n > 1', sort = '-half' })")
    #expect(try script.value("lines(rows, 'half', 'n')") == "2.0 2; 1.0 2")
    #expect(
      try script.value(
        "lines(Quake:all():grouped('lowercase(place)', { n = 'count' }):having('n > 2'):fetch(), 'lowercase(place)', 'n')"
      )
        == "japan 3")
    #expect(
      script.error("Quake:groupBy('max(magnitude)', { n = 'count' })")
        == "max(magnitude) has a value for a group, so it cannot make the groups")
    #expect(
      script.error("Quake:groupBy('uppercase(place)', { x = 'lowercase(place)' })")
        == "place is neither in propertiesToGroupBy nor within an aggregate")
  }

  @Test func textsThatAColumnTakesForEqualAreOneGroupWithAFunctionAndWithout() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      folder.file("words.sqlite"),
      """
      CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE, tail TEXT COLLATE RTRIM);
      INSERT INTO word(text, tail) VALUES ('b', 'x'), ('B', 'x '), ('c', NULL);
      """,
    ]
    try process.run()
    process.waitUntilExit()
    let script = try Script()
    try script.run(
      """
      use(open('\(folder.file("words.sqlite"))'))
      function lines(rows)
        local out = {}
        for i, row in ipairs(rows) do out[i] = tostring(row.text) .. tostring(row.tail) .. row.n end
        table.sort(out)
        return table.concat(out, "; ")
      end
      """)
    #expect(try script.value("lines(Word:groupBy({ 'text', 'tail' }, { n = 'count' }))") == "Bx2; cnil1")
    #expect(
      try script.value(
        "lines(Word:groupBy({ 'text', 'tail', one = function() return 1 end }, { n = 'count' }))") == "Bx2; cnil1")
  }

  @Test func columnsComeInTheOrderWritten() throws {
    let script = try Self.script()
    try script.run(
      "rows = Quake:groupBy('place', { 'max(magnitude)', 'count', { 'min(code)', title = 'first' }, b = 'max(code)', a = 'count' })"
    )
    #expect(try script.value("columns(rows)") == "place max(magnitude) count first a b")
    #expect(
      try script.value("lines(rows, 'place', 'max(magnitude)', 'count', 'first', 'a', 'b')")
        == "Chile 4.0 2 b 2 d; Japan 5.0 3 a 3 e")
    try script.run(
      "rows = Quake:groupBy(function(q) return 1 end, { 'count', 'max(code)', b = 'min(code)', a = 'count' })")
    #expect(
      try script.value("columns(rows), lines(rows, 'group', 'count', 'max(code)', 'b')")
        == "group count max(code) a b 1 5 e a")
  }

  @Test func functionsAndComputedPropertiesMakeGroups() throws {
    let script = try Self.script()
    try script.run(
      """
      Quake.computed.size = function(q) return q.magnitude >= 3 and "big" or "small" end
      big = Quake:sorted("-magnitude"):groupBy("size", { n = "count", least = "min(magnitude)" })
      both = Quake:groupBy({ "place", odd = function(q) return q.magnitude % 2 end },
        { codes = function(list) local s = "" for _, q in ipairs(list) do s = s .. q.code end return s end })
      nothing = Quake:groupBy(function(q) if q.code == "a" then return nil end return q.code < "c" end, { n = "count" })
      none = Quake:where("FALSEPREDICATE"):groupBy(function(q) return 1 end, { n = "count" })
      """)
    #expect(try script.value("lines(big, 'size', 'n', 'least')") == "big 3 3.0; small 2 1.0")
    #expect(try script.value("lines(both, 'place', 'odd', 'codes')") == "Japan 1 ace; Chile 0 bd")
    #expect(try script.value("lines(nothing, 'group', 'n'), #none") == "nil 1; true 1; false 3 0")
    #expect(
      script.error("Quake:groupBy(function(q) return print end, {})")
        == "Quake:groupBy: group: it is to answer a value, and answered a function")
    #expect(
      script.error("Quake:grouped('size', {})")
        == "Quake:grouped: the store cannot ask a function of the script; groupBy asks it in memory")
    #expect(script.error("Quake:groupBy({}, {})") != nil)
    #expect(
      script.error("Quake:groupBy({ 5 }, {})")
        == "Quake:groupBy: expected a key path, an expression or a function, got number")
  }

  /// A function that answers what an expression means makes the groups that the store makes.
  @Test func aFunctionAndTheStoreMakeTheSameGroups() throws {
    let script = try Self.script()
    var random = SplitMix(seed: 1)
    try script.run(
      """
      math.randomseed(\(Int(random.next() >> 33)))
      for i = 1, 300 do
        Quake { code = "r" .. i, magnitude = math.random(0, 9), felt = math.random(4) > 1 and math.random(5) or nil,
          place = ({ "Chile", "Japan", "Peru" })[math.random(4)] }
      end
      save()
      local function sorted(rows)
        local out = {}
        for i, r in ipairs(rows) do
          out[i] = ("%s %s %s %s %s"):format(r.key, r.n, r.sum, r.top, r.mean)
        end
        table.sort(out)
        return table.concat(out, ";"):gsub("(%d)%.0 ", "%1 ")
      end
      local aggregates = { n = "count", sum = "sum(felt)", top = "max(magnitude)", mean = "average(felt)" }
      for expression, key in pairs {
        place = function(q) return q.place end, felt = function(q) return q.felt end,
        ["trunc(magnitude / 3)"] = function(q) return q.magnitude // 3 end,
      } do
        local stored, asked = Quake:groupBy({ key = expression }, aggregates), Quake:groupBy({ key = key }, aggregates)
        assert(sorted(stored) == sorted(asked), expression .. "\\n" .. sorted(stored) .. "\\n" .. sorted(asked))
        assert(#stored > 2)
      end
      """)
  }

  /// Conditions, orders, limits and offsets mean of groups that functions make what they mean of the store's.
  @Test func groupsOfFunctionsAreChosenAndSortedAsTheStoresAre() throws {
    let script = try Self.script()
    var random = SplitMix(seed: 2)
    try script.run(
      """
      math.randomseed(\(Int(random.next() >> 33)))
      for i = 1, 200 do
        Quake { code = "r" .. i, magnitude = math.random(0, 9), felt = math.random(4) == 1 and math.random(5) or nil,
          place = ({ "Chile", "Japan", "Peru" })[math.random(4)] }
      end
      save()
      local function text(rows)
        local out = {}
        for i, r in ipairs(rows) do out[i] = ("%s %s %s %s"):format(r.key, r.n, r.sum, r.mean):gsub("%.0", "") end
        return table.concat(out, ";")
      end
      local aggregates = { n = "count", sum = "sum(felt)", mean = "average(felt)" }
      local options = {
        { sort = "key" }, { sort = "-key", limit = 2 }, { sort = { "-n", "key" }, offset = 1 },
        { sort = { "mean", "-key" }, limit = 3, offset = 1 }, { having = "n > 40", sort = "key" },
        { having = "mean > 2.5", sort = "key" }, { having = "NOT mean > 2.5", sort = "key" },
        { having = "mean == nil OR $n > 30", sort = "key" }, { having = "max(magnitude) - min(magnitude) > 2", sort = "key" },
        { having = "max(felt) IN {4, 5}", sort = { "-max(felt)", "key" } },
        { having = "key != nil AND sum > 10", sort = { "-sum", "key" } }, { having = "count(SELF) > 1000", sort = "key" },
      }
      for expression, key in pairs {
        place = function(q) return q.place end, ["trunc(magnitude / 3)"] = function(q) return q.magnitude // 3 end,
      } do
        for i, option in ipairs(options) do
          local stored, asked = Quake:groupBy({ key = expression }, aggregates, option), Quake:groupBy({ key = key }, aggregates, option)
          assert(text(stored) == text(asked), i .. " " .. expression .. "\\n" .. text(stored) .. "\\n" .. text(asked))
        end
        local stored = Quake:all():limit(2):groupBy({ key = expression }, aggregates, { sort = "key" })
        local asked = Quake:all():limit(2):groupBy({ key = key }, aggregates, { sort = "key" })
        assert(text(stored) == text(asked) and #asked == 2, text(stored) .. "\\n" .. text(asked))
      end
      """)
  }

  @Test func columnsThatFunctionsMakeDecideWhichGroupsAreTold() throws {
    let script = try Self.script()
    try script.run(
      """
      calls = 0
      local function first(list) calls = calls + 1 return list[1].code end
      rows = Quake:sorted("code"):groupBy("place", { n = "count", head = first }, { having = "head != 'b'", sort = "-head" })
      """)
    #expect(try script.value("lines(rows, 'place', 'n', 'head'), calls").hasSuffix("2"))
    #expect(
      script.error("Quake:groupBy(function() return 1 end, { number = 'count' }, { having = 'numbr > 1' })")
        == "Quake has no property 'numbr'; did you mean 'number'?")
    #expect(
      script.error("Quake:groupBy(function() return 1 end, { n = 'count' }, { sort = 'magnitude' })")
        == "magnitude is neither in propertiesToGroupBy nor within an aggregate")
    #expect(script.error("Quake:groupBy(function() return 1 end, { n = 'count' }, { limit = -1 })") != nil)
    #expect(
      script.error(
        "Quake:groupBy(function() return 1 end, { f = function() return print end }, { having = 'f == 1' })")?
        .contains("which nothing can be compared with") == true)
  }

  @Test func groupsByExpressionsAreLive() throws {
    let script = try Self.script()
    try script.run(
      """
      live = Quake:all():grouped({ half = "trunc(magnitude / 2)" }, { n = "count" }):having("n > 1"):sorted("-half"):live()
      live:onChange(function(c) seen = tostring(c) .. " " .. c.inserted[1].values.half end)
      Quake { code = "f", magnitude = 0.5 } Quake { code = "g", magnitude = 0.1 }
      save()
      """)
    #expect(try script.value("seen, #live, live[3].n") == "1 inserted 0.0 3 3")
  }
}
