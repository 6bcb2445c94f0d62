import Glibc
internal import Modeling

// Bars as lines of text.
extension TextPlot {
  /// The lines of bars, each with its value behind it.
  func bars(_ bands: [Plot.Band], _ values: [[Double?]], _ plot: Plot) -> [String] {
    let hasSeries = plot.description.hasSeries
    let axis = plot.valueAxis(ticks: 2)
    let labels = bands.map { fit($0.label, width / 3) }
    let names = hasSeries ? plot.series.map { fit($0, max(width / 5, 4)) } : []
    let (widestLabel, widestName) = (labels.map(\.width).max() ?? 0, names.map(\.width).max() ?? 0)
    var texts = values.map { $0.map { $0.map(Self.number) ?? "" } }
    var widestText = texts.joined().map(\.count).max() ?? 0
    let beside = widestLabel + 1 + (hasSeries ? widestName + 1 : 0)
    let (least, most) = valueBounds(plot)
    let isSigned = least < 0
    if width - beside - widestText < 8 {
      texts = values.map { $0.map { $0.map(Self.compact) ?? "" } }
      widestText = texts.joined().map(\.count).max() ?? 0
    }
    let room = max(width - beside - widestText - 2, 0)
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
        let part = axis.isLogarithmic ? axis.part(of: value) : value / max(most, 1e-300)
        let bar = isSigned ? signed(value, least, most, room) : Self.bar(part, room, isASCII)
        if !bar.isEmpty, room > 0 { line += paint(role, bar) + " " }
        lines.append(line + texts[place][band])
      }
    }
    return lines
  }

  /// The ends of the bars of all panels, zero among them.
  private func valueBounds(_ plot: Plot) -> (Double, Double) {
    if let domain = plot.description.yAxis.domain { return (min(domain.lowerBound, 0), max(domain.upperBound, 0)) }
    var (least, most) = (0.0, 0.0)
    for panel in plot.panels {
      guard case .bars(_, let values) = panel.content else { continue }
      for value in values.joined() {
        if let value, value.isFinite { (least, most) = (min(least, value), max(most, value)) }
      }
    }
    return plot.description.yAxis.scale == .log ? (0, most) : (least, most)
  }

  /// A bar on either side of zero, in whole columns.
  private func signed(_ value: Double, _ least: Double, _ most: Double, _ room: Int) -> String {
    // Halves, as the difference of huge ends has no number.
    let range = max(most / 2 - least / 2, 1e-300)
    func column(_ value: Double) -> Int {
      Int(saturating: (min(max((value / 2 - least / 2) / range, 0), 1) * Double(room)).rounded())
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
    if isASCII { return String(repeating: "#", count: max(Int(saturating: (part * Double(room)).rounded()), 1)) }
    let eighths = max(Int(saturating: (part * Double(room * 8)).rounded()), 1)
    let pieces = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + pieces[eighths % 8]
  }

  /// A value in no more than nine columns, for narrow windows: three digits, and a power of ten.
  static func compact(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return number(value) }
    let power = Int(saturating: log10(abs(value)).rounded(.down))
    func digits(_ value: Double) -> String {
      let text = Quantity.decimal(value, places: abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0)
      return text.contains(".") ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
    }
    if power >= -2, power <= 2 { return digits(value) }
    return digits((value / pow(10, Double(power)) * 10).rounded() / 10) + "e\(power)"
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
}
