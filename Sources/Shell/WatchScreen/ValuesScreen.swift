internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries
internal import Terminal

/// A full screen for live groups, aggregates and other rows of values: as they are, with what changed last marked.
///
/// Keys move, sort by a column and hold the rows. Changes are drawn ten times a second at most, keys at once.
final class ValuesScreen: FullScreen {
  private let watched: WatchedValues
  private var values: FetchedValues { watched.values }
  /// The order before keys changed it.
  private let original: [Queries.SortDescriptor]
  /// The columns that tell rows apart.
  private let identity: [Int]

  /// The row that the arrows move, and the first that is shown.
  private var (selected, top) = (0, 0)
  /// The column that keys sort by.
  private var column = 0
  /// Which columns stand where.
  private var placement = GridPlacement()
  private var marks: [[Value]: Mark] = [:]
  /// What the last change did.
  private var news = ""
  /// The rows as they were when the screen was held, and how many changes came since; nil where it goes on.
  private var held: (rows: [[Value]], changes: Int)?

  private var (isUrgent, isDirty) = (true, false)
  private var lastDrawing = 0.0
  private static let smallest = TerminalSize(columns: 24, rows: 8)
  /// The title, the message, the three lines of the header, the end of the table and the keys.
  private static let frameHeight = 7

  /// What a change did to a row.
  private struct Mark {
    var sign: RowMark
    /// The texts that its cells had before, by column.
    var formerTexts: [Int: String]
    /// When it is shown no more.
    var end: Double
  }

  init(_ session: EngineSession, _ watched: WatchedValues, _ terminal: FullScreenTerminal) {
    self.watched = watched
    let request = watched.values.request
    original = request.sortDescriptors
    let keys = request.propertiesToFetch.indices.filter {
      request.propertiesToGroupBy.contains(request.propertiesToFetch[$0].expression)
    }
    identity = request.isAggregated ? keys : Array(watched.values.columns.indices)
    super.init(session, terminal)
  }

  /// Shows the rows until the user leaves.
  ///
  /// - Throws: the error of a script that ends the program.
  func watch() throws {
    let token = values.onChange(name: "watch") { [unowned self] in note($0) }
    defer { token.cancel() }
    try run()
  }

  // MARK: As a full screen

  override var dueTime: Double? {
    let drawing = isDirty && held == nil ? lastDrawing + Self.interval : nil
    return [drawing, marks.values.map(\.end).min()].compactMap(\.self).min()
  }

  override func attend(at now: Double) {
    let count = marks.count
    marks = marks.filter { $0.value.end > now }
    if marks.count != count { isDirty = true }
  }

  override func handle(_ key: Key) {
    isUrgent = true
    if held != nil, ![.text(" "), .text("q"), .escape, .control("d"), .control("l")].contains(key) { held = nil }
    switch key {
    case .up, .text("k"), .control("p"): selected -= 1
    case .down, .text("j"), .control("n"): selected += 1
    case .pageUp, .control("b"): selected -= max(room - 1, 1)
    case .pageDown, .control("f"): selected += max(room - 1, 1)
    case .home, .text("g"): selected = 0
    case .end, .text("G"): selected = values.count - 1
    case .left, .text("h"): column = (column + values.columns.count - 1) % max(values.columns.count, 1)
    case .right, .text("l"): column = (column + 1) % max(values.columns.count, 1)
    case .text("s"): sort()
    case .text(" "): held = held == nil ? (shownRows().rows, 0) : nil
    case .control("l"): terminal.forgetScreen()
    case .text("q"), .escape, .control("d"): isEnding = true
    default: break
    }
  }

  override func draw() throws {
    if watched.isClosed { isEnding = true }
    let now = monotonicSeconds()
    guard isUrgent || !terminal.isTaken || needsDrawing || isDirty && now >= lastDrawing + Self.interval else { return }
    (isUrgent, isDirty, needsDrawing, lastDrawing) = (false, false, false, now)
    show(frame)
  }

  // MARK: What happens

  private func note(_ change: ResultsChange) {
    isDirty = true
    if held != nil {
      held?.changes += 1
      return
    }
    guard change.kind != .configuration else { return marks = [:] }
    news = RowMark.text(of: change)
    if change.transaction.disablesAnimations { return }
    let end = monotonicSeconds() + RowMarks.duration
    for (entries, sign) in [
      (change.inserted, RowMark.inserted), (change.updated, .updated), (change.moved, .moved),
    ] {
      for entry in entries where !entry.values.isEmpty {
        var former: [Int: String] = [:]
        for (place, old) in entry.oldValues.enumerated() where old != entry.values[place] {
          former[place] = CellText(Cell(old), charset).text
        }
        marks[name(of: entry.values)] = Mark(sign: sign, formerTexts: former, end: end)
      }
    }
  }

