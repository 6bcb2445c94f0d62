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
}
