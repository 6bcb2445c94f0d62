internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Terminal

// The lower part of the screen.
extension PredicateScreen {
  /// Returns the lower part of the screen in `height` lines.
  func paneLines(_ height: Int) -> [ScreenLine] {
    guard height > 0 else { return [] }
    if pane == .rows, showsMisses {
      return [ScreenLine("rows that do not fulfil it", .header, in: size.columns, style, charset)]
        + tableLines(height - 1)
    }
    if pane == .rows { return tableLines(height) }
    let heading = ScreenLine(paneTitle, .header, in: size.columns, style, charset)
    var lines: [ScreenLine]
    if pane == .help {
      lines = textLines(PredicatePane.helpText)
    } else if let bars = paneLines {
      lines = bars
    } else {
      lines = textLines(paneText ?? (reading.predicateToAsk == nil ? "nothing can be asked yet" : charset.ellipsis))
    }
    let room = height - 1
    scroll = min(scroll, max(lines.count - room, 0))
    lines = Array(lines[scroll...].prefix(room))
    return [heading] + lines
  }

  private var paneTitle: String {
    switch pane {
    case .swift:
      let forms = PredicatePane.swiftForms
      return "Swift: \(forms[swiftForm]) (\(swiftForm + 1) of \(forms.count))"
    case .plot:
      let attributes = inquiry.plottableAttributes
      guard attributes.indices.contains(plottedAttribute) else { return "plot" }
      let unsaved = inquiry.context.hasChanges ? ", unsaved changes left out" : ""
      return "\(attributes[plottedAttribute].name) (\(plottedAttribute + 1) of \(attributes.count)\(unsaved))"
    case .why:
      guard let answer, let row = selectedRow, row < answer.page.objects.count else { return "why" }
      let title = ObjectText.title(of: inquiry.context.object(answer.page.objects[row]))
      let kind = showsMisses ? " of those that do not fulfil it" : ""
      return "why \(title), row \(Quantity.grouped(answer.page.offset + row + 1))\(kind)"
    default: return pane.name
    }
  }

  private func textLines(_ text: String) -> [ScreenLine] {
    let role: Style.Role? = isStale ? .note : nil
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let plain = line.last == "\r" ? line.dropLast() : line
      let text = String(plain).replacing("\t", with: "  ")
      return DisplayText.wrapped(text, in: size.columns, charset, atWords: true).map {
        ScreenLine($0, role, in: size.columns, style, charset)
      }
    }
  }

  /// Whether what is shown is an answer to another text.
  private var isStale: Bool { answer?.text != editor.text }

  // MARK: Rows

  private func tableLines(_ height: Int) -> [ScreenLine] {
    guard let page = answer?.page else { return [] }
    guard !page.rows.isEmpty else {
      return [ScreenLine("no \(inquiry.entity.name)", .note, in: size.columns, style, charset)]
    }
    let room = max(height - 4, 1)
    let first = min(max((selectedRow ?? 0) - room + 1, 0), max(page.rows.count - room, 0))
    let shown = first..<min(first + room, page.rows.count)
    var lines = drawn(page, shown, isStale ? Style(enabled: false) : style)
    if isStale { lines = lines.map { ScreenLine(styled: style(.note, $0.text), width: $0.width, style) } }
    if let row = selectedRow, isInPane, shown.contains(row) {
      // The header is three lines.
      let plain = drawn(page, shown, Style(enabled: false))[3 + row - first]
      let marked = ">" + plain.text.dropFirst()
      lines[3 + row - first] = ScreenLine(styled: style(.selection, marked), width: plain.width, style)
    }
    return lines
  }

  private func drawn(_ page: ObjectPage, _ shown: Range<Int>, _ style: Style) -> [ScreenLine] {
    var options = RenderOptions(width: size.columns)
    options.style = style
    options.charset = charset
    let layout = GridLayout(page.columns, rows: page.rows, options: options)
    let writer = GridWriter(layout: layout, options: options)
    let sink = OutputSink.inMemory()
    writer.header(page.columns, to: sink)
    for row in page.rows[shown] { writer.row(row, to: sink) }
    writer.bottom(to: sink)
    let gap = layout.droppedCount > 0 ? 4 : 0
    let width = layout.columns.reduce(1 + gap) { $0 + $1.width + 3 }
    return sink.text.split(separator: "\n").map { ScreenLine(styled: String($0), width: width, self.style) }
  }
}
