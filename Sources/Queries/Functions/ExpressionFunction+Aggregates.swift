public import Modeling

internal import struct Foundation.Decimal

extension ExpressionFunction {
  /// Returns the value of an aggregate function over `elements`; nil elements are skipped, as in SQL.
  ///
  /// `count` counts all elements, nil too. Without elements the sum is 0, and the average, minimum, maximum, median and
  /// mode are nil. Averages and medians are doubles, or decimals if the elements are decimals. The minimum and maximum
  /// are defined for values of any kind, in the order of sorting. Of several values that are equally frequent, the mode
  /// is the smallest.
  public func aggregate(_ elements: [Value]) -> Value {
    if self == .count { return .int(Int64(elements.count)) }
    let values = elements.filter { !$0.isNull }
    switch self {
    case .sum: return Self.summation(of: values).total
    case .min: return values.min { $0.order($1) < 0 } ?? .null
    case .max: return values.max { $0.order($1) < 0 } ?? .null
    case .average: return Self.average(values.filter(\.isNumber))
    case .median: return Self.median(values.filter(\.isNumber))
    case .mode: return Self.mode(values)
    default: return Self.standardDeviation(values.compactMap(\.doubleValue))
    }
  }

  private static func average(_ values: [Value]) -> Value { summation(of: values).average }

  private static func summation(of values: [Value]) -> Summation {
    var summation = Summation()
    for value in values { summation.add(value) }
    return summation
  }

  private static func median(_ values: [Value]) -> Value {
    var poll = InterruptionPoll()
    // The value of a stopped evaluation is never used.
    guard !values.isEmpty,
      let sorted = try? values.sorted(by: { left, right in
        try poll.step()
        return left.order(right) < 0
      })
    else { return .null }
    let middle = sorted.count / 2
    return average(sorted.count % 2 == 1 ? [sorted[middle]] : [sorted[middle - 1], sorted[middle]])
  }

  private static func mode(_ values: [Value]) -> Value {
    var counts: [ValueKey: Int] = [:]
    for value in values { counts[ValueKey(value), default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return values.filter { counts[ValueKey($0)] == most }.min { $0.order($1) < 0 } ?? .null
  }

  /// The standard deviation of the whole population.
  private static func standardDeviation(_ numbers: [Double]) -> Value {
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
    return double(variance.squareRoot())
  }
}
