// The bars of a picture.
extension SVGPlot {
  /// A part of a bar that one series has, between two values.
  private struct Piece {
    var series: Int
    var from: Double
    var to: Double
    /// The place among the bars of the band, and how many there are.
    var slot: (Int, Int)
    var tip: String
  }

  /// The bars of a band: on each other where they add up, side by side otherwise.
  private func pieces(_ band: Int, _ bands: [Plot.Band], _ values: [[Double?]], _ plot: Plot) -> [Piece] {
    var (up, down) = (0.0, 0.0)
    return values.indices.compactMap { series in
      guard let value = values[series][band], value.isFinite else { return nil }
      let name = !plot.description.hasSeries ? "" : ", \(plot.series[series])"
      let tip = "\(bands[band].label)\(name): \(TextPlot.number(value))"
      guard plot.isStacked else {
        return Piece(series: series, from: 0, to: value, slot: (series, values.count), tip: tip)
      }
      let from = value < 0 ? down : up
      if value < 0 { down += value } else { up += value }
      return Piece(series: series, from: from, to: from + value, slot: (0, 1), tip: tip)
    }
  }

  private func color(_ piece: Piece, _ band: Plot.Band, _ plot: Plot) -> String {
    band.isRest && !plot.description.hasSeries ? "rest" : "fill s\(piece.series % Self.colors.count)"
  }

  /// Bars beside each other, along a scale of numbers or dates; those without a place on it are behind its end.
  func standing(
    _ bands: [Plot.Band], _ values: [[Double?]], _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter
  ) {
    let axis = plot.valueAxis(ticks: Plot.verticalTicks)
    let frame = verticalAxis(axis, plot.valueName, plane, &svg)
    let ranges = bands.filter { $0.start != nil }
    let rest = bands.count - ranges.count
    let unit = frame.width / (Double(bands.count) + (rest > 0 ? 0.5 : 0))
    var scale = frame
    scale.width = unit * Double(ranges.count)
    if ranges.isEmpty { return }
    let ticks = PlotAxis(starts: ranges, isLogarithmic: plot.description.xAxis.scale == .log)
    func x(_ value: Double) -> Double { scale.left + ticks.part(of: value) * scale.width }
    func y(_ value: Double) -> Double { frame.bottom - min(max(axis.part(of: value), 0), 1) * frame.height }
    var next = frame.right - unit * Double(rest)
    for (index, band) in bands.enumerated() {
      let left = band.start.map(x) ?? next
      let right = band.end.map(x) ?? next + unit
      if band.start == nil {
        svg.text(
          SVGWriter.fit(band.label, unit + 20), next + unit / 2, frame.bottom + 16, class: "muted", .middle)
        next += unit
      }
      for piece in pieces(index, bands, values, plot) where piece.from != piece.to {
        let slot = (right - left) / Double(piece.slot.1)
        let gap = min(slot / 8, 1)
        let (low, high) = (y(min(piece.from, piece.to)), y(max(piece.from, piece.to)))
        svg.rectangle(
          left + slot * Double(piece.slot.0) + gap / 2, high, max(slot - gap, 0.25), low - high,
          class: color(piece, band, plot), tip: piece.tip)
      }
    }
    horizontalAxis(ticks, plot.description.x, scale, &svg)
    svg.line(frame.left, y(0), frame.right, y(0), class: "axis")
  }

  /// Bars below each other, with the names of categories before them.
  func lying(_ bands: [Plot.Band], _ values: [[Double?]], _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter) {
    let axis = plot.valueAxis(ticks: Plot.ticks)
    let frame = rows(bands, axis, plot, plane, &svg)
    func x(_ value: Double) -> Double { frame.left + min(max(axis.part(of: value), 0), 1) * frame.width }
    let unit = frame.height / Double(bands.count)
    for (index, band) in bands.enumerated() {
      let top = frame.top + unit * Double(index)
      for piece in pieces(index, bands, values, plot) where piece.from != piece.to {
        let slot = unit * 0.8 / Double(piece.slot.1)
        let (low, high) = (x(min(piece.from, piece.to)), x(max(piece.from, piece.to)))
        svg.rectangle(
          low, top + unit * 0.1 + slot * Double(piece.slot.0), high - low, slot, class: color(piece, band, plot),
          tip: piece.tip)
      }
    }
    svg.line(x(0), frame.top, x(0), frame.bottom, class: "axis")
  }
}
