import Modeling
import TestSupport
import Testing

@Suite(.seeded) struct ArrayJoinedTests {
  @Test func textsAreJoinedAsTheStandardLibraryJoinsThem() {
    var random = SplitMix(seed: 7)
    for _ in 0..<200 {
      let pieces = ["", "a", "é", "\u{301}", "🇩🇪", ", "]
      let texts = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      let separator = pieces.randomElement(using: &random)!
      let standard = AnySequence(texts).joined(separator: separator)
      #expect(Array(texts.joined(separator: separator).utf8) == Array(standard.utf8))
    }
  }
}
