internal import Modeling

// Heat maps as lines of text.
extension TextPlot {
  private var shades: [String] { isASCII ? [".", "+", "*", "#"] : ["░", "▒", "▓", "█"] }

  /// How dark a value is, from 0 to 3.
  private func shade(_ value: Double, _ bounds: (least: Double, greatest: Double)) -> Int {
    let part = (value / 2 - bounds.least / 2) / (bounds.greatest / 2 - bounds.least / 2)
    return part.isFinite ? max(min(Int(saturating: part * 4), 3), 0) : 3
  }

  /// A line for each row, the greatest numbers on top; a cell is darker the greater its value is.
  func cells(_ columns: [Plot.Band], _ rows: [Plot.Band], _ values: [[Double?]], _ plot: Plot) -> [String] {
    guard let bounds = plot.cellBounds, !columns.isEmpty else { return [] }
    let labels = rows.map { fit($0.label, width / 3) }
    let widest = labels.map(\.width).max() ?? 0
    let room = max(width - widest - 2, 1)
    // Columns that do not fit are drawn together, as the darkest of them.
    let share = (columns.count + room - 1) / room
    let shown = stride(from: 0, to: columns.count, by: share).map { $0..<min($0 + share, columns.count) }
    let cellWidth = max(min(room / shown.count, 8), 1)
    let edge = isASCII ? "|" : "│"
    // Ranges rise; categories and rows without a value follow each other downwards.
    let ranges = rows.indices.filter { rows[$0].start != nil }
    let order = ranges.reversed() + rows.indices.filter { rows[$0].start == nil }
    var lines = order.map { row -> String in
      var line = paint(rows[row].isRest ? .missing : .axis, labels[row].text)
      line += String(repeating: " ", count: widest + 1 - labels[row].width) + paint(.axis, edge)
      var (text, pending) = ("", 0)
      for group in shown {
        let known = group.compactMap { values[row][$0] }.filter { !$0.isNaN }
        if let value = known.max() {
          text += String(repeating: " ", count: pending)
          pending = 0
          text += String(repeating: shades[shade(value, bounds)], count: cellWidth)
        } else {
          pending += cellWidth
        }
      }
      return line + (text.isEmpty ? "" : paint(.series(0), text))
    }
    lines += xLines(columnAxis(columns, shown), widest + 1, shown.count * cellWidth)
    return lines
  }

  /// Ticks where the columns begin, or in the middle of categories.
  private func columnAxis(_ columns: [Plot.Band], _ shown: [Range<Int>]) -> PlotAxis {
    PlotAxis(shown.map { columns[$0.lowerBound] })
  }

  /// The meaning of the shades.
  func shadeLegend(_ bounds: (least: Double, greatest: Double), _ plot: Plot) -> String {
    let step = bounds.greatest / 4 - bounds.least / 4
    let parts = shades.enumerated().map { place, shade in
      "\(shade) \(Self.number(bounds.least + step * Double(place)))"
    }
    let name = plot.description.color ?? "count"
    return paint(.axis, fit("\(name) from: " + parts.joined(separator: "  "), width).text)
  }
}
