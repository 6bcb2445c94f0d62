internal import Presentation

/// The rows of a table as lines of a full screen, each with room for a sign before it.
struct TableGrid {
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

  /// `formerTexts` are those of cells that have changed, by column, for each row. The column `wanted` that keys are about is
  /// among those that are shown; the others stay where they are in `placement`, if that is possible.
  init(
    _ columns: [TabularColumn], _ rows: [[CellText]], formerTexts: [[Int: String]], showing wanted: Int?,
    _ placement: inout GridPlacement, width: Int, _ style: Style, _ charset: Charset
  ) {
    var options = RenderOptions(width: width)
    options.charset = charset
    var (columns, cells, formerTexts) = (columns, rows, formerTexts)
    let measured = placement.measured(columns, rows, charset)
    /// The places of the columns from one on, beside the first.
    func places(from start: Int) -> [Int] {
      start > 1 && start < columns.count ? [0] + Array(start..<columns.count) : Array(columns.indices)
    }
    func laidOut(_ places: [Int]) -> GridLayout {
      GridLayout(
        places.map { wanted == nil ? columns[$0] : columns[$0].withRoomForBrackets },
        rows: measured.map { row in places.map { row[$0] } },
        options: options)
    }
    func shows(_ start: Int) -> Bool {
      guard let wanted else { return start == 0 }
      let places = places(from: start)
      return laidOut(places).columns.contains { places[$0.index] == wanted }
    }
    if !shows(placement.start) { placement.start = shows(0) ? 0 : wanted ?? 0 }
    let shownPlaces = places(from: placement.start)
    let layout = laidOut(shownPlaces)
    for column in layout.columns { placement.widths[shownPlaces[column.index]] = column.width }
    if shownPlaces.count < columns.count {
      formerTexts = formerTexts.map { texts in
        Dictionary(
          uniqueKeysWithValues: shownPlaces.enumerated().compactMap { new, old in texts[old].map { (new, $0) } })
      }
      cells = rows.map { row in shownPlaces.map { row[$0] } }
      columns = shownPlaces.map { columns[$0] }
    }
    let shown = zip(cells, formerTexts).map { Self.marking($0, $1, layout, charset) }
    func lines(_ style: Style) -> [String] {
      options.style = style
      let writer = GridWriter(layout: layout, options: options)
      let sink = OutputSink.inMemory()
      writer.header(columns, to: sink)
      for row in shown { writer.row(row, to: sink) }
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

  /// The cells of a row with those marked that have changed: `5.3 → 6` where there is room for it.
  private static func marking(
    _ cells: [CellText], _ formerTexts: [Int: String], _ layout: GridLayout, _ charset: Charset
  ) -> [CellText] {
    if formerTexts.isEmpty { return cells }
    var cells = cells
    for column in layout.columns {
      guard let old = formerTexts[column.index] else { continue }
      let both = "\(old) \(charset.arrow) \(cells[column.index].text)"
      if DisplayText(both, in: .max, charset).width <= column.width {
        cells[column.index].text = both
        cells[column.index].isNumber = false
      }
      cells[column.index].role = .changed
    }
    return cells
  }

  /// The row at an index, after the sign of what became of it.
  func row(_ index: Int, _ mark: RowMark?, isSelected: Bool) -> ScreenLine {
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

extension TabularColumn {
  /// The column as it is laid out: whichever keys are about, all stay where they are.
  fileprivate var withRoomForBrackets: TabularColumn {
    var column = self
    if mark.first != "]" { (column.name, column.mark) = ("[" + name, "]" + mark) }
    return column
  }
}
