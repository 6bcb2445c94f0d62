import Modeling
import Queries
import Testing

/// Rubbish is refused with places inside of the text, and never crashes or hangs the parser.
@Suite struct ParserFuzzTests {
  private static let pieces = [
    "a", "name", " ", "  ", "(", ")", "{", "}", "[", "]", ",", ".", "==", "=", "!=", "<", ">=", "=<", "<>", "&&", "||",
    "!", "AND ", " OR ", "NOT ", "ANY ", "ALL ", "NONE ", "IN ", "BETWEEN ", " CONTAINS[cd] ", "LIKE", "MATCHES ",
    "'x'", "\"y\"", "'", "\"", "\\", "1", "2.5", "0x", "-", "+", "*", "/", "**", "&", "|", "^", "~", "$v", "$", "#",
    "#size", "@count", ".@sum.", "@", "%@", "%K", "%d", "%", "%%", "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(",
    "year(", "max(", "nil", "TRUEPREDICATE", "SELF", "[FIRST]", "[SIZE]", "é", "“", "😀", "\u{A0}", "\u{0}", ":=", ":",
    "add:to:(", "?", ";", "\n", "NOT IN", "IS NOT NULL", "HASPREFIX", "self", "size",
  ]

  private static let seeds = [
    "a == 1 AND (b CONTAINS[cd] 'x' OR NOT c IN {1, 2, nil}) AND reports.@count > 3",
    "SUBQUERY(reports, $r, $r.score > 3 AND ANY $r.x == %@).@count > 0 AND year(time) == 2024",
    "TERNARY(a > 1, b, CAST('x', 'NSString')) == FUNCTION(now(), 'timeIntervalSinceDate:', t) ** 2",
  ]

  private func check(_ text: String) {
    let argument = PredicateArgument.value(.int(1))
    do {
      let predicate = try Predicate.parse(text, arguments: text.contains("%") ? [argument] : [])
      // Whatever is accepted is printed, read again and checked.
      #expect(try Predicate.parse(predicate.format) == predicate, "\(text)")
      _ = mistakes { try predicate.check(in: Sample.quake) }
    } catch {
      #expect(!error.issues.isEmpty && error.issues.count <= 25, "\(text)")
      for issue in error.issues {
        guard let origin = issue.origin else {
          Issue.record("no place for \(issue.fact) in \(text)")
          continue
        }
        #expect(origin.text == text && origin.range.upperBound <= text.utf8.count, "\(text)")
      }
    }
  }

  @Test func randomPiecesAreSurvived() {
    var trees = RandomTrees(seed: 2)
    for _ in 0..<Effort.rounds(1500) {
      let count = Int.random(in: 1...20, using: &trees.random)
      check((0..<count).map { _ in trees.pick(Self.pieces) }.joined())
    }
  }

  @Test func changedPredicatesAreSurvived() {
    var trees = RandomTrees(seed: 3)
    for _ in 0..<Effort.rounds(1000) {
      var text = Array(trees.pick(Self.seeds).unicodeScalars)
      for _ in 0...Int.random(in: 0..<4, using: &trees.random) {
        let place = Int.random(in: 0..<text.count, using: &trees.random)
        switch Int.random(in: 0..<3, using: &trees.random) {
        case 0: text.remove(at: place)
        case 1: text.insert(contentsOf: Array(trees.pick(Self.pieces).unicodeScalars), at: place)
        default: text.swapAt(place, Int.random(in: 0..<text.count, using: &trees.random))
        }
      }
      check(String(String.UnicodeScalarView(text)))
    }
  }

  @Test func randomBytesAreSurvived() {
    var trees = RandomTrees(seed: 4)
    for _ in 0..<Effort.rounds(1000) {
      let bytes = (0..<Int.random(in: 0..<30, using: &trees.random)).map { _ in
        UInt8.random(in: 0...255, using: &trees.random)
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }
}
