// The axes of a plot, which its text, its picture and its specification share; all panels have the same.
extension Plot {
  /// About how many ticks a picture has along its width.
  static let ticks = 8
  /// About how many ticks a picture has along its height.
  static let verticalTicks = 6

  /// The points of each series of a panel, for marks that have places: a band is at its beginning, a category at its number.
  func runs(_ content: Content) -> [[Point]] {
    switch content {
    case .points(let points): return points
    case .bars(let bands, let values):
      return values.map { values in
        zip(bands.indices, zip(bands, values)).compactMap { index, pair -> Point? in
          guard let y = pair.1, y.isFinite, !hasScale || pair.0.start != nil else { return nil }
          if description.yAxis.scale == .log, y <= 0 { return nil }
          return Point(x: pair.0.start ?? Double(index), y: y)
        }
      }
    case .boxes, .cells: return []
    }
  }

  /// The bands of the horizontal axis.
  var bands: [Band] {
    switch content {
    case .bars(let bands, _), .boxes(let bands, _), .cells(let bands, _, _): bands
    case .points: []
    }
  }

  /// Whether the horizontal axis has numbers or dates, and not categories.
  var hasScale: Bool {
    if case .points = content { return true }
    return bands.contains { $0.start != nil }
  }

  /// Whether the bars of series stand on each other: only counts and sums add up, and their logarithms do not.
  var isStacked: Bool {
    (description.aggregate == .count || description.aggregate == .sum) && description.yAxis.scale == .linear
  }

  /// The horizontal axis of points and lines; nil if nothing is drawn.
  func horizontalAxis(ticks: Int) -> PlotAxis? {
    if !hasScale { return bands.isEmpty ? nil : PlotAxis(bands) }
    return axis(panels.flatMap { runs($0.content).joined() }.map(\.x), description.xAxis, ticks, areDates: hasDates)
  }

  /// The vertical axis of points and lines; nil if nothing is drawn.
  func verticalAxis(ticks: Int) -> PlotAxis? {
    var all = panels.flatMap { runs($0.content).joined() }.map(\.y)
    // An area begins at zero.
    if description.mark == .area, !all.isEmpty, description.yAxis.scale == .linear, !verticalHasDates { all.append(0) }
    return axis(all, description.yAxis, ticks, areDates: verticalHasDates)
  }

  private func axis(
    _ values: [Double], _ asked: PlotDescription.Axis, _ ticks: Int, areDates: Bool = false
  ) -> PlotAxis? {
    guard let least = values.min(), let greatest = values.max() else { return nil }
    let (from, to) = (asked.domain?.lowerBound ?? least, asked.domain?.upperBound ?? greatest)
    let isExact = asked.domain != nil
    return asked.scale == .log
      ? PlotAxis(powersFrom: from, to: to, ticks: ticks, isExact: isExact)
      : PlotAxis(from: from, to: to, ticks: ticks, areDates: areDates, isExact: isExact)
  }

  /// The axis of the values of bars, which begins or ends at zero or passes it, or of boxes.
  func valueAxis(ticks: Int) -> PlotAxis {
    var values: [Double] = []
    for panel in panels {
      switch panel.content {
      case .bars(let bands, let series):
        for band in bands.indices {
          let all = series.compactMap { $0[band] }.filter(\.isFinite)
          values += isStacked ? [all.filter { $0 < 0 }.reduce(0, +), all.filter { $0 > 0 }.reduce(0, +)] : all
        }
      case .boxes(_, let series):
        for box in series.joined() { if let box { values += [box.low, box.high] + box.outliers } }
      case .points, .cells: break
      }
    }
    values.removeAll { !$0.isFinite }
    if description.yAxis.scale == .log {
      values.removeAll { $0 <= 0 }
      // The shortest bar must be visible.
      if description.mark == .bar, let least = values.min() { values.append(least / 1.5) }
      return axis(values, description.yAxis, ticks) ?? PlotAxis(powersFrom: 1, to: 10, ticks: ticks)
    }
    if description.mark != .box {
      values.append(0)
      if values.allSatisfy({ $0 == 0 }) { values.append(1) }
    }
    return axis(values, description.yAxis, ticks) ?? PlotAxis(from: 0, to: 1, ticks: ticks)
  }

  /// The range of the cells' values; nil if there are none.
  var cellBounds: (least: Double, greatest: Double)? {
    let values = panels.flatMap { panel -> [Double] in
      if case .cells(_, _, let cells) = panel.content {
        cells.joined().compactMap(\.self).filter(\.isFinite)
      } else {
        []
      }
    }
    guard let least = values.min(), let greatest = values.max() else { return nil }
    return (description.aggregate == .count ? 0 : least, greatest)
  }
}
