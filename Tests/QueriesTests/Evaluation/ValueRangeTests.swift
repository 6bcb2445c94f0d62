import Modeling
import TestSupport
import Testing

@testable import Queries

/// Where a predicate is true, values are within its ranges.
@Suite(.seeded) struct ValueRangeTests {
  private func ranges(_ text: String, _ semantics: EvaluationSemantics = .store) throws -> [String] {
    let compiled = try CompiledPredicate(Predicate.parse(text), entity: Sample.quake, semantics: semantics)
    return compiled.ranges.map { range in
      let ends = [range.lower, range.upper].map { bound in
        if case .double(let number)? = bound { "\(number)" } else { bound?.text.map { "'\($0)'" } ?? "" }
      }
      return "\(Sample.quake.properties[range.attribute].name) \(ends[0])...\(ends[1])"
    }
  }

  @Test func comparisonsWithConstantsAreRanges() throws {
    #expect(try ranges("magnitude >= 2") == ["magnitude 2.0..."])
    #expect(try ranges("magnitude < 2") == ["magnitude ...2.0"])
    #expect(try ranges("count == 7") == ["count 7.0...7.0"])
    #expect(try ranges("place <= 'b'") == ["place ...'b'"])
    #expect(try ranges("count BETWEEN {1, 5}") == ["count 1.0...5.0"])
  }

  @Test func conjunctionsNarrowThem() throws {
    #expect(
      try ranges("count > 1 AND place >= 'a' AND count <= 9 AND count < 4 AND place < 'b' AND felt == YES")
        == ["count 1.0...4.0", "place 'a'...'b'"])
  }

  @Test func otherConditionsAreNone() throws {
    for text in [
      "magnitude != 2", "magnitude >= 2 OR count < 5", "NOT magnitude >= 2", "place <[c] 'b'", "place BEGINSWITH 'a'",
      "magnitude == nil", "count IN {1, 2}", "count > depth", "station.name == 'a'", "TRUEPREDICATE",
    ] {
      #expect(try ranges(text) == [], "\(text)")
    }
    #expect(try ranges("magnitude != 2", .memory) == [])
  }

  @Test func whatMatchesIsWithinThem() throws {
    var random = SplitMix(seed: 11)
    let numbers = ["-3", "0", "1", "2.5", "7", "1e300", "9007199254740993"]
    func term() -> String {
      let comparator = ["==", "!=", "<", "<=", ">", ">="][random.below(6)]
      switch random.below(4) {
      case 0: return "place \(comparator) '\(["a", "b", "é", "", "zz"][random.below(5)])'"
      case 1: return "count BETWEEN {\(numbers[random.below(7)]), \(numbers[random.below(7)])}"
      default: return "\(["count", "magnitude"][random.below(2)]) \(comparator) \(numbers[random.below(7)])"
      }
    }
    for _ in 0..<Effort.rounds(400) {
      let joint = random.chance(oneIn: 4) ? " OR " : " AND "
      let text = (0..<1 + random.below(3)).map { _ in term() }.joined(separator: joint)
      let compiled = try CompiledPredicate(Predicate.parse(text), entity: Sample.quake)
      for _ in 0..<12 {
        let object = Sample.fullQuake()
        object.values["count"] = [.null, .int(-3), .int(1), .int(7), .int(9_007_199_254_740_993)][random.below(5)]
        object.values["magnitude"] = [.null, .double(-3), .double(2.5), .double(7), .double(1e300)][random.below(5)]
        object.values["place"] = [.null, .string("a"), .string("b"), .string("é"), .string("")][random.below(5)]
        guard try compiled.evaluate(object) == true else { continue }
        for range in compiled.ranges {
          let value = object.attribute(at: range.attribute)
          if let lower = range.lower { #expect(value.compare(lower) ?? -1 >= 0, "\(text): \(value)") }
          if let upper = range.upper { #expect(value.compare(upper) ?? 1 <= 0, "\(text): \(value)") }
        }
      }
    }
  }
}
