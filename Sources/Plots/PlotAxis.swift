import Glibc
internal import Modeling

/// An axis whose ticks are round: steps of 1, 2, 2.5 or 5 times a power of ten, powers of ten, or units of the calendar.
///
/// Its range covers the drawn values.
struct PlotAxis: Equatable {
  let lower: Double
  let upper: Double
  let ticks: [Double]
  let labels: [String]
  /// Whether equal ways are equal factors.
  var isLogarithmic = false

  /// An axis that covers these values, or ends at them exactly.
  init(from least: Double, to greatest: Double, ticks limit: Int, areDates: Bool = false, isExact: Bool = false) {
    if areDates {
      let bins = DateBins(from: Timestamp(least), to: Timestamp(greatest), atMost: max(limit, 2))
      let places = (0..<bins.count).filter { bins.start($0) >= least }
      ticks = places.map(bins.start)
      labels = places.map(bins.label)
      (lower, upper) = (least, greatest)
    } else {
      let bins = NumberBins(from: least, to: greatest, atMost: max(limit, 2))
      let reachesEnd = bins.start(bins.count - 1) >= greatest
      var places = Array(0..<(reachesEnd || bins.count == 1 ? bins.count : bins.count + 1))
      if isExact { places.removeAll { bins.start($0) < least || bins.start($0) > greatest } }
      ticks = places.map(bins.start)
      labels = places.map(bins.label)
      (lower, upper) =
        isExact ? (least, greatest) : (min(ticks.first ?? least, least), max(ticks.last ?? greatest, greatest))
    }
  }

  /// An axis of powers of ten.
  init(powersFrom least: Double, to greatest: Double, ticks limit: Int, isExact: Bool = false) {
    let bins = LogBins(from: least, to: greatest, atMost: max(limit, 2))
    let edges = bins.edges.filter { !isExact || ($0 >= least && $0 <= greatest) }
    (ticks, labels) = (edges, edges.map(LogBins.label))
    (lower, upper) = isExact ? (least, greatest) : (bins.edges[0], bins.edges[bins.count])
    isLogarithmic = true
  }

  /// An axis with a place for each band, in their order.
  init(_ bands: [Plot.Band]) {
    (lower, upper) = (-0.5, Double(bands.count) - 0.5)
    ticks = bands.indices.map(Double.init)
    labels = bands.map(\.label)
  }

  /// An axis along ranges with a tick where each begins.
  init(starts bands: [Plot.Band], isLogarithmic: Bool = false) {
    (lower, upper) = (bands.first?.start ?? 0, bands.last?.end ?? 1)
    ticks = bands.compactMap(\.start)
    labels = bands.map(\.label)
    self.isLogarithmic = isLogarithmic
  }

  /// Where a value is between the ends, from 0 to 1; the middle where they are one.
  func part(of value: Double) -> Double {
    if isLogarithmic { return Self.logarithmicPart(value, lower, upper) }
    // Halves, as the difference of huge ends has no number.
    let part = (value / 2 - lower / 2) / (upper / 2 - lower / 2)
    return part.isFinite ? part : 0.5
  }

  /// The place of a value between two others by its logarithm; values not above zero are at the beginning.
  static func logarithmicPart(_ value: Double, _ lower: Double, _ upper: Double) -> Double {
    guard value > 0 else { return 0 }
    let part = (log(value) - log(lower)) / (log(upper) - log(lower))
    return part.isFinite ? part : 0.5
  }
}
