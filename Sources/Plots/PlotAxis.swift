internal import Modeling

/// An axis whose ticks are round: steps of 1, 2, 2.5 or 5 times a power of ten, or of a unit of the calendar.
///
/// Its range covers what is drawn.
struct PlotAxis: Equatable {
  let lower: Double
  let upper: Double
  let ticks: [Double]
  let labels: [String]

  init(from least: Double, to greatest: Double, ticks limit: Int, areDates: Bool = false) {
    if areDates {
      let bins = DateBins(from: Timestamp(least), to: Timestamp(greatest), atMost: max(limit, 2))
      let places = (0..<bins.count).filter { bins.start($0) >= least }
      ticks = places.map(bins.start)
      labels = places.map(bins.label)
      (lower, upper) = (least, greatest)
    } else {
      let bins = NumberBins(from: least, to: greatest, atMost: max(limit, 2))
      let reachesEnd = bins.start(bins.count - 1) >= greatest
      let places = Array(0..<(reachesEnd || bins.count == 1 ? bins.count : bins.count + 1))
      ticks = places.map(bins.start)
      labels = places.map(bins.label)
      (lower, upper) = (min(ticks.first ?? least, least), max(ticks.last ?? greatest, greatest))
    }
  }

  /// An axis with a place for each band, in their order.
  init(_ bands: [Plot.Band]) {
    (lower, upper) = (-0.5, Double(bands.count) - 0.5)
    ticks = bands.indices.map(Double.init)
    labels = bands.map(\.label)
  }

  /// An axis along ranges with a tick where each begins.
  init(starts bands: [Plot.Band]) {
    (lower, upper) = (bands.first?.start ?? 0, bands.last?.end ?? 1)
    ticks = bands.compactMap(\.start)
    labels = bands.map(\.label)
  }

  /// Where a value is between the ends, from 0 to 1; the middle where they are one.
  func part(of value: Double) -> Double {
    // Halves, as the difference of huge ends has no number.
    let part = (value / 2 - lower / 2) / (upper / 2 - lower / 2)
    return part.isFinite ? part : 0.5
  }
}
