import Testing

@testable import PostgresStorage

@Suite struct PostgresReversalTests {
  @Test(arguments: [
    ("{}", []), ("{a}", ["a"]), ("{a,b c}", ["a", "b c"]), (#"{"a,b",c}"#, ["a,b", "c"]),
    (#"{"a\"b","c\\d",e}"#, [#"a"b"#, #"c\d"#, "e"]), (#"{a\"b}"#, [#"a"b"#]),
  ])
  func anArrayIsReadAsTheServerQuotesIt(_ text: String, _ elements: [String]) {
    #expect(PostgresReversal.elements(text) == elements)
  }
}
