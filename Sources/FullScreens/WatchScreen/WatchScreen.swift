internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// A full screen for live objects, groups and other rows of values: their rows as they are, with what changed last marked.
///
/// Keys sort and filter by changing the results' own configuration.
final class WatchScreen: TableScreen {
  let watched: WatchedQuery
  let content: LiveRows
  /// The function that is called with what is typed behind "/"; nil where that is a filter.
  let search: LuaReference?
  /// The request before keys changed it.
  let original: FetchRequest

  /// The row on the selected line.
  private var selectedID: LiveRows.ID?
  /// Whether a key has chosen the line, which stays with its object from then on; before, the first line is selected.
  var hasMoved = false
  /// The time at which the typed filter takes effect; nil if it has.
  var filterTime: Double?
  /// The effects of the last changes on rows.
  private var marks = RowMarks()
  /// The cells of the rows of objects that were drawn last.
  private var drawnCells: [LiveRows.ID: [CellText]] = [:]
  /// The columns of values in which numbers were drawn last.
  private var numbers: Set<Int> = []
  /// Why a row could not be read.
  private var readingError: (any Error)?
  /// What the last change did.
  private var lastChange = ""
  /// The lines as they were when the screen was held, and the number of changes since; nil if it is not held.
  private(set) var held: (lines: [ShownLine], changes: Int)?

  init(
    _ session: Session, _ watched: WatchedQuery, _ content: LiveRows, search: LuaReference? = nil,
    _ terminal: any ScreenTerminal
  ) {
    (self.watched, self.content, self.search) = (watched, content, search)
    original = content.request
    super.init(session, content.query.live.context, terminal)
  }

  /// Shows the rows until the user leaves.
  ///
  /// - Throws: the error of a script that ends the program.
  func watch() throws {
    let token = content.query.onChange(name: "watch") { [unowned self] in note($0) }
    defer { token.cancel() }
    rebuild()
    try run()
  }

  // MARK: As a full screen

  override var dueTime: Double? {
    [held == nil ? drawingTime : nil, filterTime, marks.nextEnd].compactMap(\.self).min()
  }

  override func attend(at now: Double) {
    if marks.expire(at: now) { isDirty = true }
    if let filterTime, now >= filterTime {
      applyFilter()
      isUrgent = true
    }
  }

  override func prepareDrawing() { if watched.isClosed { isEnding = true } }

  // MARK: As a table

  /// The places of the columns that are shown.
  var shownColumns: [Int] {
    let all = content.columns
    return all.indices.filter { !place.hidden.contains(all[$0].name) }
  }

  override var columns: [TabularColumn] {
    let all = content.columns
    return shownColumns.map { index in
      var column = all[index]
      if numbers.contains(index) { column.alignment = .trailing }
      return column
    }
  }

  override func isAscending(at place: Int) -> Bool? { content.isAscending(at: shownColumns[place]) }

  override var rowCount: Int { content.count }

  override func rows(_ indices: [Int]) -> [TableRow] {
    let (read, shown) = (content.reader(), shownColumns)
    var present: [LiveRows.ID: [CellText]] = [:]
    readingError = nil
    let cells = indices.map { index in
      do {
        let cells = try read(index).map { CellText($0, charset) }
        if case .objects = content, let id = content.id(at: index) { present[id] = cells }
        return cells
      } catch {
        readingError = error
        return content.columns.map { _ in CellText(.text("?"), charset) }
      }
    }
    // Cells of objects that a change has altered are marked.
    for (id, new) in present { if let old = drawnCells[id] { marks.compare(old, with: new, of: id) } }
    drawnCells = present
    if case .values = content {
      numbers = Set(content.columns.indices.filter { column in cells.contains { $0[column].isNumber } })
    }
    return zip(indices, cells).map { index, cells in
      let id = content.id(at: index)
      let former = id.map(marks.formerTexts) ?? [:]
      let texts = shown.enumerated().compactMap { place, column in former[column].map { (place, $0) } }
      return TableRow(
        index: index, cells: shown.map { cells[$0] }, mark: id.flatMap { marks[$0] },
        formerTexts: Dictionary(uniqueKeysWithValues: texts))
    }
  }

  override func object(at row: Int) -> ManagedObject? { content.object(at: row) }

  override var sectionCount: Int {
    if watched.isSectioned, case .objects(let results, _) = content { results.sections.count } else { 0 }
  }

  override func section(at index: Int) -> (id: Value, count: Int) {
    guard case .objects(let results, _) = content else { return (.null, 0) }
    let section = results.sections[index]
    return (section.id, section.count)
  }

  override func shownLines() throws -> [ShownLine] {
    if let held { return held.lines }
    var lines = visibleLines()
    if readingError != nil {
      // Another program may have taken a row away that the results still have: they are to follow first.
      try runTurn(engine.loop.descriptors)
      lines = visibleLines()
      if let readingError { remark = remark ?? (engine.report(readingError).message, .error) }
    }
    return lines
  }

  /// `5 Quake · in 2 sections by place · sorted by -magnitude · where magnitude > 5`
  override var title: (rows: String, parts: [String]) {
    let request = content.request
    var parts = arrangementParts(request, isSectioned: watched.isSectioned)
    if let predicate = request.predicate { parts.append("where \(predicate)") }
    switch content {
    case .objects: return ("\(Quantity.grouped(content.count)) \(request.entity.name)", parts)
    case .values: return ("\(Quantity.count(content.count, "row")) of \(request.entity.name)", parts)
    }
  }

  override var emptyText: String {
    if case .objects = content { "no \(content.request.entity.name)" } else { "no rows" }
  }

  override var news: (text: String, role: Style.Role) {
    held.map { ("held, \(Quantity.count($0.changes, "change")) waiting", .warning) } ?? (lastChange, .note)
  }

  override var footer: String { mainKeys }
  override var keys: Keys { allKeys }
  override func obeyOwn(_ key: Key) -> Bool { obeyHere(key) }
  override func type(_ key: Key) -> Bool { typeHere(key) }
  override func sort() { sortByColumn() }

  override func select(_ line: Int) {
    super.select(line)
    selectedID = selectedRow.flatMap(content.id)
  }

  /// Chooses a line, which stays with its object from now on.
  override func move(to line: Int) {
    hasMoved = true
    select(line)
  }

  // MARK: What happens

  /// Notes a change, whose effects are marked for a while.
  private func note(_ change: ResultsChange) {
    isDirty = true
    if held != nil {
      held?.changes += 1
      isUrgent = drawingTime.map { monotonicSeconds() >= $0 } ?? false
      return
    }
    if change.kind != .configuration {
      lastChange = RowMark.text(of: change)
      if !change.transaction.disablesAnimations {
        marks.add(content.marks(of: change, charset), at: monotonicSeconds())
      }
    }
    rebuild()
  }

  /// Lays out the lines again. The selection stays with its object, or at the top as long as it was not moved.
  func rebuild() {
    layOutLines()
    if !hasMoved {
      select(0)
    } else {
      select(selectedID.flatMap(content.row).map(lines.place(ofRow:)) ?? place.selected)
    }
  }

  /// Holds the rows as they are, or lets them go on.
  func hold(_ isHeld: Bool) {
    held = isHeld ? (visibleLines(), 0) : nil
    if !isHeld { rebuild() }
  }
}
