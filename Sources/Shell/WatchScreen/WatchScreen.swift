internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Terminal

/// A full screen for live results: their rows as they are, with what changed last marked.
///
/// Keys sort, filter and fold by changing the results' own configuration. Changes are drawn ten times a second at most, keys
/// at once.
final class WatchScreen: FullScreen {
  /// What is shown.
  enum Face {
    case rows, card, help
  }

  let watched: WatchedResults
  let columns: EntityColumns

  var results: FetchedResults { watched.results }
  var entity: Entity { results.request.entity }

  /// The function that is called with what is typed behind "/"; nil where that is a filter.
  let search: LuaReference?
  /// The request before keys changed it.
  let original: FetchRequest
  var rows = TableLines(count: 0)
  /// The sections of which only the headings are shown.
  var folded: Set<Value> = []
  /// The line that the arrows move.
  var selected = 0
  /// The object on that line.
  private(set) var selectedObject: ObjectID?
  /// Whether a key has chosen the line, which stays with its object from then on; before, the first line is selected.
  var hasMoved = false
  /// Which columns stand where.
  var placement = GridPlacement()
  /// The first line that is shown.
  var top = 0
  /// The column that keys sort by.
  var column = 0
  var face = Face.rows
  /// The typed filter for the rows.
  var filter: PredicateEditor?
  var isFiltering = false
  /// The time at which the typed filter takes effect; nil if it has.
  var filterTime: Double?
  /// The effects of the last changes on rows.
  private(set) var marks = RowMarks()
  /// The cells of the rows that were drawn last.
  private var drawnCells: [ObjectID: [CellText]] = [:]
  /// A description of the last change.
  private(set) var news = ""
  /// The rows as they were when the screen was held, and the number of changes since; nil if it is not held.
  private(set) var held: (shown: ShownRows, changes: Int)?

  /// Whether there is something to draw that cannot wait.
  private var isUrgent = true
  /// Whether something has changed since the last drawing.
  private var isDirty = false
  private var lastDrawing = 0.0

  init(
    _ session: EngineSession, _ watched: WatchedResults, columns: EntityColumns, search: LuaReference? = nil,
    _ terminal: FullScreenTerminal
  ) {
    self.watched = watched
    self.columns = columns
    self.search = search
    original = watched.results.request
    super.init(session, terminal)
  }

  /// Shows the results until the user leaves.
  ///
  /// - Throws: the error of a script that ends the program.
  func watch() throws {
    let token = results.onChange(name: "watch") { [unowned self] in note($0) }
    defer { token.cancel() }
    rebuild()
    try run()
  }

  // MARK: As a full screen

  override var dueTime: Double? {
    let drawing = isDirty && held == nil ? lastDrawing + Self.interval : nil
    return [drawing, filterTime, marks.nextEnd].compactMap(\.self).min()
  }

  override func attend(at now: Double) {
    if marks.expire(at: now) { isDirty = true }
    if let filterTime, now >= filterTime {
      applyFilter()
      isUrgent = true
    }
  }

  override func handle(_ key: Key) {
    isUrgent = true
    obey(key)
  }

  override func draw() throws {
    if watched.isClosed { isEnding = true }
    let now = monotonicSeconds()
    // A callback may have printed, and left the screen.
    guard isUrgent || !terminal.isTaken || needsDrawing || isDirty && now >= lastDrawing + Self.interval else { return }
    (isUrgent, isDirty, needsDrawing, lastDrawing) = (false, false, false, now)
    try drawFrame()
  }

  /// Holds the rows as they are, or shows what has become of them.
  func hold(_ shown: ShownRows?) {
    held = shown.map { ($0, 0) }
    if shown == nil { rebuild() }
  }

  // MARK: What is shown

  /// Notes a change, whose effects are marked for a while.
  private func note(_ change: ResultsChange) {
    isDirty = true
    if held != nil {
      held?.changes += 1
      isUrgent = monotonicSeconds() >= lastDrawing + Self.interval
      return
    }
    if change.kind != .configuration {
      news = RowMark.text(of: change)
      marks.add(change, at: monotonicSeconds())
    }
    rebuild()
  }

  /// Notes the cells that are drawn now, and marks those that a change has altered.
  func notice(_ cells: [ObjectID: [CellText]]) {
    for (id, new) in cells { if let old = drawnCells[id] { marks.compare(old, with: new, of: id) } }
    drawnCells = cells
  }

  /// Lays out the lines again. The selection stays with its object, or at the top as long as it was not moved.
  func rebuild() {
    if watched.isSectioned {
      let sections = results.sections
      rows = TableLines(sections: sections.lazy.map(\.count)) { [folded] in
        !folded.isEmpty && folded.contains(sections[$0].id)
      }
    } else {
      rows = TableLines(count: results.count)
    }
    if !hasMoved {
      select(0)
    } else if let id = selectedObject, let index = results.index(of: results.live.context.object(id)) {
      select(rows.place(ofRow: index))
    } else {
      select(selected)
    }
  }

  /// Moves to a line, or the nearest one there is.
  func select(_ line: Int) {
    selected = min(max(line, 0), max(rows.count - 1, 0))
    selectedObject = nil
    guard selected < rows.count, case .row(let row) = rows.line(at: selected) else { return }
    selectedObject = results.objectIDs(row..<row + 1).first
  }
}
