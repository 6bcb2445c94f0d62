import Modeling
import Queries
import TestSupport
import Testing

/// Rubbish is refused with places inside of the text, and never crashes or hangs the parser.
@Suite(.seeded) struct ParserFuzzTests {
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
    let arguments = text.contains("%") ? [argument] : []
    let (predicate, issues) = Predicate.diagnose(text, arguments: arguments, in: Sample.quake)
    let again = Predicate.diagnose(text, arguments: arguments, in: Sample.quake)
    #expect(again.predicate == predicate && again.issues == issues, "\(text)")
    #expect(issues.count <= 25, "\(text)")
    let bytes = Array(text.utf8)
    for issue in issues {
      guard let origin = issue.origin, origin.text == text, origin.range.upperBound <= bytes.count else {
        Issue.record("no place for \(issue.fact) in \(text)")
        continue
      }
      for end in [origin.range.lowerBound, origin.range.upperBound] where end < bytes.count {
        #expect(bytes[end] & 0xC0 != 0x80, "\(issue.fact) ends within a character of \(text)")
      }
    }
    do {
      let parsed = try Predicate.parse(text, arguments: arguments)
      // Each accepted text is printed, read again and checked.
      #expect(parsed == predicate, "\(text)")
      #expect(try Predicate.parse(parsed.format) == parsed, "\(text)")
      #expect(mistakes { try parsed.check(in: Sample.quake) }.count == issues.count, "\(text)")
    } catch {
      #expect(predicate == nil && !error.issues.isEmpty && error.issues.count <= 25, "\(text)")
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
      var text = Array(trees.pick(Self.seeds + PredicateCorpus.texts).unicodeScalars)
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

  /// The work must grow with the length and not with its square, or these would never end.
  @Test(arguments: [
    "a == 1 OR ", "a.b.c == 1 OR ", "a + b + c == 1 OR ", "ANY r.s[0] == 1 AND ",
    "SUBQUERY(r, $x, $x.s > 1).@count > 0 OR ",
    ")", "]", "?", "'", "\"", "%", "@", "#", "$", "a:", "a:b:c:d ", "wrong ", "wrong == 5 FOO ", "a == ) AND ", "{1, ",
    "\\",
    "NOT ", "(", "a.", "1.", "-", "+ a ", "\u{FF}", "😀", "IN ", "a IN (1, 2) OR ", ":= ", "a.b('x') ", "== ", "1 < ",
    "a BETWEEN 1 AND 5 AND ", "yeer(", "CAST(", "#\"x\".",
  ])
  func aMegabyteOfAnythingIsRead(_ piece: String) {
    let size = Effort.isLong ? 1_000_000 : 20_000
    let text = String(repeating: piece, count: size / piece.utf8.count)
    let issues = Predicate.diagnose(text, in: Sample.quake).issues
    #expect(!issues.isEmpty && issues.count <= 25)
  }

  @Test func aMegabyteThatIsRightIsAccepted() throws {
    let size = Effort.isLong ? 1_000_000 : 20_000
    for term in ["station.name == 'x'", "ANY reports.author.age > 3", "magnitude + depth * 2 > 1", "count IN {1, 2}"] {
      let text = [String](repeating: term, count: size / term.utf8.count).joined(separator: " OR ")
      let (predicate, issues) = Predicate.diagnose(text, in: Sample.quake)
      #expect(predicate != nil && issues.isEmpty, "\(term)")
    }
    let name = String(repeating: "n", count: size)
    #expect(Predicate.diagnose("\(name) == 1", in: Sample.quake).issues.count == 1)
    let list = "count IN {" + (0..<size / 8).map(String.init).joined(separator: ", ") + "}"
    #expect(Predicate.diagnose(list, in: Sample.quake).issues.isEmpty)
  }
}
