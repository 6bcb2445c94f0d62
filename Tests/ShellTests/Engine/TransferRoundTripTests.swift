import Foundation
import TestSupport
import Testing

/// What one store exports, another imports: no format for data loses a value.
@Suite(.seeded) struct TransferRoundTripTests {
  /// Draws objects of every attribute type, has each format carry them, and prints the values that came back otherwise.
  static let script = """
    local seed = tonumber(arg[1])
    math.randomseed(seed)
    local types = {
      i16 = Integer16, i32 = Integer32, i64 = Int, dec = Decimal, dbl = Double, flt = Float, str = String, flag = Bool,
      date = Date, uuid = UUID, url = URL, data = Data, json = Transformable,
      comp = Composite { a = Int, b = String, c = Data, d = Date, e = Decimal },
    }
    local properties = { key = String { unique = true } }
    for name, type in pairs(types) do properties[name] = type end
    local model = Model { Item = Entity(properties) }

    local function pick(list) return list[math.random(#list)] end
    local function bytes(n) local s = {} for i = 1, n do s[i] = string.char(math.random(0, 255)) end return table.concat(s) end
    local pieces = { "a", "\\t", "\\n", "\\r\\n", "\\\\N", "\\\\", '"', "'", ",", ";", "é", "東", "\\u{1F600}", " ", "NA", "null", "0", "\\0", "\\u{202E}", "{" }
    local function text() local s = {} for i = 1, math.random(0, 6) do s[i] = pick(pieces) end return table.concat(s) end
    local function json(depth)
      local kind = math.random(depth > 2 and 5 or 7)
      if kind == 1 then return text() elseif kind == 2 then return math.random(-1000, 1000) elseif kind == 3 then return math.random()
      elseif kind == 4 then return true elseif kind == 5 then return false
      elseif kind == 6 then return { null, json(depth + 1), json(depth + 1) } end
      return { [text()] = json(depth + 1), k = json(depth + 1) }
    end
    local draw = {
      i16 = function() return pick { -32768, 32767, 0, math.random(-9, 9) } end,
      i32 = function() return pick { -2147483648, 2147483647, math.random(-9, 9) } end,
      i64 = function() return pick { math.mininteger, math.maxinteger, math.random(0) } end,
      dec = function() return Decimal(pick { "0", "-1.10", "12345678901234567890.12", "0.000000000001", "99999999999999999999999999999999999999" }) end,
      dbl = function() return pick { 0.1, -0.0, 1e308, 5e-324, 1 / 0, -1 / 0, 1e21, math.random() * 1e9 } end,
      flt = function() return pick { 1.5, -0.25, 16777216.0 } end,
      str = text, flag = function() return math.random(2) == 1 end,
      date = function() return Date(pick { 0, 0.1, -1e9, 1705940772, 4e9, -62135596800, math.random() * 1e9 }) end,
      uuid = function() return UUID() end, url = function() return URL("http://x/" .. math.random(9) .. "?q=a,b") end,
      data = function() return Data(pick { "", "plain", "\\\\N", " ", bytes(math.random(0, 20)) }) end,
      json = function() return json(1) end,
      comp = function() return { a = math.random(9), b = text(), c = Data(bytes(3)), d = Date(math.random(0, 1 << 40) / 1024), e = Decimal "1.10" } end,
    }
    local source = open(":memory:", { model = model })
    for number = 1, 60 do
      local values = { key = "k" .. number }
      for name, make in pairs(draw) do if math.random(4) > 1 then values[name] = make() end end
      source.entities.Item(values)
    end
    source.context:save()

    local function dump(value)
      if type(value) == "table" then
        local parts = {}
        for k, v in pairs(value) do parts[#parts + 1] = ("%s=%s"):format(tostring(k), dump(v)) end
        table.sort(parts)
        return "{" .. table.concat(parts, ",") .. "}"
      end
      if type(value) == "string" then return ("%q"):format(value) end
      if math.type(value) == "float" then return ("%a"):format(value) end
      return tostring(value)
    end
    local compared = 0
    local function read(file) local f <close> = io.open(file, "rb") return f:read "a" end
    local readers = {
      lua = function(target) target.entities.Item:batchInsert(dofile "items.lua") end,
      sql = function(target) target:sql(read "items.sql") end,
    }
    for _, mode in ipairs { "csv", "tsv", "json", "ndjson", "lua", "sql" } do
      export(source.entities.Item:all(), "items." .. mode)
      local target = open(":memory:", { model = model })
      if readers[mode] then readers[mode](target) else import(target.entities.Item, "items." .. mode) end
      for item in source.entities.Item:all():each() do
        local copy = target.entities.Item:find(item.key)
        for name in pairs(types) do
          compared = compared + 1
          local before, after = dump(item[name]), dump(copy[name])
          if before ~= after then print(mode, item.key, name, before, after) end
        end
      end
    end
    print(compared)
    """

