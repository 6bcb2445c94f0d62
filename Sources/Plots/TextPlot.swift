internal import Modeling

/// A plot as lines of text: bars of eighths of blocks, points and lines of braille, or ASCII.
///
/// Labels are measured by `fit`, as terminals measure them: the beginning of a text that fits in so many columns, and its width.
public struct TextPlot {
  /// What a piece of the text is, for those who colour it.
  public enum Role: Hashable, Sendable {
    case title, axis, missing
    case series(Int)
  }

  /// How wide the lines may be.
  public var width = 80
  /// How high a plane of points is.
  public var height = 16
  /// Whether nothing but ASCII may be used.
  public var isASCII = false
  /// Whether `paint` tells series apart; without it, each has a mark of its own.
  public var hasColors = false
  /// The beginning of a text that fits, and its width.
  public var fit: (String, Int) -> (text: String, width: Int)
  /// The text as it is shown.
  public var paint: (Role, String) -> String

  /// A text without colours, whose characters are a column wide unless `fit` says otherwise.
  public init(
    fit: @escaping (String, Int) -> (text: String, width: Int) = { (String($0.prefix($1)), min($0.count, $1)) },
    paint: @escaping (Role, String) -> String = { $1 }
  ) {
    self.fit = fit
    self.paint = paint
  }

  /// The lines of a plot, without an end of line after the last.
  public func text(_ plot: Plot) -> String {
    var drawing = self
    drawing.width = max(min(plot.description.width ?? width, 1_000), 20)
    drawing.height = max(min(plot.description.height ?? height, 500), 4)
    return drawing.lines(plot).joined(separator: "\n")
  }

  private func lines(_ plot: Plot) -> [String] {
    let count = plot.count
    let title = fit(plot.title, max(width - count.count - 2, 0))
    let gap = String(repeating: " ", count: max(width - title.width - count.count, 0))
    let head = paint(.title, title.text) + paint(.axis, fit(gap + count, width - title.width).text)
    if plot.description.mark == .bar, case .bars(let bands, let values) = plot.content {
      return [head] + bars(bands, values, plot)
    }
    return [head] + plane(plot)
  }

  // MARK: Bars

  private func bars(_ bands: [Plot.Band], _ values: [[Double?]], _ plot: Plot) -> [String] {
    let hasSeries = plot.description.color != nil
    let labels = bands.map { fit($0.label, width / 3) }
    let names = hasSeries ? plot.series.map { fit($0, max(width / 5, 4)) } : []
    let (widestLabel, widestName) = (labels.map(\.width).max() ?? 0, names.map(\.width).max() ?? 0)
    let texts = values.map { $0.map { $0.map(Self.number) ?? "" } }
    let widestText = texts.joined().map(\.count).max() ?? 0
    let beside = widestLabel + 1 + (hasSeries ? widestName + 1 : 0)
    let all = values.joined().compactMap(\.self).filter(\.isFinite)
    let (least, most) = (min(all.min() ?? 0, 0), max(all.max() ?? 0, 0))
    let isSigned = least < 0
    let room = max(width - beside - widestText - 2, 1)
    var lines: [String] = []
    for (band, label) in labels.enumerated() {
      for place in values.indices {
        guard let value = values[place][band] else { continue }
        if hasSeries, value == 0 { continue }
        let isFirst = lines.isEmpty || place == 0 || !values[..<place].contains { ($0[band] ?? 0) != 0 }
        var line = paint(bands[band].isRest ? .missing : .axis, isFirst || !hasSeries ? label.text : "")
        line += String(repeating: " ", count: widestLabel + 1 - (isFirst || !hasSeries ? label.width : 0))
        if hasSeries {
          line += paint(.series(place), names[place].text)
          line += String(repeating: " ", count: widestName + 1 - names[place].width)
        }
        let role = bands[band].isRest && !hasSeries ? Role.missing : .series(place)
        let bar = isSigned ? signed(value, least, most, room) : Self.bar(value / max(most, 1e-300), room, isASCII)
        if !bar.isEmpty { line += paint(role, bar) + " " }
        lines.append(line + texts[place][band])
      }
    }
    return lines
  }

