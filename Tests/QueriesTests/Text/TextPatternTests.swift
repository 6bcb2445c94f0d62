import Queries
import Testing

/// The string operators against references written plainly.
@Suite struct TextPatternTests {
  /// LIKE by recursion over scalars.
  private func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*": return isLike(text, pattern.dropFirst()) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    case "?": return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
    case "\\" where pattern.count > 1:
      return text.first == pattern.dropFirst().first && isLike(text.dropFirst(), pattern.dropFirst(2))
    default: return text.first == first && isLike(text.dropFirst(), pattern.dropFirst())
    }
  }

  @Test func likeAgreesWithTheReference() throws {
    var trees = RandomTrees(seed: 5)
    for _ in 0..<Effort.rounds(1000) {
      let text = (0..<Int.random(in: 0..<7, using: &trees.random)).map { _ in
        trees.pick(["a", "b", "é", "*", "\\", "😀"])
      }.joined()
      let pattern = (0..<Int.random(in: 0..<6, using: &trees.random)).map { _ in
        trees.pick(["a", "b", "é", "*", "?", "\\", "*"])
      }.joined()
      let expected = isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
      #expect(try TextPattern(.like, pattern, []).matches(text) == expected, "\(text) LIKE \(pattern)")
    }
  }

  @Test func searchingAgreesWithTheReference() throws {
    var trees = RandomTrees(seed: 6)
    for _ in 0..<Effort.rounds(1000) {
      let text = (0..<Int.random(in: 0..<9, using: &trees.random)).map { _ in trees.pick(["a", "b", "A", "é", "É"]) }
        .joined()
      let wanted = (0..<Int.random(in: 0..<3, using: &trees.random)).map { _ in trees.pick(["a", "b", "A", "é", "e"]) }
        .joined()
      for options: ComparisonOptions in [
        [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ] {
        let (one, other) = (Array(folded(text, options).utf8), Array(folded(wanted, options).utf8))
        let places =
          other.count > one.count ? [] : (0...(one.count - other.count)).filter { one[$0...].starts(with: other) }
        #expect(try TextPattern(.contains, wanted, options).matches(text) == !places.isEmpty)
        #expect(try TextPattern(.beginsWith, wanted, options).matches(text) == places.contains(0))
        #expect(try TextPattern(.endsWith, wanted, options).matches(text) == places.contains(one.count - other.count))
      }
    }
  }

  @Test func manyStarsAreFast() throws {
    let pattern = String(repeating: "a*", count: 40) + "b"
    #expect(try !TextPattern(.like, pattern, []).matches(String(repeating: "a", count: 20_000)))
  }

  @Test func regularExpressionsMatchTheWholeText() throws {
    func matches(_ pattern: String, _ text: String, _ options: ComparisonOptions = []) throws -> Bool {
      try TextPattern(.matches, pattern, options).matches(text)
    }
    #expect(try matches("a|ab", "ab"))
    #expect(try !matches("a", "ab") && !matches("b", "ab") && !matches("ab", "ab\n"))
    #expect(try matches("É+", "éÉ", .caseInsensitive) && matches("e+", "éè", .diacriticInsensitive))
    #expect(try matches("\\d{2}", "42") && matches("", "") && matches(".*", "😀"))
  }

  @Test(arguments: [
    ("[a", "[ without ]"), ("(a", "( without )"), ("a)", ") without ("), ("*a", "nothing before * to repeat"),
    ("a\\", "a backslash at the end"), ("a)|(b", ") without ("), ("a{2,1}", "ICU does not accept it"),
  ])
  func invalidExpressionsTellWhy(_ pattern: String, _ reason: String) {
    #expect(throws: PredicateError(.invalidRegularExpression(pattern, reason: reason))) {
      try TextPattern(.matches, pattern, [])
    }
  }

  @Test func foldingIsIdempotent() {
    var trees = RandomTrees(seed: 7)
    for _ in 0..<500 {
      let text = trees.text() + trees.pick(["ß", "ﬁ", "İ", "ı", "Σς", "Ǆ", "ΐ", "K", "Å"])
      for options: ComparisonOptions in [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ] {
        let once = folded(text, options)
        #expect(folded(once, options) == once)
      }
    }
  }
}
