import Modeling
import TestSupport
import Testing

@testable import Queries

/// The string operators against references written plainly.
@Suite(.seeded) struct TextPatternTests {
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
        // An empty text is found nowhere.
        let places =
          wanted.isEmpty || other.count > one.count
          ? [] : (0...(one.count - other.count)).filter { one[$0...].starts(with: other) }
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
    ("\\)(a", "( without )"), ("(+a)", "nothing before + to repeat"), ("a|?", "nothing before ? to repeat"),
    ("\\(*a(", "( without )"),
  ])
  func invalidExpressionsTellWhy(_ pattern: String, _ reason: String) {
    #expect(throws: PredicateError(.invalidRegularExpression(pattern, reason: reason))) {
      try TextPattern(.matches, pattern, [])
    }
  }

  @Test func noBytesAreFoundInAnyText() throws {
    let text = Array("abc".utf8)
    let found = try text.withUnsafeBufferPointer { text in
      try [[], [98], [100]].map { try ByteSearch($0).isFound(in: text) }
    }
    #expect(found == [true, true, false])
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

  @Test func containsAgreesWithTheReferenceForLongPatterns() throws {
    var trees = RandomTrees(seed: 11)
    for _ in 0..<Effort.rounds(1000) {
      func word(_ length: Int) -> [UInt8] { (0..<length).map { _ in trees.pick([0x61, 0x61, 0x61, 0x62]) } }
      let unit = word(Int.random(in: 1..<9, using: &trees.random))
      let text = (0..<40).flatMap { _ in Bool.random(using: &trees.random) ? unit : word(3) }
      let length = Int.random(in: 1...40, using: &trees.random)
      let start = Int.random(in: 0...(text.count - length), using: &trees.random)
      var pattern = Array(text[start..<start + length])
      if Bool.random(using: &trees.random) { pattern[pattern.count / 2] ^= 3 }
      let expected = text.indices.contains { text[$0...].starts(with: pattern) }
      let (whole, part) = (String(decoding: text, as: UTF8.self), String(decoding: pattern, as: UTF8.self))
      #expect(try TextPattern(.contains, part, []).matches(whole) == expected, "\(whole) CONTAINS \(part)")
    }
  }

  @Test func longTextsAreFoldedInPartsAsAWhole() throws {
    var trees = RandomTrees(seed: 12)
    let pieces = [
      "É", "e\u{301}", "ß", "Σ", "ς ", "ﬁ", "東京", "が", "か\u{3099}", "한", "\u{1112}\u{1161}\u{11AB}", "\r\n", "A", " ",
    ]
    let options: [ComparisonOptions] = [
      .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive, .localeSensitive],
    ]
    for options in options {
      let text = (0..<40_000).map { _ in trees.pick(pieces) }.joined()
      #expect(try foldedInParts(text, options) == folded(text, options))
    }
  }

  @Test func longTextsCanBeStoppedIn() throws {
    let text = String(repeating: "äa", count: 200_000)
    let patterns: [(Comparator, String)] = [
      (.contains, String(repeating: "äa", count: 100) + "b"), (.like, "*äa*äb"), (.matches, "(.*)*(.*)*b"),
    ]
    for (comparator, pattern) in patterns {
      for options: ComparisonOptions in [[], .caseInsensitive] {
        let prepared = try TextPattern(comparator, pattern, options)
        #expect(throws: EvaluationInterrupted.self) { try Interruption.asking({ true }) { try prepared.matches(text) } }
      }
    }
  }
}