  /// A bar on either side of zero, in whole columns.
  private func signed(_ value: Double, _ least: Double, _ most: Double, _ room: Int) -> String {
    // Halves, as the difference of huge ends has no number.
    let range = max(most / 2 - least / 2, 1e-300)
    func column(_ value: Double) -> Int {
      Int((min(max((value / 2 - least / 2) / range, 0), 1) * Double(room)).rounded())
    }
    let (zero, end) = (column(0), column(value))
    let mark = isASCII ? "#" : "█"
    if value == 0 || value.isNaN { return String(repeating: " ", count: zero) }
    let length = max(abs(end - zero), 1)
    return String(repeating: " ", count: value < 0 ? max(zero - length, 0) : zero)
      + String(repeating: mark, count: length)
  }

  /// A bar of at most `room` columns; a part above zero is always visible.
  public static func bar(_ part: Double, _ room: Int, _ isASCII: Bool) -> String {
    guard part > 0 else { return "" }
    let part = min(part, 1)
    if isASCII { return String(repeating: "#", count: max(Int((part * Double(room)).rounded()), 1)) }
    let eighths = max(Int((part * Double(room * 8)).rounded()), 1)
    let pieces = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + pieces[eighths % 8]
  }

  /// A value beside a bar: whole numbers in groups, others with four digits.
  static func number(_ value: Double) -> String {
    if abs(value) < 1e15, value == value.rounded() { return Quantity.grouped(Int(value)) }
    guard abs(value) < 1e15, abs(value) >= 1e-4 else { return value.description }
    var places = 0
    var scaled = abs(value)
    while scaled < 1_000, places < 7 {
      scaled *= 10
      places += 1
    }
    var text = Quantity.decimal(value, places: places)
    while text.contains("."), text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  // MARK: Points

  private func plane(_ plot: Plot) -> [String] {
    let series = plot.runs
    guard let yAxis = plot.verticalAxis(ticks: max(height / 4, 2)) else { return [] }
    let margin = (yAxis.labels.map(\.count).max() ?? 0) + 1
    let columns = max(width - margin - 1, 8)
    guard let xAxis = plot.horizontalAxis(ticks: max(columns / 14, 2)) else { return [] }
    var canvas = PlotCanvas(columns: columns, rows: height, isDotted: !isASCII && (series.count == 1 || hasColors))
    for (place, points) in series.enumerated() {
      let places = points.map { (xAxis.part(of: $0.x), 1 - yAxis.part(of: $0.y)) }
      if plot.description.mark == .line { canvas.line(through: places, place) } else { canvas.points(places, place) }
    }
    var lines = (0..<height).map { row -> String in
      let tick = yAxis.ticks.indices.first { index in
        Int(((1 - yAxis.part(of: yAxis.ticks[index])) * Double(height - 1)).rounded()) == row
      }
      let label = tick.map { yAxis.labels[$0] } ?? ""
      let edge = isASCII ? (tick == nil ? "|" : "+") : (tick == nil ? "│" : "┤")
      let margin = String(repeating: " ", count: margin - 1 - label.count)
      return paint(.axis, margin + label + " " + edge) + canvas.line(row, paint)
    }
    lines += xLines(xAxis, margin, columns)
    if plot.description.color != nil { lines.append(legend(plot, isDotted: canvas.isDotted)) }
    return lines
  }

  private func xLines(_ axis: PlotAxis, _ margin: Int, _ columns: Int) -> [String] {
    var edge = Array(repeating: isASCII ? "-" : "─", count: columns)
    var (labels, used) = ("", 0)
    for (tick, label) in zip(axis.ticks, axis.labels) {
      let column = min(Int((axis.part(of: tick) * Double(columns - 1)).rounded()), columns - 1)
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

  private func legend(_ plot: Plot, isDotted: Bool) -> String {
    var (line, used) = ("", 0)
    for (place, name) in plot.series.enumerated() {
      let mark = isDotted ? "■" : PlotCanvas.marks[place % PlotCanvas.marks.count]
      let name = fit(name, max(width - used - 4, 0))
      if name.width == 0 { break }
      line += (used > 0 ? "  " : "") + paint(.series(place), "\(mark) \(name.text)")
      used += name.width + (used > 0 ? 4 : 2)
    }
    return line
  }
}
