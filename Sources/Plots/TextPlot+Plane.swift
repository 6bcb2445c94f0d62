internal import Modeling

// Points, lines and areas as lines of text.
extension TextPlot {
  /// A plane of points, lines or areas with its axes.
  func plane(_ content: Plot.Content, _ plot: Plot) -> [String] {
    let series = plot.runs(content)
    guard let yAxis = plot.verticalAxis(ticks: max(height / 4, 2)) else { return [] }
    var yLabels = yAxis.labels
    if let widest = yLabels.map(\.count).max(), widest > width / 3, !plot.verticalHasDates {
      yLabels = yAxis.ticks.map(Self.compact)
    }
    let margin = (yLabels.map(\.count).max() ?? 0) + 1
    let columns = max(width - margin - 1, 8)
    guard let xAxis = plot.horizontalAxis(ticks: max(columns / 14, 2)) else { return [] }
    var canvas = PlotCanvas(columns: columns, rows: height, isDotted: isDotted(plot))
    for (place, points) in series.enumerated() {
      let places = points.map { (xAxis.part(of: $0.x), 1 - yAxis.part(of: $0.y)) }
      switch plot.description.mark {
      case .line: canvas.line(through: places, place)
      case .area: canvas.area(through: places, from: 1 - max(min(yAxis.part(of: 0), 1), 0), place)
      default: canvas.points(places, place)
      }
    }
    var lines = (0..<height).map { row -> String in
      let tick = yAxis.ticks.indices.first { index in
        Int(saturating: ((1 - yAxis.part(of: yAxis.ticks[index])) * Double(height - 1)).rounded()) == row
      }
      let label = tick.map { yLabels[$0] } ?? ""
      let edge = isASCII ? (tick == nil ? "|" : "+") : (tick == nil ? "│" : "┤")
      let margin = String(repeating: " ", count: margin - 1 - label.count)
      return paint(.axis, margin + label + " " + edge) + canvas.line(row, paint)
    }
    lines += xLines(xAxis, margin, columns)
    return lines
  }

  /// A horizontal axis and the labels below it, leaving out those that would touch.
  func xLines(_ axis: PlotAxis, _ margin: Int, _ columns: Int) -> [String] {
    var edge = Array(repeating: isASCII ? "-" : "─", count: columns)
    var (labels, used) = ("", 0)
    for (tick, label) in zip(axis.ticks, axis.labels) {
      let column = min(Int(saturating: (axis.part(of: tick) * Double(columns - 1)).rounded()), columns - 1)
      let label = fit(label, max(columns / 3, 10))
      let start = max(min(margin + 1 + column - label.width / 2, width - label.width), 0)
      guard start > used || used == 0 else { continue }
      edge[column] = isASCII ? "+" : "┬"
      labels += String(repeating: " ", count: start - used) + label.text
      used = start + label.width
    }
    let corner = String(repeating: " ", count: margin) + (isASCII ? "+" : "└")
    return [paint(.axis, corner + edge.joined()), paint(.axis, labels)]
  }

  /// Whether cells have dots; without colours, marks distinguish series.
  private func isDotted(_ plot: Plot) -> Bool { !isASCII && (plot.series.count <= 1 || hasColors) }

  /// The names of the series behind their marks.
  func legend(_ plot: Plot) -> String {
    var (line, used) = ("", 0)
    for (place, name) in plot.series.enumerated() {
      let mark = isDotted(plot) ? "■" : PlotCanvas.marks[place % PlotCanvas.marks.count]
      let name = fit(name, max(width - used - 4, 0))
      if name.width == 0 { break }
      line += (used > 0 ? "  " : "") + paint(.series(place), "\(mark) \(name.text)")
      used += name.width + (used > 0 ? 4 : 2)
    }
    return line
  }
}
