import Testing

@testable import ObjectGraph

@Suite struct NumberTallyTests {
  @Test func ofNoNumbersThereIsNoMean() {
    var tally = NumberTally(limit: 8)
    tally.complete()
    #expect(tally.mean == nil && tally.least == .null && tally.greatest == .null && tally.distinct == 0)
  }

  @Test func fiveAndFivePointZeroAreOneNumber() {
    var tally = NumberTally(limit: 64)
    for number in 1...5 { tally.add(Int64(number)) }
    for number in [0.5, 2, 5, 9.5] { tally.add(number) }
    tally.complete()
    #expect(!tally.isEstimated && tally.distinct == 7)
    #expect(tally.least == .double(0.5) && tally.greatest == .double(9.5) && tally.mean == 32.0 / 9)
  }

  private func tally(_ integers: [Int64], _ reals: [Double] = [], limit: Int = 64) -> NumberTally {
    var tally = NumberTally(limit: limit)
    for number in integers { tally.add(number) }
    for number in reals { tally.add(number) }
    tally.complete()
    return tally
  }

  @Test func ofNoNumbersThereIsNoMeasure() {
    let measures = tally([]).measures { $0 }
    #expect(measures.mean == .null && measures.quartiles.allSatisfy(\.isNull) && measures.histogram.isEmpty)
  }

  @Test func theHistogramHoldsIntegersOfAnyDistance() {
    let measures = tally([.min, 0, .max, .max]).measures { $0 }
    #expect(measures.histogram.first?.least == .int(.min) && measures.histogram.last?.greatest == .int(.max))
    #expect(measures.histogram.reduce(0) { $0 + $1.count } == 4)
    #expect(measures.histogram.last?.count == 2)
  }

  @Test func endlessNumbersHaveNoHistogramAndOneNumberHasOneBucket() {
    #expect(tally([], [1, .infinity]).measures { $0 }.histogram.isEmpty)
    #expect(tally([], [.infinity]).mean == .infinity)
    let measures = tally([], [2.5, 2.5]).measures { $0 }
    #expect(measures.histogram.map(\.count) == [2])
    #expect(measures.quartiles == [.double(2.5), .double(2.5), .double(2.5)])
  }

  @Test func manyNumbersOfBothKindsAreEstimatedTogether() {
    let numbers = tally((0..<500).map { Int64($0) }, (0..<500).map { Double($0) + 0.5 })
    #expect(numbers.isEstimated && abs(numbers.distinct - 1_000) < 400)
    #expect(numbers.least == .int(0) && numbers.greatest == .double(499.5))
  }
}
