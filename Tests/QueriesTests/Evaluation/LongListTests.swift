import Modeling
import Queries
import Testing

/// What goes over the values of a list, or of all rows, can be stopped.
@Suite struct LongListTests {
  private static let count = 100_000

  /// How often work asks whether to go on.
  private func questions(_ body: () throws -> Void) rethrows -> Int {
    var asked = 0
    try Interruption.asking(
      {
        asked += 1
        return false
      }, body)
    return asked
  }

  @Test func aLongListIsCheckedAndFittedInParts() throws {
    let values = Value.list((0..<Self.count).map { .int(Int64($0)) })
    let predicate = try Predicate.parse("magnitude IN %@", arguments: [.value(values)])
    #expect(try questions { try predicate.check(in: Sample.quake) } >= 2 * Self.count / 256)
    #expect(
      try questions { _ = try CompiledPredicate(predicate, entity: Sample.quake) } >= 3 * Self.count / 256)
  }

  @Test func aMedianIsSortedInParts() {
    let values = (0..<Self.count).map { Value.int(Int64($0 * 7919 % Self.count)) }
    var median = Value.null
    #expect(questions { median = ExpressionFunction.median.aggregate(values) } >= Self.count / 256)
    #expect(median == .double(49_999.5))
    let stopped = Interruption.asking({ true }) { ExpressionFunction.median.aggregate(values) }
    #expect(stopped.isNull)
  }
}
