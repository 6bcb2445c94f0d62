import Testing

@Suite struct ValueTests {
  @Test func anExpressionHasItsValue() throws {
    let script = try Script()
    #expect(try script.value("6 * 7") == "42")
    #expect(try script.values("1, 'two', nil") == ["1", "two", "nil"])
  }

  @Test func aDateReadsAndPrintsISO8601() throws {
    let script = try Script()
    #expect(try script.value(#"Date "2024-01-22T16:26:12Z""#) == "2024-01-22T16:26:12Z")
    #expect(try script.value("Date(0)") == "1970-01-01T00:00:00Z")
    #expect(try script.value("Date() > Date(0)") == "true")
  }

  @Test func aDateHasItsParts() throws {
    let script = try Script()
    try script.run(#"local d = Date "2024-01-22T16:26:12.5Z""#)
    #expect(
      try script.value("d.year, d.month, d.day, d.hour, d.minute, d.second, d.weekday") == "2024 1 22 16 26 12.5 2")
  }

  @Test func datesCompareAddAndSubtract() throws {
    let script = try Script()
    try script.run(#"local a, b = Date "2024-01-22", Date "2024-01-23""#)
    #expect(try script.value("a < b, a <= a, a == Date '2024-01-22', a ~= b") == "true true true true")
    #expect(
      try script.value("b - a, a + 86400 == b, b - 86400 == a, 60 + a") == "86400.0 true true 2024-01-22T00:01:00Z")
    #expect(script.error("return a + b") == "Date: '+' cannot combine Date and Date")
    #expect(script.error("return a < 5")?.contains("Date: '<' cannot combine Date and number") == true)
  }

  @Test func decimalsAreExact() throws {
    let script = try Script()
    #expect(try script.value(#"Decimal "0.1" + Decimal "0.2""#) == "0.3")
    #expect(
      try script.value(#"Decimal "1.10" == Decimal "1.1", Decimal "2" > 1, Decimal "3" * 2, -Decimal "4""#)
        == "true true 6 -4")
    #expect(script.error(#"Decimal "1.2.3""#) == #"Decimal: "1.2.3" is not a decimal number of at most 38 digits"#)
  }

  @Test func typeWordsMakeValues() throws {
    let script = try Script()
    #expect(try script.value(#"UUID "E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#) == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(try script.value("#UUID()") == "36")
    #expect(try script.value(#"URL "https://a.b/c", Data "xyz""#) == "https://a.b/c xyz")
    #expect(script.error(#"UUID "no""#) == #"UUID: "no" is not a valid UUID"#)
    #expect(
      script.error(#"Date "yesterday""#)
        == #"Date: "yesterday" is not a date in ISO 8601, such as 2024-01-22T16:26:12Z"#)
    #expect(script.error("Date(true)") == "Date: expected seconds, or a string in ISO 8601, got boolean")
    #expect(script.error("Bool(1)") == "Bool: expected a table of options; Bool makes no values, got number")
  }
}
