internal import Modeling

// Boxes as lines of text.
extension TextPlot {
  /// A line for each box: the whiskers, the box between the quartiles with the median in it, and the outliers.
  func boxes(_ bands: [Plot.Band], _ boxes: [[BoxSummary?]], _ plot: Plot) -> [String] {
    let hasSeries = plot.description.hasSeries
    let labels = bands.map { fit($0.label, width / 3) }
    let names = hasSeries ? plot.series.map { fit($0, max(width / 5, 4)) } : []
    let (widestLabel, widestName) = (labels.map(\.width).max() ?? 0, names.map(\.width).max() ?? 0)
    let texts = boxes.map { $0.map { $0.map { Self.number($0.median) } ?? "" } }
    let beside = widestLabel + 1 + (hasSeries ? widestName + 1 : 0)
    let beyond = (texts.joined().map(\.count).max() ?? 0) + 1
    let hasTexts = width - beside - beyond >= 12
    let room = max(width - beside - (hasTexts ? beyond : 0), 8)
    let axis = plot.valueAxis(ticks: max(room / 14, 2))
    var lines: [String] = []
    for (band, label) in labels.enumerated() {
      var isFirst = true
      for place in boxes.indices {
        guard let box = boxes[place][band] else { continue }
        var line = paint(bands[band].isRest ? .missing : .axis, isFirst ? label.text : "")
        line += String(repeating: " ", count: widestLabel + 1 - (isFirst ? label.width : 0))
        if hasSeries {
          line += paint(.series(place), names[place].text)
          line += String(repeating: " ", count: widestName + 1 - names[place].width)
        }
        isFirst = false
        let role = bands[band].isRest && !hasSeries ? Role.missing : .series(place)
        lines.append(line + paint(role, self.box(box, axis, room)) + (hasTexts ? " " + texts[place][band] : ""))
      }
    }
    if lines.isEmpty { return [] }
    return lines + xLines(axis, beside - 1, room)
  }

  private func box(_ box: BoxSummary, _ axis: PlotAxis, _ room: Int) -> String {
    var cells = Array(repeating: " ", count: room)
    func column(_ value: Double) -> Int {
      Int(saturating: (min(max(axis.part(of: value), 0), 1) * Double(room - 1)).rounded())
    }
    for outlier in box.outliers { cells[column(outlier)] = isASCII ? "o" : "∘" }
    let (low, high) = (column(box.low), column(box.high))
    for place in low...max(high, low) { cells[place] = isASCII ? "-" : "─" }
    cells[low] = isASCII ? "|" : "├"
    cells[high] = isASCII ? "|" : "┤"
    let lower = column(box.lowerQuartile)
    for place in lower...max(column(box.upperQuartile), lower) { cells[place] = isASCII ? "=" : "▒" }
    cells[column(box.median)] = isASCII ? "#" : "█"
    return cells.joined()
  }
}
