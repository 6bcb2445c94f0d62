public import Modeling

/// An aggregate function over values that come one after the other, each any number of times.
///
///     var accumulator = Accumulator(.average)
///     accumulator.add(.int(1), times: 3)
///     accumulator.add(.int(5))
///     accumulator.value                     // .double(2)
///
/// A median, a mode and a standard deviation keep all values, the other functions none.
public struct Accumulator {
  private let function: ExpressionFunction
  private var count = 0
  private var summation = Summation()
  private var extreme = Value.null
  private var values: [Counted] = []

  private typealias Counted = (value: Value, count: Int)

  /// Makes the function's value over no values.
  ///
  /// - Precondition: the function is an aggregate.
  public init(_ function: ExpressionFunction) { self.function = function }

  /// Adds a value so many times. `count` counts every value, nil too; the other functions pass over nil.
  public mutating func add(_ value: Value, times: Int = 1) {
    if function == .count { return count += times }
    if value.isNull { return }
    switch function {
    case .sum, .average: summation.add(value, times: times)
    case .min: if extreme.isNull || value.order(extreme) < 0 { extreme = value }
    case .max: if extreme.isNull || value.order(extreme) > 0 { extreme = value }
    default: values.append((value, times))
    }
  }

  /// Adds the sum of some values; for `sum` and `average`.
  public mutating func add(_ sum: PartialSum) { summation.add(sum) }

  /// The function's value over all that was added.
  public var value: Value {
    switch function {
    case .count: .int(Int64(count))
    case .sum: summation.total
    case .average: summation.average
    case .min, .max: extreme
    case .median: median
    case .mode: mode
    default: standardDeviation
    }
  }

  private var median: Value {
    var poll = InterruptionPoll()
    // The value of a stopped evaluation is never used.
    let numbers = try? values.filter(\.value.isNumber).sorted { left, right in
      try poll.step()
      return left.value.order(right.value) < 0
    }
    guard let numbers, !numbers.isEmpty else { return .null }
    let total = numbers.reduce(0) { $0 + $1.count }
    var middle = Summation()
    var passed = 0
    for (value, count) in numbers {
      for place in Set([(total - 1) / 2, total / 2]) where passed <= place && place < passed + count {
        middle.add(value)
      }
      passed += count
    }
    return middle.average
  }

  private var mode: Value {
    var counts: [ValueKey: Int] = [:]
    for (value, count) in values { counts[ValueKey(value), default: 0] += count }
    let most = counts.values.max() ?? 0
    return values.filter { counts[ValueKey($0.value)] == most }.min { $0.value.order($1.value) < 0 }?.value ?? .null
  }

  /// The standard deviation of the whole population, which does not depend on the order of the numbers.
  private var standardDeviation: Value {
    let numbers = values.compactMap { value, count in value.doubleValue.map { (number: $0, count: count) } }
    func average(_ part: (Double) -> Double) -> Double? {
      var summation = Summation()
      for (number, count) in numbers { summation.add(.double(part(number)), times: count) }
      return summation.average.doubleValue
    }
    guard let mean = average({ $0 }), let variance = average({ ($0 - mean) * ($0 - mean) }) else { return .null }
    return ExpressionFunction.double(variance.squareRoot())
  }
}
