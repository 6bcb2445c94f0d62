import Modeling
import Queries
import TestSupport
import Testing

import struct Foundation.Decimal

@Suite struct SummationTests {
  private func summation(_ values: some Sequence<Value>) -> Summation {
    var summation = Summation()
    for value in values { summation.add(value) }
    return summation
  }

  @Test(.seeded) func sumsOfPartsByTheirStatesAreTheSumOfAll() {
    var random = SplitMix(seed: 11)
    for _ in 0..<Effort.rounds(200) {
      let exponent = 1 + random.below(1000)
      let values = (0..<random.below(40)).map { _ -> Value in
        switch random.below(9) {
        case 0: .int(Int64(bitPattern: random.next()))
        case 1: .int(Int64(random.below(9)) - 4)
        case 2: .double(Double(bitPattern: UInt64(exponent) << 52 | random.next() & (1 << 52 - 1)))
        case 3: .double(-Double(random.below(1000)) / 7)
        case 4 where exponent % 9 == 0: .double([Double.infinity, -.infinity][random.below(2)])
        case 5 where exponent % 3 == 0:
          .decimal(Decimal(sign: .minus, exponent: -random.below(5), significand: Decimal(random.below(100_000))))
        case 6: .null
        default: .double(Double(random.below(100)) * 0.1)
        }
      }
      var parts = Summation()
      for start in stride(from: 0, to: values.count, by: 7) {
        parts.add(state: summation(values[start..<min(start + 7, values.count)]).state)
      }
      let whole = summation(values)
      #expect("\(parts.total) \(parts.average) \(parts.count)" == "\(whole.total) \(whole.average) \(whole.count)")
      #expect(parts.state == whole.state)
    }
  }

  @Test func theStateOfNothingAddsNothing() {
    var sum = summation([.int(3)])
    sum.add(state: Summation().state)
    #expect(sum.total == .int(3) && sum.count == 1)
  }
}
