internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

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
    case .why, .object:
      guard let answer, let row = chosenRow, row < answer.page.objects.count else { return pane.name }
      let title = ObjectText.title(of: inquiry.context.object(answer.page.objects[row]))
      let kind = showsMisses ? " of those that do not fulfil it" : ""
      let number = Quantity.grouped(answer.page.offset + row + 1)
      return (pane == .why ? "why " : "") + "\(title), row \(number)\(kind)"
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
    let first = min(max((chosenRow ?? 0) - room + 1, 0), max(page.rows.count - room, 0))
    let shown = first..<min(first + room, page.rows.count)
    // All that are read are laid out, so that columns stay in their places while one moves.
    let cells = page.rows.map { row in shownColumns.map { row[$0] } }
    var placement = GridPlacement()
    let grid = TableGrid(
      isInPane ? headings : columns, cells, formerTexts: cells.map { _ in [:] }, showing: isInPane ? place.column : nil,
      &placement, width: size.columns, isStale ? Style(enabled: false) : style, charset)
    let rows = shown.map { grid.row($0, nil, isSelected: isInPane && $0 == chosenRow) }
    let lines = grid.header + rows + [grid.bottom]
    return isStale ? lines.map { ScreenLine(styled: style(.note, $0.text), width: $0.width, style) } : lines
  }
}
