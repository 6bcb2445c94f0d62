public import Modeling

extension ExpressionFunction {
  /// Returns the value of an aggregate function over `elements`; nil elements are skipped, as in SQL.
  ///
  /// `count` counts all elements, nil too. Without elements the sum is 0, and the average, minimum, maximum, median and
  /// mode are nil. Averages and medians are doubles, or decimals if the elements are decimals. The minimum and maximum
  /// are defined for values of any kind, in the order of sorting. Of several values that are equally frequent, the mode
  /// is the smallest.
  public func aggregate(_ elements: [Value]) -> Value {
    var accumulator = Accumulator(self)
    for element in elements { accumulator.add(element) }
    return accumulator.value
  }
}
