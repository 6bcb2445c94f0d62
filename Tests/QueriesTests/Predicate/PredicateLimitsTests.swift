import Modeling
import Queries
import Testing

@Suite struct PredicateLimitsTests {
  private let depth = Predicate.comparison(Comparison(.path(PropertyPath(["depth"])), .greater, .constant(.int(1))))

  /// Combines until it is refused.
  private func combined(_ step: (Predicate) throws(PredicateError) -> Predicate) -> (Predicate, PredicateError?) {
    var predicate = depth
    for _ in 0..<10_000 {
      do throws(PredicateError) { predicate = try step(predicate).limited() } catch { return (predicate, error) }
    }
    return (predicate, nil)
  }

  @Test func nestingEndsWithAFactAndWhatWasNotRefusedCanBeReadAgainAsPrinted() throws {
    let steps: [@Sendable (Predicate, Predicate) -> Predicate] = [
      { ($0 & $1) | $1 }, { ~($0 & $1) }, { ~($0 | $1) & $1 }, { ~(~($0 & $1) | $1) },
    ]
    for step in steps {
      let (deepest, error) = combined { step($0, depth) }
      #expect(error?.issues.map(\.fact) == [.tooDeep(limit: Nesting.predicates)])
      #expect(try Predicate.parse(deepest.format) == deepest)
    }
  }

  @Test func doublingEndsWithAFact() {
    let steps: [@Sendable (Predicate, Predicate) -> Predicate] = [
      { left, _ in left | left }, { left, other in (left & other) | (left & ~other) },
    ]
    for step in steps {
      let (_, error) = combined { step($0, depth) }
      #expect(error?.issues.map(\.fact) == [.tooLarge(limit: 100_000)])
    }
  }

  /// It took a time that tripled with each bracket.
  @Test func aMistakeWithinSubscriptsOfSubscriptsIsToldAtOnce() {
    for opening in ["[", "{", "(", "abs("] {
      for closing in ["", ")", "]", "}"] {
        let text = String(repeating: opening, count: 60) + "depth > 1" + String(repeating: closing, count: 60)
        _ = try? Predicate.parse(text)
      }
    }
  }

  @Test func aLongChainIsNotDeep() {
    var long = depth
    for _ in 0..<2000 { long = long & depth }
    #expect(throws: Never.self) { try long.limited() }
    #expect(throws: Never.self) { try (~(~long | long)).limited() }
  }

  @Test func theExtentOfAConjunctionIsThatOfItsParts() throws {
    let texts = [
      "a == 1", "a == 1 AND b == 2", "a == 1 OR b == 2", "NOT (a == 1 AND b == 2)", "NOT NOT a == 1",
      "(a == 1 OR b == 2 AND NOT c == 3) AND (d == 4 OR (e == 5 AND (f == 6 OR g == 7)))", "TRUEPREDICATE",
    ]
    let predicates = try texts.map { try Queries.Predicate.parse($0) }
    for left in predicates {
      for right in predicates {
        #expect(left.extent.joined(with: right.extent) == (left & right).extent, "\(left) & \(right)")
      }
    }
  }
}
