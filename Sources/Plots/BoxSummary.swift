/// A five-number summary of a sample: the quartiles, and the outermost values within one and a half interquartile
/// ranges of them. Values beyond are outliers.
public struct BoxSummary: Equatable, Sendable {
  /// How many values there are.
  public var count: Int
  /// The least value that is not an outlier.
  public var low: Double
  /// The value that a quarter is below.
  public var lowerQuartile: Double
  /// The value that half is below.
  public var median: Double
  /// The value that three quarters are below.
  public var upperQuartile: Double
  /// The greatest value that is not an outlier.
  public var high: Double
  /// The values beyond those, each once.
  public var outliers: [Double]

  /// The summary of a sample; nil if it is empty.
  public init?(_ values: [Double]) {
    let sorted = values.filter { !$0.isNaN }.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    /// Between two values in proportion, as R and Vega do.
    func quantile(_ part: Double) -> Double {
      let place = part * Double(sorted.count - 1)
      let below = Int(place)
      guard below + 1 < sorted.count, sorted[below] != sorted[below + 1] else { return sorted[below] }
      let share = place - Double(below)
      return sorted[below] * (1 - share) + sorted[below + 1] * share
    }
    count = sorted.count
    lowerQuartile = quantile(0.25)
    median = quantile(0.5)
    upperQuartile = quantile(0.75)
    let reach = 1.5 * (upperQuartile - lowerQuartile)
    let (least, most) = (lowerQuartile - reach, upperQuartile + reach)
    low = sorted.first { $0 >= least } ?? first
    high = sorted.last { $0 <= most } ?? last
    let beyond = sorted.filter { $0 < least || $0 > most }
    outliers = beyond.indices.filter { $0 == 0 || beyond[$0 - 1] != beyond[$0] }.map { beyond[$0] }
  }
}
