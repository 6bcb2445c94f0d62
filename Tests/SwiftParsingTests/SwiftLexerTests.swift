import SwiftParsing
import TestSupport
import Testing

/// Swift source is split into tokens that say where they stand.
@Suite(.seeded) struct SwiftLexerTests {
  private func kinds(_ text: String) -> [SwiftToken.Kind] {
    var lexer = SwiftLexer(text)
    return lexer.tokenize().map(\.kind)
  }

  @Test func eachKindOfTokenIsRead() {
    #expect(
      kinds(#"@Query(sort: \.time) var x = #sel + 1_0 // end"#) == [
        .attribute("Query"), .sign("("), .name("sort"), .sign(":"), .sign("\\"), .sign("."), .name("time"), .sign(")"),
        .name("var"), .name("x"), .sign("="), .pound("sel"), .sign("+"), .number("1_0"), .end,
      ])
  }

  @Test(arguments: [
    (#""a\n\u{e9}""#, "a\né"), (##"#"a\n"#"##, #"a\n"#), ("\"\"\"\n  a\n  b\n  \"\"\"", "a\nb"), ("`in`", nil),
  ])
  func textsAreWhatTheyStandFor(source: String, content: String?) {
    guard case .string(let string)? = kinds(source).first else {
      #expect(content == nil && kinds(source).first == .name("in"))
      return
    }
    #expect(string.content == content && string.interpolations.isEmpty)
  }

  @Test(arguments: ["b", "b + c(2)", #"c(")")"#, #""x \(d(")(")) y""#, #""\"(""#])
  func interpolationsAreKeptWithTheirPlaces(value: String) throws {
    let text = "\"a \\(\(value)) d\""
    guard case .string(let string)? = kinds(text).first else {
      Issue.record("no text")
      return
    }
    let place = try #require(string.interpolation)
    #expect(String(decoding: Array(text.utf8)[place], as: UTF8.self) == "\\(\(value))")
    #expect(string.content == "a \(SwiftString.interpolated) d")
  }

  @Test func placesOfTokensAscendAndLieWithinAnyText() {
    let pieces = [
      "\"", "\\(", ")", "/*", "*/", "//", "\n", "a", "é", "😀", "#", "@", "0x", "1", ".", " ", "`", "\"\"\"", "\0",
    ]
    var random = SplitMix(seed: 46)
    for _ in 0..<2_000 {
      let text = (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
      var lexer = SwiftLexer(text)
      var end = 0
      for token in lexer.tokenize() {
        #expect(token.range.lowerBound >= end && token.range.upperBound <= text.utf8.count, "\(text.debugDescription)")
        end = token.range.upperBound
      }
    }
  }
}
