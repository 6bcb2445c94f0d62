import Modeling
import Queries
import TestSupport
import Testing

/// Random predicates of the sample model: what must hold for all of them.
@Suite(.seeded) struct EvaluationFuzzTests {
  /// Builds texts that are right for the model.
  private struct Texts {
    var trees: RandomTrees

    mutating func condition(_ depth: Int, _ subject: String = "") -> String {
      guard depth > 0, trees.chance(60) else { return comparison(depth, subject) }
      switch Int.random(in: 0..<4, using: &trees.random) {
      case 0: return "(\(condition(depth - 1, subject)) AND \(condition(depth - 1, subject)))"
      case 1: return "(\(condition(depth - 1, subject)) OR \(condition(depth - 1, subject)))"
      case 2: return "NOT \(condition(depth - 1, subject))"
      default: return comparison(depth, subject)
      }
    }

    private mutating func comparison(_ depth: Int, _ subject: String) -> String {
      let order = ["==", "!=", "<", "<=", ">", ">="]
      if !subject.isEmpty {
        return trees.pick([
          "\(subject).score \(trees.pick(order)) \(trees.pick(["3", "nil", "$r.quake.count"]))",
          "\(subject).text CONTAINS[cd] '\(trees.pick(["E", "", "zz"]))'", "\(subject).author.age > 20",
          "\(subject).quake == SELF",
        ])
      }
      switch Int.random(in: 0..<9, using: &trees.random) {
      case 0, 1: return "\(number(depth)) \(trees.pick(order)) \(number(depth))"
      case 2:
        return
          "\(text()) \(trees.pick(["CONTAINS", "BEGINSWITH[c]", "ENDSWITH[cd]", "LIKE", "==", "<[c]", "IN"])) \(text())"
      case 3: return "\(number(depth)) IN {1, \(number(depth)), \(trees.pick(["nil", "2.5", "7"]))}"
      case 4: return "\(number(depth)) BETWEEN {\(number(0)), \(number(0))}"
      case 5: return "\(trees.pick(["ANY", "ALL", "NONE"])) reports.score \(trees.pick(order)) \(number(0))"
      case 6: return "\(trees.pick(["ANY", "ALL", "NONE"])) reports.author.name \(trees.pick(order)) \(text())"
      case 7: return "SUBQUERY(reports, $r, \(condition(depth - 1, "$r"))).@count \(trees.pick(order)) \(number(0))"
      default:
        return
          "\(trees.pick(["station", "cause", "magnitude", "place", "time", "info"])) \(trees.pick(["==", "!="])) nil"
      }
    }

    private mutating func number(_ depth: Int) -> String {
      guard depth > 0, trees.chance(50) else {
        return trees.pick([
          "magnitude", "depth", "count", "small", "price", "felt", "1", "2.5", "-3", "nil", "7", "cause.magnitude",
          "station.quakes.@count",
        ])
      }
      return trees.pick([
        "(\(number(depth - 1)) \(trees.pick(["+", "-", "*", "/"])) \(number(depth - 1)))", "abs(\(number(depth - 1)))",
        "reports.@\(trees.pick(["sum", "avg", "min", "max"])).score", "length(\(text()))", "year(time)",
        "TERNARY(\(condition(depth - 1)), \(number(depth - 1)), \(number(depth - 1)))",
      ])
    }

    private mutating func text() -> String {
      trees.pick(["place", "code", "'us1'", "'COAST'", "station.name", "lowercase(place)", "cause.place", "nil", "''"])
    }
  }

  @Test func rulesHoldForRandomPredicates() throws {
    var texts = Texts(trees: RandomTrees(seed: 8))
    let objects = [Sample.fullQuake(), Sample.emptyQuake()]
    for _ in 0..<Effort.rounds(500) {
      let text = texts.condition(3)
      let predicate = try Predicate.parse(text)
      let again = try Predicate.parse(predicate.format)
      #expect(again == predicate, "\(text)")
      for object in objects {
        let answer = try predicate.evaluate(object)
        #expect(try (~predicate).evaluate(object) == answer.map { !$0 }, "\(text)")
        #expect(try Predicate.not(.not(predicate)).evaluate(object) == answer, "\(text)")
        #expect(try (predicate & .constant(true)).evaluate(object) == answer, "\(text)")
        #expect(try (predicate | .constant(false)).evaluate(object) == answer, "\(text)")
        #expect(try predicate.evaluate(object, semantics: .memory) != nil, "\(text)")
      }
    }
  }

  @Test func aCompiledPredicateServesManyObjects() throws {
    let compiled = try CompiledPredicate(
      Predicate.parse("magnitude >= $least AND SUBQUERY(reports, $r, $r.score > 3).@count > 0"), entity: Sample.quake,
      variables: ["least": .int(5)])
    let quakes = (0..<100).map { index in
      let quake = Sample.fullQuake()
      quake.values["magnitude"] = .double(Double(index) / 10)
      return quake
    }
    #expect(try quakes.filter { try compiled.evaluate($0) == true }.count == 50)
  }
}
