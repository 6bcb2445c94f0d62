import Glibc

/// Ranges of positive numbers that are as wide as their place is far: powers of ten, or 1, 2 and 5 times those.
struct LogBins {
  /// Where the ranges begin, and where the last one ends.
  let edges: [Double]

  var count: Int { edges.count - 1 }

  /// The last power of ten that a number has; greater numbers are in the last range.
  private static let greatest = 1e308

  /// Covers `least` to `greatest` with no more than `limit` ranges, or few more than one for each step of powers.
  init(from least: Double, to greatest: Double, atMost limit: Int) {
    let low = min(max(least, 1e-300), Self.greatest)
    let high = min(max(greatest, low), Self.greatest)
    let (first, last) = (Int(log10(low).rounded(.down)), Int(log10(high).rounded(.down)) + 1)
    for factors in [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3]] {
      let edges = Self.edges(first...last, factors, 1, low, high)
      if edges.count - 1 <= max(limit, 1) {
        self.edges = edges
        return
      }
    }
    var step = 1
    while (last - first) / step + 1 > max(limit, 1) { step += 1 }
    edges = Self.edges(first...(last + step), [1], step, low, high)
  }

  private static func edges(
    _ powers: ClosedRange<Int>, _ factors: [Double], _ step: Int, _ low: Double, _ high: Double
  ) -> [Double] {
    let all = stride(from: powers.lowerBound, through: powers.upperBound, by: step).flatMap { power in
      factors.map { Self.number($0, power) }
    }
    let start = all.lastIndex { $0 <= low * (1 + 1e-12) } ?? 0
    let end = all.firstIndex { $0 > high } ?? all.count - 1
    return Array(all[start...max(end, start + 1)])
  }

  /// A factor times a power of ten, as it is written: 0.3 and not 0.30000000000000004.
  private static func number(_ factor: Double, _ power: Int) -> Double {
    power < 0 ? factor / pow(10, Double(-power)) : min(factor * pow(10, Double(power)), .greatestFiniteMagnitude)
  }

  /// Which range a number is in.
  func index(of value: Double) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if edges[middle] <= value { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Where a range begins, as a text.
  func label(_ index: Int) -> String { Self.label(edges[index]) }

  /// A number of an axis of powers as a text: `0.01`, `20`, `1e9`.
  static func label(_ value: Double) -> String {
    abs(value) >= 1e6 || abs(value) < 1e-4
      ? value.description.replacing("e+", with: "e").replacing(".0e", with: "e")
      : value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
  }
}
