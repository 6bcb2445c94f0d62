import Modeling
import Testing

@Suite struct QuotingTests {
  @Test func quotesWithinAreDoubled() {
    #expect(quoted("a\"b", by: "\"") == "\"a\"\"b\"")
    #expect(quoted("", by: "'") == "''")
    #expect(quoted("it's \\n", by: "'", doubling: "\\") == "'it''s \\\\n'")
  }

  @Test func aQuoteBeforeAnAccentIsAQuote() {
    #expect(Array(quoted("'\u{301}", by: "'").unicodeScalars) == ["'", "'", "'", "\u{301}", "'"])
  }
}
