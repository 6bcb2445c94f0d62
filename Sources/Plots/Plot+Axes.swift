// The axes of a plot, which its text, its picture and its specification share.
extension Plot {
  /// About how many ticks a picture has along its width.
  static let ticks = 8
  /// About how many ticks a picture has along its height.
  static let verticalTicks = 6

  /// The points of each series, for marks that have places: a band is at its beginning, a category at its number.
  var runs: [[Point]] {
    switch content {
    case .points(let points): return points
    case .bars(let bands, let values):
      return values.map { values in
        zip(bands.indices, zip(bands, values)).compactMap { index, pair -> Point? in
          guard let y = pair.1, y.isFinite, !hasScale || pair.0.start != nil else { return nil }
          return Point(x: pair.0.start ?? Double(index), y: y)
        }
      }
    }
  }

  /// Whether the horizontal axis has numbers or dates, and not categories.
  var hasScale: Bool {
    if case .bars(let bands, _) = content { return bands.contains { $0.start != nil } }
    return true
  }

  /// Whether the bars of series stand on each other: only counts and sums add up.
  var isStacked: Bool { description.aggregate == .count || description.aggregate == .sum }

  /// The horizontal axis of points and lines; nil where nothing is drawn.
  func horizontalAxis(ticks: Int) -> PlotAxis? {
    if case .bars(let bands, _) = content, !hasScale { return bands.isEmpty ? nil : PlotAxis(bands) }
    let all = runs.joined().lazy.map(\.x)
    guard let least = all.min(), let greatest = all.max() else { return nil }
    return PlotAxis(from: least, to: greatest, ticks: ticks, areDates: hasDates)
  }

  /// The vertical axis of points and lines; nil where nothing is drawn.
  func verticalAxis(ticks: Int) -> PlotAxis? {
    let all = runs.joined().lazy.map(\.y)
    guard let least = all.min(), let greatest = all.max() else { return nil }
    return PlotAxis(from: least, to: greatest, ticks: ticks, areDates: verticalHasDates)
  }

  /// The axis of the values of bars, which begins or ends at zero or passes it.
  func valueAxis(ticks: Int) -> PlotAxis {
    guard case .bars(let bands, let values) = content else { return PlotAxis(from: 0, to: 1, ticks: ticks) }
    var (least, most) = (0.0, 0.0)
    for band in bands.indices {
      let all = values.compactMap { $0[band] }.filter(\.isFinite)
      let lowest = isStacked ? all.filter { $0 < 0 }.reduce(0, +) : all.min()
      let highest = isStacked ? all.filter { $0 > 0 }.reduce(0, +) : all.max()
      least = min(least, lowest ?? 0)
      most = max(most, highest ?? 0)
    }
    return PlotAxis(from: least, to: least == most ? 1 : most, ticks: ticks)
  }
}
