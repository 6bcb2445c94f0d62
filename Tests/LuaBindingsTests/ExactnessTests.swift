import LuaBindings
import Testing

@Suite struct ExactnessTests {
  private func script() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model { Item = Entity { name = String, price = Decimal { indexed = true }, n = Int, at = Date } } }))
      """)
    return script
  }

  @Test func decimalsAreExactEverywhere() throws {
    let script = try script()
    try script.run(
      """
      texts = { "0.000000000000000000000000000001", "-0.000000000000000000000000000001",
        "12345678901234567890123456789012345678", "-12345678901234567890123456789012345678", "0.1", "0.2", "10", "9",
        "1234567890123456789.0123456789012345678", "100000000000000000000000000000000000000000000000000" }
      for i, text in ipairs(texts) do Item { name = tostring(i), price = Decimal(text) } end
      save() context:reset()
      local wrong = {}
      for i, text in ipairs(texts) do
        local item = Item:first('name == %@', tostring(i))
        if tostring(item.price) ~= text then wrong[#wrong + 1] = tostring(item.price) end
        if Item:count('price == %@', Decimal(text)) ~= 1 then wrong[#wrong + 1] = "== " .. text end
        if Predicate('price == %@', Decimal(text)):evaluate(item) ~= true then wrong[#wrong + 1] = "memory " .. text end
      end
      local order = {}
      for item in Item:all():sorted("price"):each() do order[#order + 1] = item.name end
      """)
    #expect(try script.value("table.concat(wrong, ' '), table.concat(order, ' ')") == " 4 2 1 5 6 8 7 9 3 10")
    #expect(try script.value("Item:where('name IN {\"5\", \"6\"}'):sum('price')") == "0.3")
    #expect(try script.value("Item:where('name IN {\"1\", \"2\", \"7\"}'):sum('price')") == "10")
    #expect(
      try script.value("Item:where('name IN {\"3\", \"8\"}'):sum('price')") == "12345678901234567890123456789012345687")
    #expect(
      try script.value("Item:all():max('price') == Decimal(texts[10]), Item:all():min('price') == Decimal(texts[4])")
        == "true true")
    #expect(script.error("Decimal '1234567890123456789012345678901234567890'")?.contains("at most 38 digits") == true)
  }

  @Test func integersAreExactToTheirEnds() throws {
    let script = try script()
    try script.run(
      """
      local all = { math.maxinteger, math.mininteger, math.maxinteger - 1, 1 << 53, (1 << 53) + 1, 0 }
      for i, n in ipairs(all) do Item { name = tostring(i), n = n } end
      save() context:reset()
      local wrong, order = 0, {}
      for i, n in ipairs(all) do
        if Item:first('name == %@', tostring(i)).n ~= n or Item:count('n == %@', n) ~= 1 then wrong = wrong + 1 end
      end
      for item in Item:all():sorted("-n"):each() do order[#order + 1] = item.name end
      """)
    #expect(try script.value("wrong, table.concat(order, ' ')") == "0 1 3 5 4 6 2")
    #expect(
      try script.value("Item:all():max('n') == math.maxinteger, Item:all():min('n') == math.mininteger") == "true true")
    #expect(script.error("Item { n = 2^63 }")?.contains("expected Integer64") == true)
    #expect(script.error("Item { n = 0.5 }")?.contains("fraction") == true)
  }

  @Test func datesAreExactToTheMicrosecond() throws {
    let script = try script()
    try script.run(
      """
      local texts = { "1700-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000001Z",
        "2024-01-22T16:26:12.123456Z", "2024-01-22T16:26:12.123457Z", "2239-12-31T23:59:59.999999Z" }
      for i, text in ipairs(texts) do Item { name = tostring(i), at = Date(text) } end
      save() context:reset()
      local wrong, order = {}, {}
      for i, text in ipairs(texts) do
        local item = Item:first('name == %@', tostring(i))
        if tostring(item.at) ~= text then wrong[#wrong + 1] = tostring(item.at) end
        if Item:count('at == %@', Date(text)) ~= 1 then wrong[#wrong + 1] = "== " .. text end
      end
      for item in Item:all():sorted("-at"):each() do order[#order + 1] = item.name end
      """)
    #expect(try script.value("table.concat(wrong, ' '), table.concat(order, ' ')") == " 6 5 4 3 2 1")
  }
}
