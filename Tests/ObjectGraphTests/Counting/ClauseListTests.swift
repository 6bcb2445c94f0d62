import Queries
import Testing

@testable import ObjectGraph

@Suite struct ClauseListTests {
  @Test(arguments: [
    ("a == 1", "AND", ["a == 1"]), ("a == 1 AND (b == 2 AND c == 3)", "AND", ["a == 1", "b == 2", "c == 3"]),
    ("a == 1 AND (b == 2 OR c == 3)", "AND", ["a == 1", "b == 2 OR c == 3"]),
    ("(a == 1 OR b == 2) OR (c == 3 AND d == 4)", "OR", ["a == 1", "b == 2", "c == 3 AND d == 4"]),
    ("NOT (a == 1 AND NOT (b == 2 OR c == 3))", "OR", ["NOT a == 1", "b == 2", "c == 3"]),
    ("NOT (a == 1 OR (b == 2 AND c == 3))", "AND", ["NOT a == 1", "NOT (b == 2 AND c == 3)"]),
  ])
  func aPredicateIsSplitAsFarAsItIsJoinedByOneWord(_ text: String, _ joint: String, _ clauses: [String]) throws {
    let list = ClauseList(try Predicate.parse(text))
    #expect(list.joint.rawValue == joint && list.clauses.map(\.description) == clauses)
  }
}
