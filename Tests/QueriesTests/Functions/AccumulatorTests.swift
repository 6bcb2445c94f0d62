import Modeling
import Queries
import Testing

/// An aggregate of values that come several times each is the aggregate of all of them.
@Suite struct AccumulatorTests {
  @Test(arguments: [ExpressionFunction.count, .sum, .average, .min, .max, .median, .mode, .stddev])
  func aValueCountsAsOftenAsItIsAdded(_ function: ExpressionFunction) {
    let counted: [(Value, Int)] = [
      (.double(0.1), 3), (.double(7), 1), (.null, 2), (.double(-2.5), 4), (.double(0.2), 2), (.double(100), 3),
    ]
    for prefix in 0...counted.count {
      var accumulator = Accumulator(function)
      for (value, count) in counted.prefix(prefix) { accumulator.add(value, times: count) }
      let all = counted.prefix(prefix).flatMap { Array(repeating: $0, count: $1) }
      #expect(accumulator.value == function.aggregate(all), "\(function) of \(all)")
    }
  }

  @Test func theMedianOfAnEvenNumberIsTheMiddleOfTwo() {
    var accumulator = Accumulator(.median)
    accumulator.add(.int(1), times: 2)
    accumulator.add(.int(4), times: 2)
    #expect(accumulator.value == .double(2.5))
    accumulator.add(.int(4))
    #expect(accumulator.value == .double(4))
  }
}
