import Modeling
import Queries
import TestSupport
import Testing

/// Random well-typed predicates over random objects: the store and the evaluation in memory answer the same, object by
/// object. PERILUNE_LONG_TESTS=1 lets it run for minutes.
@Suite(.seeded) struct AgreementFuzzTests {
  /// How many predicates are made for each world.
  private static let predicates = 60

  private func differences(_ worldNumber: Int) throws -> [String] {
    let world = try AgreementWorld(seed: UInt64(worldNumber))
    return (0..<Self.predicates).compactMap { index in
      let number = worldNumber * Self.predicates + index
      var predicates = RandomPredicates(number: number)
      return world.difference(predicates.predicate(3)).map { "case \(number): \($0)" }
    }
  }

  /// Where hardly anything passes the check, agreeing says nothing.
  @Test func mostRandomPredicatesAreWellTyped() throws {
    let thing = try AgreementWorld(seed: 0).twins.sample.entity("Thing")
    let refused = (0..<500).count { number in
      var predicates = RandomPredicates(number: number)
      let predicate = predicates.predicate(3)
      return (try? predicate.check(in: thing, for: .evaluation)) == nil
    }
    #expect(refused < 100)
  }

  @Test(arguments: 0..<(Effort.isLong ? 2_000 : 8))
  func randomPredicatesAgree(_ world: Int) throws {
    let differences = try differences(world)
    #expect(differences.isEmpty, "\(differences.prefix(6).joined(separator: "\n"))")
  }
}
