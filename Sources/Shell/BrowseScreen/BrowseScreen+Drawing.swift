internal import LuaBindings
internal import Modeling
internal import ObjectGraph
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
    if let predicate = request.predicate { parts.append("where \(predicate)") }
    let order = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
    if !order.isEmpty { parts.append("sorted by \(order.joined(separator: ", "))") }
    if context.changeCount > 0 { parts.insert(Quantity.count(context.changeCount, "unsaved change"), at: 0) }
    if !trail.isEmpty { parts.append("step \(trail.count + 1)") }
    var title = line("\(Quantity.grouped(objects.count)) \(step.entity.name)", .header)
    for part in parts { title.append(cut: " \(charset.dot) \(part)", .note, in: size.columns, charset) }
    return title
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
    var keys = "q leave  ? help  / search  w where"
    guard let index = selectedProperty else { return keys }
    let property = step.entity.properties[index]
    keys += "  s sort by \(property.name)"
    return keys + (property.relationship == nil ? "  f this value  e edit  Enter open" : "  Enter follow")
  }

  // MARK: The rows

  private func rowLines() -> [ScreenLine] {
    if objects.count == 0 { return [line("no \(step.entity.name)", .note)] }
    step.top = min(max(step.top, step.selected - room + 1), step.selected, max(objects.count - room, 0))
    let visible = step.top..<min(step.top + room, objects.count)
    let reader = ObjectCells(columns, isData: false)
    let rows = visible.map { index -> [CellText] in
      do {
        return try reader.cells(of: objects[index]).map { CellText($0, charset) }
      } catch {
        // Another program may have deleted it.
        remark = remark ?? ("\(engine.report(error).message); r reads the rows again", .warning)
        return columns.columns.map { _ in CellText(.text("?"), charset) }
      }
    }
    let headings = columns.headings(
      selected: step.column, sortedBy: Array(step.request.sortDescriptors.prefix(1)), charset)
    return table(headings, rows, from: visible.lowerBound, selected: step.selected, column: step.column) { index in
      guard let object = try? objects[index], object.hasChanges else { return nil }
      return object.isInserted ? .inserted : .updated
    }
  }

  private func groupLines() -> [ScreenLine] {
    guard let visible = groups?.visible(room), let groups else { return [] }
    return table(
      groups.columns, visible.map { groups.row($0, charset) }, from: visible.lowerBound, selected: groups.selected,
      column: 0)
  }

  private func table(
    _ headings: [TabularColumn], _ rows: [[CellText]], from first: Int, selected: Int, column: Int,
    mark: (Int) -> WatchMark? = { _ in nil }
  ) -> [ScreenLine] {
    let grid = WatchGrid(
      headings, rows, formerTexts: rows.map { _ in [:] }, showing: column, width: size.columns, style, charset)
    let lines = rows.indices.map { grid.row($0, mark(first + $0), isSelected: first + $0 == selected) }
    return grid.header + lines + [grid.bottom]
  }
}
