internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// A full screen with a table: rows below each other, in sections if there are any. Keys move, choose a column and sort by it, hide
/// columns and fold sections.
///
/// A subclass has the rows, and keys of its own. Changes are drawn ten times a second at most, keys at once.
package class TableScreen: FullScreen {
  /// What is shown.
  enum Face {
    case rows, card, help
  }

  /// Keys with what they do.
  typealias Keys = [(keys: String, what: String)]

  /// What the objects belong to.
  let context: ObjectContext
  /// Where one is in the table.
  final var place = TablePlace()
  /// The lines: rows, and the headings of sections.
  final private(set) var lines = TableLines(count: 0)
  final var face = Face.rows
  /// What is typed below the title.
  final var field: ScreenField?
  /// Which columns stand where.
  final var placement = GridPlacement()
  /// Whether there is something to draw that cannot wait.
  final var isUrgent = true
  /// Whether something has changed since the last drawing.
  final var isDirty = false
  private var lastDrawing = 0.0
  static let narrowestColumn = 4

  init(_ session: Session, _ context: ObjectContext, _ terminal: any ScreenTerminal) {
    self.context = context
    super.init(session, terminal)
  }

  // MARK: What a subclass has

  /// The columns that are shown.
  var columns: [TabularColumn] { [] }
  /// Whether rows ascend by a column that is shown; nil where they are not sorted by it.
  func isAscending(at place: Int) -> Bool? { nil }
  var rowCount: Int { 0 }
  /// The rows at some indices, as they are drawn.
  func rows(_ indices: [Int]) -> [TableRow] { [] }
  /// The page about the selected row; nil for none.
  var card: ScreenFrame? { selectedObject.map(cardPage) }
  /// The object in a row; nil for other rows.
  func object(at row: Int) -> ManagedObject? { nil }
  var sectionCount: Int { 0 }
  func section(at index: Int) -> (id: Value, count: Int) { (.null, 0) }
  /// What the rows are, and how they were chosen.
  var title: (rows: String, parts: [String]) { ("", []) }
  /// What is said where there are no rows.
  var emptyText: String { "no rows" }
  /// What is said where nothing else is.
  var news: (text: String, role: Style.Role) { ("", .note) }
  /// The most important keys.
  var footer: String { "" }
  /// All keys.
  var keys: Keys { [] }
  /// What is said where there are no sections.
  var sectionHint: String { "there are no sections to fold" }

  /// Does what a key means.
  func obey(_ key: Key) { obeyAsTable(key) }
  /// A key of this table; false if it means what it means in all tables.
  func obeyOwn(_ key: Key) -> Bool { false }
  /// A key while a line is typed; false if it means what it means otherwise.
  func type(_ key: Key) -> Bool { false }
  func sort() {}
  /// Other columns are shown.
  func columnsChanged() {}
  /// Does what comes before drawing.
  func prepareDrawing() throws {}

  func drawFrame() throws { try drawTable() }
  /// The lines that there is room for.
  func shownLines() throws -> [ShownLine] { visibleLines() }
  func tableLines(of shown: [ShownLine]) -> [ScreenLine] { gridLines(of: shown) }

  /// The line that keys move.
  var selectedLine: Int { place.selected }
  /// Moves to a line, or the nearest one there is.
  func select(_ line: Int) { place.selected = min(max(line, 0), max(lines.count - 1, 0)) }
  /// Moves to a line because of a key.
  func move(to line: Int) { select(line) }

  // MARK: As a full screen

  /// When what has changed is drawn; nil if nothing has.
  final var drawingTime: Double? { isDirty ? lastDrawing + Self.interval : nil }

  override final func draw() throws {
    try prepareDrawing()
    let now = monotonicSeconds()
    // A callback may have printed, and left the screen.
    guard isUrgent || !terminal.isTaken || needsDrawing || isDirty && now >= lastDrawing + Self.interval else { return }
    (isUrgent, isDirty, needsDrawing, lastDrawing) = (false, false, false, now)
    try drawFrame()
  }

  override final func handle(_ key: Key) {
    isUrgent = true
    obey(key)
  }

  // MARK: Lines

  /// Lays the lines out: the rows of sections that are not folded, below their headings.
  final func layOutLines() {
    let folded = place.folded
    lines =
      sectionCount == 0
      ? TableLines(count: rowCount)
      : TableLines(sections: (0..<sectionCount).lazy.map { self.section(at: $0).count }) {
        !folded.isEmpty && folded.contains(self.section(at: $0).id)
      }
  }

  /// The row on the selected line; nil where a heading is, or nothing.
  final var selectedRow: Int? {
    guard place.selected < lines.count, case .row(let row) = lines.line(at: place.selected) else { return nil }
    return row
  }

  /// The object on the selected line.
  final var selectedObject: ManagedObject? { selectedRow.flatMap(object) }

  /// The section whose heading is on the selected line.
  final var selectedHeading: Int? {
    guard place.selected < lines.count, case .heading(let section) = lines.line(at: place.selected) else { return nil }
    return section
  }

  /// Folds the section of the line, or unfolds it.
  final func foldSection() {
    guard let section = lines.section(at: place.selected) else { return remark = (sectionHint, .note) }
    let id = self.section(at: section).id
    fold { if $0.remove(id) == nil { $0.insert(id) } }
  }

  /// Folds all sections, or unfolds them where all are folded.
  final func foldAll() {
    if sectionCount == 0 { return remark = (sectionHint, .note) }
    let all = Set((0..<sectionCount).map { section(at: $0).id })
    fold { $0 = $0.isSuperset(of: all) ? [] : all }
  }

  /// Changes which sections are folded; the line stays with its section.
  private func fold(_ change: (inout Set<Value>) -> Void) {
    let section = lines.section(at: place.selected)
    change(&place.folded)
    layOutLines()
    move(to: section.map(lines.place(ofSection:)) ?? 0)
  }

  // MARK: Typing

  /// Puts in what is certain at the cursor of the field, or names what can stand there.
  final func complete(_ completions: (String) -> Completions?) {
    guard let place = field?.editor.byteOffset, let text = field?.editor.text.split(atByte: place).before else {
      return
    }
    guard let found = completions(text), !found.candidates.isEmpty else {
      return remark = ("nothing to complete here", .note)
    }
    if found.isCertain(typed: place - found.start) {
      field?.editor.replace(from: found.start, with: found.commonText)
    }
    if found.candidates.count > 1 { remark = (found.candidates.map(\.text).joined(separator: "  "), .note) }
  }

  // MARK: Columns

  /// Goes to another column.
  final func moveColumn(_ distance: Int) {
    let count = max(columns.count, 1)
    place.column = (place.column + distance + count) % count
  }

  /// Makes the column wider, or narrower.
  final func resizeColumn(by distance: Int) {
    guard columns.indices.contains(place.column) else { return }
    let name = columns[place.column].name
    guard let width = place.widths[name] ?? placement.widths[place.column] else { return }
    place.widths[name] = min(max(width + distance, Self.narrowestColumn), mostWidth(ofColumn: place.column))
    placement.start = 0
  }

  /// Leaves the widths of all columns to their cells.
  final func resetWidths() { (place.widths, placement.start) = ([:], 0) }

  final func hideColumn() {
    guard columns.count > 1, columns.indices.contains(place.column) else { return }
    place.hidden.insert(columns[place.column].name)
    columnsChanged()
    place.column = min(place.column, max(columns.count - 1, 0))
  }

  final func showAllColumns() {
    place.hidden = []
    columnsChanged()
  }
}