  @Test(arguments: [1, 2, 3])
  func everyTypeOfAttributeComesBackFromEveryFormatForData(seed: Int) throws {
    let result = try BuiltProgram().run(script: Self.script, ["\(Seed.drawn(seed))"])
    #expect(result.errors == "")
    #expect(result.output == "5040\n")
  }

  @Test func aTextThatStandsForNothingIsNothingInATabSeparatedTextToo() throws {
    let program = try BuiltProgram.withStore()
    try program.write("new.tsv", "code\tplace\nus6\tNA\nus7\t\nus8\t\\N\n")
    let result = try program.run([
      "quakes.sqlite", "-e", "import(Quake, 'new.tsv', { null = 'NA' }).inserted",
      "-e", "Quake:find('us6').place, Quake:find('us7').place, Quake:find('us8').place",
    ])
    #expect(result.output == "3\nnil\n\nnil\n")
  }

  @Test func insertStatementsKeepKeysAndReferences() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(
      script: """
        local model = Model {
          Person = Entity { name = String },
          Boss = Entity { level = Int, _ = { parent = "Person" } },
          Pet = Entity { name = String, owner = ToOne "Person" },
        }
        local source = open(":memory:", { model = model })
        local boss = source.entities.Boss { name = "O'Hara \u{1F600}\0", level = 3 }
        source.entities.Pet { name = "Rex", owner = boss }
        local pending = source.entities.Pet { name = "Unsaved", owner = source.entities.Person { name = "x" } }
        show(pending, { mode = "insert" })
        context_of = source.context
        context_of:save()
        source.entities.Pet:first("name = 'Unsaved'"):delete()
        context_of:save()
        for _, name in ipairs { "Boss", "Pet" } do export(source.entities[name]:all(), name .. ".sql") end
        local target = open(":memory:", { model = model })
        for _, name in ipairs { "Boss", "Pet" } do
          local file <close> = io.open(name .. ".sql")
          target:sql(file:read "a")
        end
        local rex = target.entities.Pet:first "name = 'Rex'"
        print(rex.owner.entity.name, rex.owner.level, rex.owner.name == boss.name, tostring(rex.owner.objectID) == tostring(boss.objectID))
        show(source.entities.Boss:all(), { mode = "insert", table = 'my "table"', columns = { "level" } })
        show(store and 1 or { { a = 1.5, b = "it's" } }, { mode = "insert" })
        """)
    #expect(result.errors == "")
    #expect(
      result.output == """
        INSERT INTO "pet"("_pk","name","owner_pk") VALUES(NULL,'Unsaved',NULL);
        Boss\t3\ttrue\ttrue
        INSERT INTO "my ""table\"""("level") VALUES(3);
        INSERT INTO "rows"("a","b") VALUES(1.5,'it''s');

        """)
  }

  @Test func aTableInLuaIsReadBackByLoad() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run([
      "quakes.sqlite", "--mode", "lua", "-e",
      #"{ 1, 2.5, -0.0, 1/0, "a\0\"b", n = { ["x y"] = Date(0.5), d = Decimal "1.10", null }, [7] = true }"#,
      "-e", "Quake:sorted('code'):limit(1)", "-e", "'text'", "-e", "{ print }",
    ])
    #expect(
      result.output.hasPrefix(#"{ 1, 2.5, -0.0, math.huge, 'a\x00"b', [7] = true, n = { null, "#), "\(result.output)")
    #expect(result.output.contains(#"d = Decimal "1.1", ["x y"] = Date "1970-01-01T00:00:00.5Z""#), "\(result.output)")
    #expect(result.output.contains("\n{\n  {"), "\(result.output)")
    #expect(result.output.hasSuffix(" },\n}\n\"text\"\n"), "\(result.output)")
    #expect(result.errors.contains("no Lua source makes this value again: function"), "\(result.errors)")
  }
}
