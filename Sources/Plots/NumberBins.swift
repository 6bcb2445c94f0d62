import Glibc
internal import Modeling

/// Ranges of numbers of equal and round width that cover all values of an attribute.
///
///     NumberBins(from: 0.3, to: 9.7, atMost: 10)      // 0, 1, 2 ... 9
public struct NumberBins: Equatable {
  /// Where the first range begins.
  public let lower: Double
  /// How wide each range is.
  public let step: Double
  /// How many ranges there are.
  public let count: Int

  /// Covers `least` to `greatest` with no more than `limit` ranges, each as many whole numbers wide if only those occur.
  public init(from least: Double, to greatest: Double, atMost limit: Int, wholeNumbers: Bool = false) {
    let limit = max(limit, 1)
    // Infinite values go to the first and the last range.
    let bound = 1e300
    let low = min(max(least.isNaN ? 0 : least, -bound), bound)
    let high = min(max(greatest.isNaN ? 0 : greatest, low), bound)
    guard high > low else {
      (lower, step, count) = (low, 1, 1)
      return
    }
    let factors = wholeNumbers ? [1, 2, 5] : [1, 2, 2.5, 5]
    var step = max(Self.roundWidth((high - low) / Double(limit), factors), wholeNumbers ? 1 : 0)
    while true {
      let start = Self.floor(low / step) * step
      let needed = Self.floor((high - start) / step) + 1
      if needed <= Double(limit) || limit == 1 {
        (lower, self.step, count) = (start, step, max(min(Int(saturating: needed), limit), 1))
        return
      }
      step = Self.roundWidth(step * 1.01, factors)
    }
  }

  /// Which range a value is in.
  public func index(of value: Double) -> Int {
    let place = Self.floor((value - lower) / step)
    guard place > 0 else { return 0 }
    return place < Double(count) ? Int(place) : count - 1
  }

  /// Where a range begins, as a number.
  public func start(_ index: Int) -> Double { lower + Double(index) * step }

  /// Where a range begins, as a text of no more digits than the width of the ranges needs.
  public func label(_ index: Int) -> String {
    let start = lower + Double(index) * step
    guard abs(start) < 1e15, step > 1e-9 else { return start.description }
    // 2.5 and its tenths take a digit more.
    var places = max(Int(saturating: -log10(step).rounded(.down)), 0)
    let scaled = step * pow(10, Double(places))
    if abs(scaled - scaled.rounded()) > 1e-6 { places += 1 }
    guard abs(start) * pow(10, Double(places)) < 1e18 else { return start.description }
    return Quantity.decimal(start, places: places)
  }

  /// The whole number below a quotient. 0.3 / 0.1 is a little less than 3, and 0.3 begins a range all the same.
  private static func floor(_ quotient: Double) -> Double {
    let nearest = quotient.rounded()
    return abs(quotient - nearest) <= 1e-9 * max(abs(nearest), 1) ? nearest : quotient.rounded(.down)
  }

  /// The least of `factors`, times a power of ten, that is no less than `width`.
  private static func roundWidth(_ width: Double, _ factors: [Double]) -> Double {
    guard width > 1e-300, width.isFinite else { return 1e-300 }
    let power = pow(10, log10(width).rounded(.down))
    for factor in factors where factor * power >= width * (1 - 1e-12) { return factor * power }
    return 10 * power
  }
}
