internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Terminal

// What the screen looks like.
extension BrowseScreen {
  private static let smallest = TerminalSize(columns: 30, rows: 9)
  /// The title, the message, the three lines of the header, the end of the table and the keys.
  private static let frameHeight = 7

  /// How many lines there are for rows.
  var room: Int { max(size.rows - Self.frameHeight, 1) }

  func drawFrame() {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      return show(page([line("the window is too small")], ""))
    }
    switch face {
    case .help: return show(helpPage(Self.keys))
    case .card:
      if let object = selectedObject { return show(cardPage(object)) }
      face = .rows
    case .rows: break
    }
    // What cannot be read adds a remark, which belongs above the rows.
    let table = groups == nil ? rowLines() : groupLines()
    var frame = page([title, ScreenLine(style)] + table, footer)
    frame.lines[1] = status(&frame)
    show(frame)
  }

  /// `4,000 Quake · where magnitude > 5 · sorted by -time · 1 unsaved change · step 3`
  private var title: ScreenLine {
    let request = step.request
    var parts: [String] = []
    parts += step.wording
    if let section = request.sectionName {
      parts.append("in \(Quantity.count(sections.count, "section")) by \(section)")
    }
    let order = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
    if !order.isEmpty { parts.append("sorted by \(order.joined(separator: ", "))") }
    if context.changeCount > 0 { parts.insert(Quantity.count(context.changeCount, "unsaved change"), at: 0) }
    if !trail.isEmpty { parts.append("step \(trail.count + 1)") }
    var title = line("\(Quantity.grouped(objects.count)) \(step.entity.name)\(shownPart)", .header)
    for part in parts { title.append(cut: " \(charset.dot) \(part)", .note, in: size.columns, charset) }
    return title
  }

  /// `, 18–34`: which rows are shown, where the window has no room for all.
  private var shownPart: String {
    if groups != nil { return "" }
    let top = min(max(step.top, step.selected - room + 1), step.selected, max(rows.count - room, 0))
    let lines = (top..<max(min(top + room, rows.count), top)).map { rows.line(at: $0) }
    return part(lines.compactMap { if case .row(let row) = $0 { row } else { nil } }, of: objects.count)
  }

  private func status(_ frame: inout ScreenFrame) -> ScreenLine {
    guard let typing else { return line(remark?.text ?? "", remark?.role ?? .note) }
    var status = ScreenLine(style)
    let prompt =
      switch typing.purpose {
      case .search: "search: "
      case .predicate: "where: "
      case .value: "\(columns.columns[step.column].name) = "
      }
    status.append(prompt, .prompt)
    let start = status.width
    let layout = EditorLayout(typing.editor, marks: [], width: max(size.columns * 2 / 3 - start, 10), charset)
    for piece in layout.lines[layout.cursor.line] { status.append(piece.text) }
    frame.cursor = ScreenFrame.Place(row: 1, column: start + layout.cursor.column)
    if let remark { status.append(cut: "  \(remark.text)", remark.role, in: size.columns, charset) }
    return status
  }

  private var footer: String {
    if typing != nil { return "Enter take  Esc drop" }
    if groups != nil { return "Enter these  Esc rows  q leave" }
    if selectedSection != nil { return "q leave  ? help  Space fold  Z fold all  Enter only these  S no sections" }
    var keys = "q leave  ? help  / search  w where"
    guard let index = selectedProperty else { return keys }
    let property = step.entity.properties[index]
    keys += "  s sort by \(property.name)"
    return keys + (property.relationship == nil ? "  f this value  e edit  Enter open" : "  e edit  Enter follow")
  }

  // MARK: The rows

  private func rowLines() -> [ScreenLine] {
    if rows.count == 0 { return [line("no \(step.entity.name)", .note)] }
    step.top = min(max(step.top, step.selected - room + 1), step.selected, max(rows.count - room, 0))
    let places = step.top..<min(step.top + room, rows.count)
    let reader = ObjectCells(columns, isData: false)
    var cells: [[CellText]] = []
    for place in places {
      guard case .row(let row) = rows.line(at: place) else { continue }
      do {
        let object = try objects[row]
        cells.append(try reader.cells(of: object).map { CellText($0, charset) })
        if place == step.selected { drawn = (object.objectID, ObjectText.name(of: object)) }
      } catch {
        // Another program has deleted it; the rows are read again as soon as there is time.
        cells.append(columns.columns.map { _ in CellText(.text("?"), charset) })
      }
    }
    let headings = columns.headings(
      selected: step.column, sortedBy: Array(step.request.sortDescriptors.prefix(1)), charset)
    let grid = grid(headings, cells, column: step.column, &placement)
    var lines = grid.header
    var next = 0
    for place in places {
      switch rows.line(at: place) {
      case .heading(let section): lines.append(heading(of: section, isSelected: place == step.selected))
      case .row(let row):
        lines.append(grid.row(next, mark(of: row), isSelected: place == step.selected))
        next += 1
      }
    }
    return lines + [grid.bottom]
  }

  /// What an object that is not saved stands beside.
  private func mark(of row: Int) -> RowMark? {
    guard let object = try? objects[row], object.hasChanges else { return nil }
    return object.isInserted ? .inserted : .updated
  }

  /// `▾ Chile  2`
  private func heading(of index: Int, isSelected: Bool) -> ScreenLine {
    let section = sections[index]
    let isFolded = step.folded.contains(section.id)
    let sign = charset == .utf8 ? (isFolded ? "▸" : "▾") : (isFolded ? "+" : "-")
    let name = CellText(cell(of: section.id), charset).text
    return line("\(sign) \(name)  \(Quantity.grouped(section.count))", isSelected ? .selection : .header)
  }

  private func groupLines() -> [ScreenLine] {
    guard let visible = groups?.visible(room), let groups else { return [] }
    var placement = GridPlacement()
    let grid = grid(groups.columns, visible.map { groups.row($0, charset) }, column: 0, &placement)
    let lines = visible.map { grid.row($0 - visible.lowerBound, nil, isSelected: $0 == groups.selected) }
    return grid.header + lines + [grid.bottom]
  }

  private func grid(
    _ headings: [TabularColumn], _ rows: [[CellText]], column: Int, _ placement: inout GridPlacement
  ) -> TableGrid {
    TableGrid(
      headings, rows, formerTexts: rows.map { _ in [:] }, showing: column, &placement, width: size.columns, style,
      charset)
  }
}
