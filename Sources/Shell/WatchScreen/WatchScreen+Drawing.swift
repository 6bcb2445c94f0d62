internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Terminal

// What the screen looks like.
extension WatchScreen {
  private static let smallest = TerminalSize(columns: 30, rows: 9)
  /// The title, the message, the three lines of the header, the end of the table and the keys.
  private static let frameHeight = 7

  /// How many lines there are for headings and rows.
  var room: Int { max(size.rows - Self.frameHeight, 1) }

  func drawFrame() throws {
    switch face {
    case .help: return show(helpFrame)
    case .card: return show(cardFrame)
    case .rows: break
    }
    if let held { return show(frame(of: held.shown)) }
    var shown = readRows()
    if shown.error != nil {
      // Another program may have taken a row away that the results still have: they are to follow first.
      try runTurn(engine.loopDescriptors)
      shown = readRows()
      if let error = shown.error { remark = remark ?? (engine.report(error).message, .error) }
    }
    show(frame(of: shown))
  }

  /// The lines that are shown, and what stands in their rows.
  struct ShownRows {
    var lines: [(place: Int, line: TableLines.Line)] = []
    /// The cells of those lines that are rows.
    var cells: [[CellText]] = []
    /// Why a row could not be read.
    var error: (any Error)?
  }

  func readRows() -> ShownRows {
    top = min(max(top, selected - room + 1), selected, max(rows.count - room, 0))
    var shown = ShownRows()
    shown.lines = (top..<min(top + room, rows.count)).map { ($0, rows.line(at: $0)) }
    let reader = ObjectCells(columns, isData: false)
    var present: [ObjectID: [CellText]] = [:]
    for case .row(let row) in shown.lines.map(\.line) {
      do {
        let object = results[row]
        let cells = try reader.cells(of: object).map { CellText($0, charset) }
        shown.cells.append(cells)
        present[object.objectID] = cells
      } catch {
        shown.cells.append(columns.columns.map { _ in CellText(.text("?"), charset) })
        shown.error = error
      }
    }
    notice(present)
    return shown
  }

  /// The whole screen as it should be now.
  private func frame(of shown: ShownRows) -> ScreenFrame {
    var frame = ScreenFrame(size)
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      frame.lines = [ScreenLine("the window is too small", in: size.columns, style, charset)]
      return frame
    }
    frame.lines = [titleLine]
    drawStatus(into: &frame)
    frame.lines += rows.count > 0 ? tableLines(of: shown) : [line("no \(entity.name)", .note)]
    while frame.lines.count < size.rows - 1 { frame.lines.append(ScreenLine(style)) }
    frame.lines.append(line(footer, .note))
    return frame
  }

  // MARK: Around the rows

  /// `5 Quake · in 2 sections by place · sorted by -magnitude · where magnitude > 5`
  private var titleLine: ScreenLine {
    let request = results.request
    var parts: [String] = []
    if watched.isSectioned, let section = request.sectionName {
      parts.append("in \(Quantity.count(results.sections.count, "section")) by \(section)")
    }
    let order = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
    if !order.isEmpty { parts.append("sorted by \(order.joined(separator: ", "))") }
    if let predicate = request.predicate { parts.append("where \(predicate)") }
    var title = line("\(Quantity.grouped(results.count)) \(entity.name)\(shownPart)", .header)
    for part in parts { title.append(cut: " \(charset.dot) \(part)", .note, in: size.columns, charset) }
    return title
  }

  /// `, 18–34`: which rows are shown, where the window has no room for all.
  private var shownPart: String {
    let lines = (top..<max(min(top + room, rows.count), top)).map { rows.line(at: $0) }
    return part(lines.compactMap { if case .row(let row) = $0 { row } else { nil } }, of: results.count)
  }

  private func drawStatus(into frame: inout ScreenFrame) {
    if let held, remark == nil {
      return frame.lines.append(line("held, \(Quantity.count(held.changes, "change")) waiting", .warning))
    }
    guard let filter else { return frame.lines.append(line(remark?.text ?? news, remark?.role ?? .note)) }
    var status = ScreenLine(style)
    status.append(search == nil ? "filter: " : "search: ", .prompt)
    let start = status.width
    let layout = EditorLayout(filter, marks: [], width: size.columns * 2 / 3 - start, charset)
    // The line of a long filter that the cursor is on.
    for piece in layout.lines[layout.cursor.line] { status.append(piece.text) }
    if isFiltering {
      frame.cursor = ScreenFrame.Place(row: frame.lines.count, column: start + layout.cursor.column)
    }
    let text = remark?.text ?? news
    if !text.isEmpty { status.append(cut: "  \(text)", remark?.role ?? .note, in: size.columns, charset) }
    frame.lines.append(status)
  }

  private var footer: String {
    if isFiltering { return "Enter keep  Esc clear  Up, Down rows" }
    if held != nil { return "q leave  Space go on  Enter open  ? help" }
    var keys = filter == nil ? "q leave  ? help" : "q leave  Esc clear  ? help"
    keys += "  / \(search == nil ? "filter" : "search")  Left, Right column"
    if columns.columns.indices.contains(column), !columns.isFunction(at: column) {
      keys += "  s sort by \(columns.columns[column].name)"
    }
    return keys + (watched.isSectioned ? "  Space fold" : "  Enter open  Space hold")
  }

  // MARK: The rows

  private var headings: [TabularColumn] {
    columns.headings(selected: column, sortedBy: results.request.sortDescriptors, charset)
  }

  private func tableLines(of shown: ShownRows) -> [ScreenLine] {
    let formerTexts = shown.lines.compactMap { shownLine -> [Int: String]? in
      guard case .row(let row) = shownLine.line else { return nil }
      return results.objectIDs(row..<row + 1).first.map(marks.formerTexts) ?? [:]
    }
    let grid = TableGrid(
      headings, shown.cells, formerTexts: formerTexts, showing: column, &placement, width: size.columns, style, charset)
    var lines = grid.header
    var next = 0
    for (place, shownLine) in shown.lines {
      let isSelected = place == selected
      switch shownLine {
      case .heading(let section): lines.append(heading(of: section, isSelected))
      case .row(let row):
        let id = results.objectIDs(row..<row + 1).first
        lines.append(grid.row(next, id.flatMap { marks[$0] }, isSelected: isSelected))
        next += 1
      }
    }
    return lines + [grid.bottom]
  }

  /// `▾ Chile  2`
  private func heading(of index: Int, _ isSelected: Bool) -> ScreenLine {
    let section = results.sections[index]
    let isFolded = folded.contains(section.id)
    let sign = charset == .utf8 ? (isFolded ? "▸" : "▾") : (isFolded ? "+" : "-")
    let name = section.id.isNull ? "nil" : section.id.displayText
    return line("\(sign) \(name)  \(Quantity.grouped(section.count))", isSelected ? .selection : .header)
  }
}
