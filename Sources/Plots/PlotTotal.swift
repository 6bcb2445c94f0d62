/// The facts that are kept about the rows of a band in a series.
struct PlotTotal {
  private(set) var count = 0
  private var sum = 0.0
  /// The rounding error of the sum, so that rows that come and go leave no error behind.
  private var lost = 0.0
  private var least = Double.infinity
  private var greatest = -Double.infinity

  mutating func add(_ value: Double) {
    count += 1
    addToSum(value)
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// Removes a value that was added; returns false if the aggregate must be computed again from the remaining values.
  mutating func remove(_ value: Double, _ aggregate: PlotDescription.Aggregate?) -> Bool {
    guard count > 1 else {
      self = PlotTotal()
      return true
    }
    count -= 1
    addToSum(-value)
    return switch aggregate {
    case .min: value > least
    case .max: value < greatest
    case .sum, .average: sum.isFinite
    case .count, nil: true
    }
  }

  mutating func add(_ other: PlotTotal) {
    count += other.count
    addToSum(other.sum)
    lost += other.lost
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
  }

  /// Neumaier's summation.
  private mutating func addToSum(_ value: Double) {
    let total = sum + value
    if total.isFinite { lost += abs(sum) >= abs(value) ? (sum - total) + value : (value - total) + sum }
    sum = total
  }

  func value(_ aggregate: PlotDescription.Aggregate) -> Double? {
    guard count > 0 else { return nil }
    return switch aggregate {
    case .count: Double(count)
    case .sum: sum + lost
    case .average: (sum + lost) / Double(count)
    case .min: least
    case .max: greatest
    }
  }
}
