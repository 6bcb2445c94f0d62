internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

// What tables look like.
extension TableScreen {
  private static let smallest = TerminalSize(columns: 24, rows: 8)
  /// The title, the message, the three lines of the header, the end of the table and the keys.
  private static let frameHeight = 7

  /// How many lines there are for headings and rows.
  var room: Int { max(size.rows - Self.frameHeight, 1) }

  func drawTable() throws {
    switch face {
    case .help: return show(helpPage(keys))
    case .card:
      if let card = card { return show(card) }
      face = .rows
    case .rows: break
    }
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      return show(page([line("the window is too small")], ""))
    }
    // What cannot be read adds a remark, which belongs above the rows.
    let shown = try shownLines()
    var frame = page([titleLine(shown), ScreenLine(style)] + tableLines(of: shown), footer)
    frame.lines[1] = status(&frame)
    show(frame)
  }

  // MARK: Around the rows

  /// `4,000 Quake, 18–34 · where magnitude > 5 · sorted by -time`
  private func titleLine(_ shown: [ShownLine]) -> ScreenLine {
    let (rows, parts) = title
    var title = line(rows + part(shown.compactMap { $0.row?.index }, of: rowCount), .header)
    for part in parts { title.append(cut: " \(charset.dot) \(part)", .note, in: size.columns, charset) }
    return title
  }

  /// `in 2 sections by place`, `sorted by -magnitude`
  func arrangementParts(_ request: FetchRequest, isSectioned: Bool) -> [String] {
    var parts: [String] = []
    if isSectioned, let section = request.sectionName {
      parts.append("in \(Quantity.count(sectionCount, "section")) by \(section)")
    }
    let order = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
    if !order.isEmpty { parts.append("sorted by \(order.joined(separator: ", "))") }
    return parts
  }

  /// What is typed, and what is said.
  private func status(_ frame: inout ScreenFrame) -> ScreenLine {
    let said = remark ?? news
    guard let field else { return line(said.text, said.role) }
    var status = ScreenLine(style)
    status.append(field.purpose.prompt, .prompt)
    let start = status.width
    let width = max(size.columns * 2 / 3 - start, 10)
    let layout = EditorLayout(field.editor, marks: [], width: width, charset)
    // The line of a long text that the cursor is on.
    for piece in layout.lines[layout.cursor.line] { status.append(piece.text) }
    if field.isOpen { frame.cursor = ScreenFrame.Place(row: 1, column: start + layout.cursor.column) }
    if !said.text.isEmpty { status.append(cut: "  \(said.text)", said.role, in: size.columns, charset) }
    return status
  }

  // MARK: The rows

  /// The lines that there is room for; scrolls to the selected one.
  func visibleLines() -> [ShownLine] {
    place.top = min(max(place.top, place.selected - room + 1), place.selected, max(lines.count - room, 0))
    let places = place.top..<min(place.top + room, lines.count)
    let known = places.map { (place: $0, line: lines.line(at: $0)) }
    var rows = rows(known.compactMap { if case .row(let row) = $0.line { row } else { nil } }).makeIterator()
    return known.compactMap { place, line in
      switch line {
      case .row: return rows.next().map { ShownLine(place: place, content: .row($0)) }
      case .heading(let index):
        let (id, count) = section(at: index)
        return ShownLine(
          place: place, content: .heading(id: id, count: count, isFolded: self.place.folded.contains(id)))
      }
    }
  }

  /// The most that a column may take: the first leaves half of the window to the others, and these leave the first its room.
  func mostWidth(ofColumn index: Int) -> Int {
    let rest = index == 0 ? size.columns / 2 : size.columns - (placement.widths[0] ?? 0) - 12
    return max(rest, TableScreen.narrowestColumn)
  }

  /// The names of columns: that which keys are about in brackets, with arrows where the rows are sorted.
  var headings: [TabularColumn] {
    let arrows = charset == .utf8 ? ("▲", "▼") : ("^", "v")
    return columns.enumerated().map { index, column in
      var column = column
      if index == place.column { (column.name, column.mark) = ("[" + column.name, "]") }
      if let isAscending = isAscending(at: index) { column.mark += " " + (isAscending ? arrows.0 : arrows.1) }
      column.chosenWidth = place.widths[columns[index].name].map { min($0, mostWidth(ofColumn: index)) }
      return column
    }
  }

  func gridLines(of shown: [ShownLine]) -> [ScreenLine] {
    if shown.isEmpty { return [line(emptyText, .note)] }
    let rows = shown.compactMap(\.row)
    let grid = TableGrid(
      headings, rows.map(\.cells), formerTexts: rows.map(\.formerTexts), showing: place.column, &placement,
      width: size.columns, style, charset)
    var next = 0
    let lines = shown.map { line in
      let isSelected = line.place == place.selected
      switch line.content {
      case .heading(let id, let count, let isFolded): return heading(id, count, isFolded, isSelected)
      case .row(let row):
        defer { next += 1 }
        return grid.row(next, row.mark, isSelected: isSelected)
      }
    }
    return grid.header + lines + [grid.bottom]
  }

  /// `▾ Chile  2`
  private func heading(_ id: Value, _ count: Int, _ isFolded: Bool, _ isSelected: Bool) -> ScreenLine {
    let sign = charset == .utf8 ? (isFolded ? "▸" : "▾") : (isFolded ? "+" : "-")
    let name = CellText(Cell(id, named: context), charset).text
    return line("\(sign) \(name)  \(Quantity.grouped(count))", isSelected ? .selection : .header)
  }
}

extension Cell {
  /// A value as a cell: an object by the name that people know it by.
  init(_ value: Value, named context: ObjectContext) {
    guard case .object(let id) = value else {
      self = Cell(value)
      return
    }
    self = .reference(label: ObjectText.title(of: context.object(id)))
  }
}
