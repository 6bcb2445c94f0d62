import TestSupport
import Testing

@testable import Session
@testable import Shell

@Suite(.seeded) struct LuaOutlineTests {
  @Test(arguments: [
    ("f(a[1])", 1, "1 6"), ("f(a[1])", 7, "6 1"), ("f(a[1])", 3, "3 5"), ("f(a[1])", 2, "1 6"),
    ("f(a[1])", 0, ""), ("'(' .. ')'", 1, ""), ("-- (\n)", 3, ""), ("(]", 0, ""), ("f(']')", 1, "1 5"),
    ("()()", 2, "2 3"), ("(", 1, ""), ("{{}", 3, "2 1"),
  ])
  func theBracketAtTheCursorHasAPartner(block: String, point: Int, expected: String) {
    let found = LuaOutline(block).brackets(at: point).map { "\($0.near.lowerBound) \($0.far.lowerBound)" }
    #expect(found ?? "" == expected)
  }

  @Test func bracketsThatBelongTogetherNeverCross() {
    var random = SplitMix(seed: 1)
    for _ in 0..<300 {
      let pieces = ["(", ")", "[", "]", "{", "}", "'", "\"", "--", "\n", "a", "[[", "]]", "=", "é"]
      let outline = LuaOutline((0..<random.below(30)).map { _ in random.pick(pieces) }.joined())
      #expect(outline.openers.count == outline.tokens.count)
      for (near, far) in outline.partners {
        #expect(outline.partners[far] == near)
        for inside in min(near, far)...max(near, far) {
          guard let other = outline.partners[inside] else { continue }
          #expect((min(near, far)...max(near, far)).contains(other))
        }
      }
    }
  }
}
