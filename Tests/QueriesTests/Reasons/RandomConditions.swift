import Modeling
import TestSupport

/// Random conditions on the sample model whose mistakes and answers can be told apart.
struct RandomConditions {
  var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Conditions that are about attributes of the object alone.
  mutating func aboutAttributes(_ depth: Int) -> String { compound(depth) { $0.attribute() } }

  /// Conditions with collections, subqueries, functions and choices.
  mutating func aboutAnything(_ depth: Int) -> String { compound(depth) { $0.anything() } }

  private mutating func compound(_ depth: Int, _ leaf: (inout RandomConditions) -> String) -> String {
    guard depth > 0, Int.random(in: 0..<10, using: &random) > 3 else { return leaf(&self) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return "(\(compound(depth - 1, leaf)) AND \(compound(depth - 1, leaf)))"
    case 1: return "(\(compound(depth - 1, leaf)) OR \(compound(depth - 1, leaf)))"
    default: return "NOT (\(compound(depth - 1, leaf)))"
    }
  }

  private mutating func attribute() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      return "\(pick(["magnitude", "depth", "count", "small", "price"])) \(order) \(pick(["5", "-2.5", "0", "7"]))"
    case 1: return "\(pick(["count", "magnitude"])) BETWEEN {\(pick(["1", "3"])), \(pick(["4", "9"]))}"
    case 2: return "\(pick(["count", "code", "place"])) \(pick(["==", "!="])) nil"
    case 3: return "count IN {\(pick(["1, 2", "7", "3, nil", "nil"]))}"
    case 4: return "\(pick(["5", "2"])) \(order) \(pick(["count", "magnitude"]))"
    case 5: return "felt == \(pick(["YES", "NO"]))"
    case 6: return "time \(order) CAST(\(pick(["0", "1000000"])), 'NSDate')"
    case 7: return "\(pick(["place", "code"])) \(order)\(pick(["", "[c]"])) '\(pick(["us1", "Chile", ""]))'"
    default:
      return
        "place \(pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"]))\(pick(["", "[cd]"])) '\(pick(["chile", "a*", "é", ""]))'"
    }
  }

  private mutating func anything() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let quantifier = pick(["ANY", "ALL", "NONE"])
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return "\(quantifier) reports.score \(order) \(pick(["3", "8", "nil", "count"]))"
    case 1: return "\(quantifier) reports.author.name \(pick(["==", "CONTAINS[cd]"])) '\(pick(["ANN", "b"]))'"
    case 2:
      return "SUBQUERY(reports, $r, \(quantifier) $r.author.reports.score > 2 OR $r.score \(order) 4).@count \(order) 1"
    case 3: return "TERNARY(station.name == nil, 1, magnitude) \(order) \(pick(["1", "5"]))"
    case 4: return "\(pick(["3", "nil", "count"])) IN reports.score"
    case 5: return "lowercase(\(pick(["place", "station.name", "cause.place"]))) \(order) '\(pick(["álamo", "x"]))'"
    case 6: return "reports.@max.score \(order) magnitude + \(pick(["1", "count", "nil"]))"
    case 7: return "\(pick(["station", "cause.station", "cause.cause.magnitude"])) \(pick(["==", "!="])) nil"
    case 8: return "year(time) \(order) \(pick(["2024", "1999"]))"
    default: return attribute()
    }
  }
}
