import Modeling
import Testing

import struct Foundation.Decimal

@testable import ObjectGraph

/// The measures of decimals beyond the values that a tally keeps.
@Suite struct ValueTallyTests {
  /// The halves from 0.5 to 999.5, each as often as `times`, counted by a tally that keeps 64 of them.
  private static func summary(limit: Int, times: Int = 1) -> PropertySummary {
    var tally = ValueTally("price", "Decimal", .values, limit: limit)
    for _ in 0..<times {
      for number in 0..<1_000 { tally.add(.decimal(Decimal(number) + Decimal(string: "0.5")!)) }
    }
    return tally.finished()
  }

  @Test func theMeanOfManyDecimalsIsThatOfAllAndTheHistogramStandsForAll() {
    for times in [1, 3] {
      let summary = Self.summary(limit: 128, times: times)
      #expect(summary.isEstimated)
      #expect(summary.count == 1_000 * times)
      #expect(summary.measures.mean == .double(500))
      let spread = summary.measures.histogram.reduce(0) { $0 + $1.count }
      #expect(abs(spread - 1_000 * times) < 350 * times, "\(spread)")
      #expect(summary.measures.histogram.first?.least == .double(0.5))
      #expect(summary.measures.histogram.last?.greatest == .double(999.5))
    }
  }

  @Test func fewDecimalsAreMeasuredExactly() {
    let summary = Self.summary(limit: 4_096)
    #expect(!summary.isEstimated)
    #expect(summary.measures.mean == .double(500))
    #expect(summary.measures.quartiles[1] == .decimal(Decimal(string: "499.5")!))
    #expect(summary.measures.histogram.map(\.count) == [Int](repeating: 125, count: 8))
  }
}
