import Testing

@testable import LuaBindings

/// A line is read as an expression or as a chunk, and its mistake is that of the reading that was meant.
@Suite struct EngineReadingTests {
  @Test(arguments: [
    ("4 $ 5", "syntax error near '$'"), ("a b", "syntax error near 'b'"), ("a + $", "unexpected symbol near '$'"),
    ("function(x) retrun x end", "syntax error near 'x'"), ("{ 1, = }", "unexpected symbol near '='"),
    ("-- one\n4 +", "unexpected symbol near <eof>"), ("print(1 + $)", "unexpected symbol near '$'"),
    ("function f( return 1 end", "<name> or '...' expected near 'return'"), ("a = = 2", "unexpected symbol near '='"),
    ("local function", "<name> expected near <eof>"), ("x = 1; y z", "syntax error near 'z'"),
    ("f(1) y z", "syntax error near 'z'"), ("local x =\nlocal", "unexpected symbol near 'local'"),
  ])
  func aMistakeIsTheExpressionsWhereNoStatementBeginsLikeIt(text: String, words: String) throws {
    let script = try Script()
    #expect(script.engine.syntaxError(in: text) == words)
    #expect(script.error(text)?.hasSuffix(": \(words)") == true, "\(script.error(text) ?? "")")
  }

  @Test(arguments: [
    "{ 1,", "2 +", "function(x)", "not", "a and", "\"a\" ..", "#", "- -- one", "f { x = 1 } ==", "{ [[a",
  ])
  func anExpressionIsIncompleteWhenMoreLinesMayEndIt(text: String) throws {
    let script = try Script()
    #expect(!script.engine.isComplete(text))
  }

  @Test(arguments: ["{ 1, \"a", "2 + $", "for i = 1 3 do (", "x = = (", "a b (", "return", "-- {", "x = 1 -- +"])
  func noLineIsWaitedForWhereNoneHelps(text: String) throws {
    let script = try Script()
    #expect(script.engine.isComplete(text))
  }

  @Test(arguments: [
    ("x = = 2", 1, 4..<5), ("x = 1 = 2; y = 3", 1, 6..<7), ("x = 1\ny = = 2\nz = 3", 2, 10..<11),
    ("for i=1 3 do end", 1, 8..<9), ("4 $ 5", 1, 2..<3), ("f(1, \"a\" \"a\")", 1, 9..<12),
    ("x = [[a\nb]] )", 2, 12..<13),
  ])
  func aSyntaxErrorIsPlacedAtTheTokenThatEndsTheReading(text: String, line: Int, range: Range<Int>) throws {
    let script = try Script()
    let words = try #require(script.engine.syntaxError(in: text))
    #expect(script.engine.spot(ofSyntaxError: words, in: text, line: line) == range, "\(words)")
  }

  @Test(arguments: [("for i = 1, 3 do", 1), ("x = \"a", 1), ("x = 1 [[a\nb]]", 2)])
  func theEndOfATextAndAStringOfSeveralLinesHaveNoPlace(text: String, line: Int) throws {
    let script = try Script()
    let words = try #require(script.engine.syntaxError(in: text))
    #expect(script.engine.spot(ofSyntaxError: words, in: text, line: line) == nil, "\(words)")
  }
}
