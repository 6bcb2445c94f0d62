internal import Modeling

// The heat map of a picture.
extension SVGPlot {
  /// How much of the colour a value has: the least is still visible.
  private func opacity(_ value: Double, _ bounds: (least: Double, greatest: Double)) -> Double {
    let part = (value / 2 - bounds.least / 2) / (bounds.greatest / 2 - bounds.least / 2)
    return 0.08 + 0.92 * (part.isFinite ? min(max(part, 0), 1) : 1)
  }

  /// Cells in columns and rows, the greatest numbers on top.
  func cells(
    _ columns: [Plot.Band], _ rows: [Plot.Band], _ values: [[Double?]], _ plot: Plot, _ plane: Frame,
    _ svg: inout SVGWriter
  ) {
    guard let bounds = plot.cellBounds, !columns.isEmpty, !rows.isEmpty else { return }
    let labels = rows.map { SVGWriter.fit($0.label, plane.width / 3) }
    let margin = (labels.map(SVGWriter.width).max() ?? 0) + 8
    let frame = Frame(
      left: plane.left + margin, top: plane.top, width: plane.width - margin - 16,
      height: plane.height - 2 * Self.lineHeight)
    svg.text(SVGWriter.fit(plot.description.y, plane.width), plane.left, plane.top - 12, class: "muted")
    let (width, height) = (frame.width / Double(columns.count), frame.height / Double(rows.count))
    let ranges = rows.indices.filter { rows[$0].start != nil }
    let order = ranges.reversed() + rows.indices.filter { rows[$0].start == nil }
    for (place, row) in order.enumerated() {
      let top = frame.top + height * Double(place)
      svg.text(labels[row], frame.left - 5, top + height / 2 + 4, class: rows[row].isRest ? "muted" : "ink", .end)
      for (column, value) in values[row].enumerated() {
        guard let value, !value.isNaN else { continue }
        let tip = "\(columns[column].label), \(rows[row].label): \(TextPlot.number(value))"
        svg.rectangle(
          frame.left + width * Double(column), top, width, height,
          class: "fill s0", opacity: opacity(value, bounds), tip: tip)
      }
    }
    horizontalAxis(PlotAxis(columns), plot.description.x, frame, &svg)
  }

  /// The least and the greatest value behind their shades.
  func shadeLegend(
    _ bounds: (least: Double, greatest: Double), _ plot: Plot, _ top: inout Double, _ width: Double,
    _ svg: inout SVGWriter
  ) {
    top += Self.lineHeight
    let name = plot.description.color ?? "count"
    let shown = SVGWriter.fit(name, width / 2)
    svg.text(shown, 12, top, class: "muted")
    var x = 12 + SVGWriter.width(shown) + 12
    for part in [0, 0.25, 0.5, 0.75, 1] {
      let value = bounds.least + (bounds.greatest - bounds.least) * part
      let label = TextPlot.number(value)
      if x + SVGWriter.width(label) + 20 > width {
        x = 12
        top += Self.lineHeight
      }
      svg.rectangle(x, top - 10, 10, 10, class: "fill s0", opacity: opacity(value, bounds))
      svg.text(label, x + 14, top, class: "ink")
      x += SVGWriter.width(label) + 30
    }
  }
}
