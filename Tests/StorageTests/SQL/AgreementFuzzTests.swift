import Modeling
import Queries
import Testing

import class Foundation.ProcessInfo

/// Random well-typed predicates over random objects: the store and the evaluation in memory answer the same, object by
/// object. PERILUNE_LONG_TESTS=1 lets it run for minutes.
@Suite struct AgreementFuzzTests {
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

  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] == nil ? 8 : 400))
  func randomPredicatesAgree(_ world: Int) throws {
    let differences = try differences(world)
    #expect(differences.isEmpty, "\(differences.prefix(6).joined(separator: "\n"))")
  }

  /// Worlds in which differences were found once.
  @Test(arguments: [Int]())
  func whatWasMendedStaysMended(_ world: Int) throws {
    #expect(try differences(world).isEmpty)
  }
}
