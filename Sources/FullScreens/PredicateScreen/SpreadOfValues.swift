internal import Modeling
internal import Plots
internal import Presentation

/// How the values of an attribute are spread: a bar for each value or range of values.
struct SpreadOfValues: Equatable {
  struct Bar: Equatable {
    var label: String
    var count: Int
    /// Whether it represents objects without a value, or all objects without a bar of their own.
    var isRest = false
  }

  var bars: [Bar] = []

  /// The bars as lines: a label, a bar of eighths of blocks or of number signs, and the count.
  func lines(width: Int, _ style: Style, _ charset: Charset) -> [ScreenLine] {
    let widestLabel = min(bars.map { DisplayText($0.label, in: .max, charset).width }.max() ?? 0, width / 3)
    let counts = bars.map { Quantity.grouped($0.count) }
    let widestCount = counts.map(\.count).max() ?? 0
    let room = max(width - widestLabel - widestCount - 4, 1)
    let most = max(bars.map(\.count).max() ?? 0, 1)
    return zip(bars, counts).map { bar, count in
      var line = ScreenLine(style)
      line.append(cut: bar.label, bar.isRest ? .missing : nil, in: widestLabel, charset)
      line.pad(to: widestLabel + 2)
      let part = Double(bar.count) / Double(most)
      let text = TextPlot.bar(part, room, charset == .ascii)
      line.append(text, bar.isRest ? .missing : .number)
      line.append(cut: (text.isEmpty ? "" : " ") + count, in: width, charset)
      return line
    }
  }
}

extension SpreadOfValues {
  /// The bars of a plot that counts.
  init(_ plot: Plot) {
    guard case .bars(let bands, let counts) = plot.content else { return }
    bars = bands.indices.map { band in
      let count = counts.reduce(0) { $0 + ($1[band] ?? 0) }
      return Bar(label: bands[band].label, count: Int(count), isRest: bands[band].isRest)
    }
  }
}
