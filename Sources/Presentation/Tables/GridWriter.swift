internal import Modeling

/// Draws the frame and the rows of a table.
package struct GridWriter {
  private let layout: GridLayout
  private let options: RenderOptions
  private let border: Border
  private let bar: String

  /// The pieces of a frame.
  private struct Border {
    var line: String
    var top: (String, String, String)
    var middle: (String, String, String)
    var bottom: (String, String, String)

    static let box = Border(line: "─", top: ("┌", "┬", "┐"), middle: ("├", "┼", "┤"), bottom: ("└", "┴", "┘"))
    static let ascii = Border(line: "-", top: ("+", "+", "+"), middle: ("+", "+", "+"), bottom: ("+", "+", "+"))
  }

  package init(layout: GridLayout, options: RenderOptions) {
    self.layout = layout
    self.options = options
    border = options.charset == .utf8 ? .box : .ascii
    bar = options.style(.frame, options.charset == .utf8 ? "│" : "|")
  }

  /// The names of the columns; `isRuled` says whether a rule follows.
  package func header(_ columns: [TabularColumn], isRuled: Bool = true, to sink: OutputSink) {
    rule(border.top, to: sink)
    line(to: sink, gap: gapMark) { column, _ in
      let mark = DisplayText(columns[column.index].mark, in: column.width, options.charset)
      let name = DisplayText(columns[column.index].name, in: column.width - mark.width, options.charset)
      let space = String(repeating: " ", count: column.width - name.width - mark.width)
      let styled = options.style(.header, name.text + mark.text)
      return column.isTrailing ? space + styled : styled + space
    }
    if isRuled { rule(border.middle, to: sink) }
  }

  package func row(_ cells: [CellText], to sink: OutputSink) {
    line(to: sink, gap: gapMark) { column, start in
      let cell = cells[column.index]
      let shown = DisplayText(column.isCutToDay ? cell.day : cell.text, in: column.width, options.charset)
      let text = text(shown, cell, column)
      // Wherever the terminal believes its cursor to be now, the border stands where it belongs.
      return options.movesCursor && shown.isDisputed ? text + "\u{1B}[\(start + column.width + 1)G" : text
    }
  }

  /// A rule that says which section the rows below it are of; the first takes the place of the header's rule.
  func heading(_ text: String, to sink: OutputSink) {
    var widths = layout.columns.map(\.width)
    if layout.droppedCount > 0 { widths.append(1) }
    let width = widths.reduce(-1) { $0 + $1 + 3 }
    // A heading may stand out of a narrow table, not out of the window.
    let shown = DisplayText(text, in: max(width - 4, (options.width ?? .max) - 4, 1), options.charset)
    let rest = width - 3 - shown.width
    let end = rest > 0 ? " " + options.style(.frame, String(repeating: border.line, count: rest) + border.middle.2) : ""
    sink.write(
      options.style(.frame, border.middle.0 + border.line) + " " + options.style(.header, shown.text) + end + "\n")
  }

  /// The row in place of those left out, with their number if it is known and there is room.
  func gapRow(_ count: Int?, to sink: OutputSink) {
    let mark = options.charset == .utf8 ? "⋮" : ":"
    let text = count.map { "\(mark) \(Quantity.grouped($0)) in between" }
    let room = layout.columns.reduce(layout.droppedCount > 0 ? 1 : -3) { $0 + $1.width + 3 }
    if let text, text.terminalWidth <= room {
      let space = String(repeating: " ", count: room - text.terminalWidth)
      sink.write("\(bar) \(options.style(.note, text))\(space) \(bar)\n")
      return
    }
    line(to: sink, gap: options.style(.frame, mark)) { column, _ in
      let space = String(repeating: " ", count: column.width - 1)
      let styled = options.style(.frame, mark)
      return column.isTrailing ? space + styled : styled + space
    }
  }

  package func bottom(to sink: OutputSink) {
    rule(border.bottom, to: sink)
  }

  private var gapMark: String { options.style(.frame, options.charset == .utf8 ? "…" : "~") }

  private func text(_ shown: DisplayText, _ cell: CellText, _ column: GridLayout.Column) -> String {
    let space = column.width - shown.width
    let styled = options.style(cell.role, shown.text)
    guard column.isTrailing else { return styled + String(repeating: " ", count: space) }
    // Decimal points stand under one another: a shorter fraction leaves room behind it.
    var behind = 0
    if cell.isNumber, column.fractionWidth > 0 {
      let point = cell.text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? cell.text.endIndex
      let fraction = cell.text.utf8.distance(from: point, to: cell.text.endIndex)
      behind = min(column.fractionWidth - fraction, space)
    }
    return String(repeating: " ", count: space - behind) + styled + String(repeating: " ", count: behind)
  }

  /// Writes a line of cells; `cell` is given the column of the terminal, from 0, at which it begins.
  private func line(to sink: OutputSink, gap: String, cell: (GridLayout.Column, Int) -> String) {
    sink.write(bar)
    var start = 2
    for (position, column) in layout.columns.enumerated() {
      if layout.droppedCount > 0, position == layout.gap {
        sink.write(" \(gap) \(bar)")
        start += 4
      }
      sink.write(" ")
      sink.write(cell(column, start))
      sink.write(" ")
      sink.write(bar)
      start += column.width + 3
    }
    if layout.droppedCount > 0, layout.gap == layout.columns.count { sink.write(" \(gap) \(bar)") }
    sink.write("\n")
  }

  private func rule(_ ends: (String, String, String), to sink: OutputSink) {
    var widths = layout.columns.map(\.width)
    if layout.droppedCount > 0 { widths.insert(1, at: layout.gap) }
    let lines = widths.map { String(repeating: border.line, count: $0 + 2) }
    sink.write(options.style(.frame, ends.0 + lines.joined(separator: ends.1) + ends.2) + "\n")
  }
}
