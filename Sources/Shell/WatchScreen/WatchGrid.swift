internal import Terminal

/// The rows of a table as lines of a full screen, each with room for a sign before it.
struct WatchGrid {
  /// The three lines above the rows.
  let header: [ScreenLine]
  /// The line below them.
  let bottom: ScreenLine
  private let plain: [String]
  private let styled: [String]
  private let width: Int
  private let bar: String
  private let style: Style
  private let charset: Charset

  init(_ columns: [TabularColumn], _ rows: [[CellText]], width: Int, _ style: Style, _ charset: Charset) {
    var options = RenderOptions(width: width)
    options.charset = charset
    let layout = GridLayout(columns, rows: rows, options: options)
    func lines(_ style: Style) -> [String] {
      options.style = style
      let writer = GridWriter(layout: layout, options: options)
      let sink = OutputSink.inMemory()
      writer.header(columns, to: sink)
      for row in rows { writer.row(row, to: sink) }
      writer.bottom(to: sink)
      return sink.text.split(separator: "\n").map(String.init)
    }
    (plain, styled) = (lines(Style(enabled: false)), lines(style))
    let gap = layout.droppedCount > 0 ? 4 : 0
    let tableWidth = layout.columns.reduce(1 + gap) { $0 + $1.width + 3 }
    self.width = tableWidth
    self.style = style
    self.charset = charset
    bar = style(.frame, charset == .utf8 ? "│" : "|")
    header = styled.prefix(3).map { ScreenLine(styled: $0, width: tableWidth, style) }
    bottom = ScreenLine(styled: styled.last ?? "", width: tableWidth, style)
  }

  /// The row at an index, after the sign of what became of it.
  func row(_ index: Int, _ mark: WatchMark?, isSelected: Bool) -> ScreenLine {
    // The header is three lines.
    let place = 3 + index
    guard styled.indices.contains(place) else { return ScreenLine(style) }
    if isSelected {
      // Colours tell that it is selected.
      let sign = style.isEnabled ? mark?.sign(charset) : nil
      return ScreenLine(styled: style(.selection, (sign ?? ">") + plain[place].dropFirst()), width: width, style)
    }
    guard let mark else { return ScreenLine(styled: styled[place], width: width, style) }
    let sign = style(mark.role, mark.sign(charset))
    return ScreenLine(styled: sign + styled[place].dropFirst(bar.count), width: width, style)
  }
}
