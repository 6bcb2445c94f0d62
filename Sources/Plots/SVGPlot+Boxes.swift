// The boxes of a picture.
extension SVGPlot {
  /// Boxes below each other, with the names of the bands before them.
  func boxes(
    _ bands: [Plot.Band], _ boxes: [[BoxSummary?]], _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter
  ) {
    if bands.isEmpty { return }
    let axis = plot.valueAxis(ticks: Plot.ticks)
    let frame = rows(bands, axis, plot, plane, &svg)
    func x(_ value: Double) -> Double { frame.left + min(max(axis.part(of: value), 0), 1) * frame.width }
    let slot = frame.height / Double(bands.count) * 0.8 / Double(max(boxes.count, 1))
    for (index, band) in bands.enumerated() {
      for (place, boxes) in boxes.enumerated() {
        guard let box = boxes[index] else { continue }
        let top = frame.top + frame.height / Double(bands.count) * (Double(index) + 0.1) + slot * Double(place)
        let (middle, height) = (top + slot / 2, slot * 0.8)
        let color = band.isRest && !plot.description.hasSeries ? "rest" : "s\(place % Self.colors.count)"
        let name = plot.description.hasSeries ? "\(band.label), \(plot.series[place])" : band.label
        let figures = [box.low, box.lowerQuartile, box.median, box.upperQuartile, box.high].map(TextPlot.number)
        let tip = "\(name): \(figures.joined(separator: " · ")), n = \(box.count)"
        let whisker = "whisker \(color)"
        svg.line(x(box.low), middle, x(box.lowerQuartile), middle, class: whisker)
        svg.line(x(box.upperQuartile), middle, x(box.high), middle, class: whisker)
        for end in [box.low, box.high] {
          svg.line(x(end), middle - height / 4, x(end), middle + height / 4, class: whisker)
        }
        svg.rectangle(
          x(box.lowerQuartile), middle - height / 2, x(box.upperQuartile) - x(box.lowerQuartile), height,
          class: "box \(color)", tip: tip)
        svg.line(x(box.median), middle - height / 2, x(box.median), middle + height / 2, class: "median \(color)")
        for outlier in box.outliers {
          svg.circle(x(outlier), middle, 2, class: "dot \(color)", tip: TextPlot.number(outlier))
        }
      }
    }
  }

  /// Draws the names of bands below each other and an axis under them, and returns the plane that is left.
  func rows(_ bands: [Plot.Band], _ axis: PlotAxis, _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter) -> Frame {
    let labels = bands.map { SVGWriter.fit($0.label, plane.width / 3) }
    let margin = (labels.map(SVGWriter.width).max() ?? 0) + 8
    let frame = Frame(
      left: plane.left + margin, top: plane.top, width: plane.width - margin - 16,
      height: plane.height - 2 * Self.lineHeight)
    svg.text(SVGWriter.fit(plot.description.x, plane.width), plane.left, plane.top - 12, class: "muted")
    horizontalAxis(axis, plot.valueName, frame, hasGrid: true, &svg)
    let unit = frame.height / Double(bands.count)
    for (index, band) in bands.enumerated() {
      svg.text(
        labels[index], frame.left - 5, frame.top + unit * (Double(index) + 0.5) + 4,
        class: band.isRest ? "muted" : "ink", .end)
    }
    return frame
  }
}