  private func name(of row: [Value]) -> [Value] { identity.map { row[$0] } }

  /// Sorts by the column; pressed again it turns the order round, and then gives back the one that there was.
  private func sort() {
    guard values.value == nil, values.aggregate == nil, values.columns.indices.contains(column) else { return }
    let key = Queries.Expression.path(PropertyPath([values.columns[column]]))
    let present = values.request.sortDescriptors.first
    let isSorted = present?.expression == key
    let order =
      isSorted && present?.isAscending == false
      ? original : [Queries.SortDescriptor(key, ascending: !isSorted)] + original.filter { $0.expression != key }
    do { try watched.sort(by: order) } catch { remark = (engine.report(error).message, .error) }
  }

  // MARK: What is shown

  private var room: Int { max(size.rows - Self.frameHeight, 1) }

  private func shownRows() -> (first: Int, rows: [[Value]]) {
    let count = values.count
    selected = min(max(selected, 0), max(count - 1, 0))
    top = min(max(top, selected - room + 1), selected, max(count - room, 0))
    return (top, (top..<min(top + room, count)).map { values[$0] })
  }

  private var frame: ScreenFrame {
    var frame = ScreenFrame(size)
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      frame.lines = [line("the window is too small", .note)]
      return frame
    }
    let (first, now) = shownRows()
    let rows = held?.rows ?? now
    frame.lines = [title(part(Array(first..<first + rows.count), of: values.count)), status]
    frame.lines += rows.isEmpty ? [line("no rows", .note)] : table(rows, first)
    while frame.lines.count < size.rows - 1 { frame.lines.append(ScreenLine(style)) }
    let sorting = values.columns.indices.contains(column) ? "  s sort by \(values.columns[column])" : ""
    let keys = held == nil ? "q leave  Left, Right column\(sorting)  Space hold" : "q leave  Space go on"
    frame.lines.append(line(keys, .note))
    return frame
  }

  private func line(_ text: String, _ role: Style.Role) -> ScreenLine {
    ScreenLine(text, role, in: size.columns, style, charset)
  }

  /// `5 rows of Quake · sorted by -n`
  private func title(_ part: String) -> ScreenLine {
    let request = values.request
    var title = line("\(Quantity.count(values.count, "row")) of \(request.entity.name)\(part)", .header)
    let order = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
    for part in (order.isEmpty ? [] : ["sorted by \(order.joined(separator: ", "))"])
      + (request.predicate.map { ["where \($0)"] } ?? [])
    {
      title.append(cut: " \(charset.dot) \(part)", .note, in: size.columns, charset)
    }
    return title
  }

  private var status: ScreenLine {
    if let remark { return line(remark.text, remark.role) }
    if let held { return line("held, \(Quantity.count(held.changes, "change")) waiting", .warning) }
    return line(news, .note)
  }

  private func table(_ rows: [[Value]], _ first: Int) -> [ScreenLine] {
    let cells = rows.map { $0.map { CellText(Cell($0), charset) } }
    let shownMarks = rows.map { held == nil ? marks[name(of: $0)] : nil }
    let order = values.request.sortDescriptors.first
    let headings = values.columns.enumerated().map { place, name in
      let isNumber = rows.contains { $0[place].isNumber }
      var heading = TabularColumn(name, alignment: isNumber ? .trailing : .leading)
      let isSorted = order?.expression == .path(PropertyPath([name]))
      heading.mark(isSelected: place == column, isSorted ? order?.isAscending : nil, charset)
      return heading
    }
    let grid = TableGrid(
      headings, cells, formerTexts: shownMarks.map { $0?.formerTexts ?? [:] }, showing: column, &placement,
      width: size.columns, style, charset)
    let lines = rows.indices.map {
      grid.row($0, shownMarks[$0]?.sign, isSelected: held == nil && first + $0 == selected)
    }
    return grid.header + lines + [grid.bottom]
  }
}

extension Value {
  /// Whether it is a number, to be set to the right.
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double, .decimal: true
    default: false
    }
  }
}
