internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Terminal

/// A full screen to walk through a store: the objects of a request, narrowed, sorted and edited by keys, and the objects that
/// they lead to.
///
/// All keys of a request are read at once, its objects a window at a time, so that a million rows open as fast as ten.
final class BrowseScreen: FullScreen {
  /// What is shown.
  enum Face {
    case rows, card, help
  }

  /// What is typed below the title.
  enum Purpose {
    /// A text to look for.
    case search
    /// The whole predicate.
    case predicate
    /// The value of a cell.
    case value
  }

  let context: ObjectContext
  /// Where one is.
  var step: BrowseStep
  /// Where one was, the last place last.
  private(set) var trail: [BrowseStep] = []
  private(set) var objects: FetchResult
  /// The sections that the objects stand in, with how many they are; none without sections.
  private(set) var sections: [(id: Value, count: Int)]
  /// The lines: the objects, and the headings of sections.
  private(set) var rows = TableLines(count: 0)
  private(set) var columns: EntityColumns
  var face = Face.rows
  var typing: (purpose: Purpose, editor: PredicateEditor)?
  /// The cell whose value is typed: its row may move meanwhile.
  var edited: CellField?
  /// The object on the selected line when it was drawn, with its name, which is not known once the row is gone.
  var drawn: (id: ObjectID, name: String)?
  /// The values of a column, instead of the rows; nil where rows are shown.
  var groups: BrowseGroups?
  /// Which columns stand where.
  var placement = GridPlacement()
  /// What was written since the rows were read.
  private var freshness: RowsFreshness
  /// Whether there is something to draw that cannot wait.
  private var isUrgent = true
  /// How many turns had run when the screen was drawn.
  private var drawnTurns = 0
  private var lastDrawing = 0.0
  /// From so many rows on, a question may take longer than people expect of a key.
  private static let manyRows = 50_000
  /// More sections than people look through.
  private static let mostSections = 100_000

  /// - Throws: StoreError, PredicateError.
  init(_ session: EngineSession, _ request: FetchRequest, in context: ObjectContext, _ terminal: FullScreenTerminal)
    throws
  {
    self.context = context
    step = BrowseStep(request)
    freshness = RowsFreshness(context)
    let found = try context.fetchSections(request, most: Self.mostSections)
    (objects, sections) = (found.objects, found.sections)
    columns = try EntityColumns(request.entity, isData: false, for: request)
    super.init(session, terminal)
    layOutRows()
  }

  /// Walks until the user leaves; commits of other programs are followed meanwhile.
  ///
  /// - Throws: the error of a script that ends the program.
  func browse() throws {
    let token = engine.followCommits(to: context, name: "browse")
    defer { token?.cancel() }
    try run()
  }

  // MARK: As a full screen

  /// Timers and other programs change objects that are shown.
  private var isDirty: Bool { turns != drawnTurns }

  override var dueTime: Double? {
    let drawing = isDirty ? lastDrawing + Self.interval : nil
    return [drawing, freshness.dueTime].compactMap(\.self).min()
  }

  override func handle(_ key: Key) {
    isUrgent = true
    obey(key)
  }

  override func draw() throws {
    if turns != drawnTurns { freshness.check(context) }
    let now = monotonicSeconds()
    if freshness.isDue(at: now) { try readAgain() }
    guard isUrgent || needsDrawing || !terminal.isTaken || isDirty && now >= lastDrawing + Self.interval else { return }
    (isUrgent, drawnTurns, needsDrawing, lastDrawing) = (false, turns, false, now)
    drawFrame()
  }

  // MARK: The way

  /// Goes to another place, from which one can come back; where it cannot be shown, one stays.
  func go(to next: BrowseStep) {
    var former = step
    former.selectedID = selectedObject?.objectID
    if show(next) { trail.append(former) }
  }

  /// Shows the rows of this place in another way, which is not a step to come back from.
  func rearrange(_ change: (inout BrowseStep) throws -> Void) rethrows {
    var next = step
    try change(&next)
    _ = show(next)
  }

  /// Goes back to where one was.
  func goBack() {
    guard let last = trail.last else {
      remark = ("this is where the way began; q leaves", .note)
      return
    }
    if show(last) { trail.removeLast() }
  }

  /// Reads the rows again, with what other programs wrote to those that are shown; the line stays.
  func refresh() {
    do {
      for line in step.top..<min(step.top + room, rows.count) {
        if case .row(let row) = rows.line(at: line) { try objects[row].refresh(mergeChanges: true) }
      }
    } catch {
      return remark = (engine.report(error).message, .error)
    }
    var next = step
    next.selectedID = selectedObject?.objectID
    if show(next) { remark = ("\(Quantity.count(objects.count, "row")) read again", .note) }
  }

  /// Fetches what a step shows; false if it cannot be fetched, or Ctrl-C stopped that.
  private func show(_ next: BrowseStep) -> Bool {
    let inquiry = PredicateInquiry(session, next.entity, in: context)
    announce()
    freshness.begin(context)
    do {
      try next.request.validate(for: .fetch)
      switch try inquiry.attempt({ try context.fetchSections(next.request, most: Self.mostSections) }) {
      case .done(let found):
        columns = try columns(of: next)
        (step, groups) = (next, nil)
        take(found)
        freshness.end()
        return true
      case .stopped, .interrupted: remark = ("stopped", .warning)
      case .failed(let message): remark = (message, .error)
      }
    } catch {
      remark = (engine.report(error).message, .error)
    }
    return false
  }

  /// Reads again what was written meanwhile, unless a key waits: the line stays with its object.
  private func readAgain() throws {
    let inquiry = PredicateInquiry(session, step.entity, in: context)
    inquiry.shouldStop = { [terminal] in terminal.hasInput || TerminalSignals.isPending }
    freshness.begin(context)
    switch try inquiry.attempt({ try context.fetchSections(step.request, most: Self.mostSections) }) {
    case .done(let found):
      let (former, wasRow) = (neighbours, selectedRow != nil)
      take(found)
      if wasRow { follow(former) }
      if let groups { count(groups.subject, following: groups) }
      freshness.end()
      isUrgent = true
    case .stopped, .interrupted: freshness.postpone()
    case .failed(let message):
      remark = (message, .error)
      freshness.end()
    }
  }

  /// The objects on the selected line and on those below it in the window.
  private var neighbours: [ObjectID] {
    (step.selected..<max(min(step.top + room, rows.count), step.selected)).compactMap { line in
      guard case .row(let row) = rows.line(at: line), row < objects.count else { return nil }
      return (try? objects[row])?.objectID
    }
  }

  /// Moves to the first of some objects that is still there, at the same height of the window.
  private func follow(_ former: [ObjectID]) {
    let height = step.selected - step.top
    for (place, id) in former.enumerated() {
      guard let index = objects.index(of: context.object(id)) else { continue }
      select(rows.place(ofRow: index))
      step.top = max(step.selected - height, 0)
      if place == 0 { return }
      break
    }
    guard let gone = former.first else { return }
    if face == .card { face = .rows }
    let name = drawn?.id == gone ? drawn?.name : nil
    remark = ("\(name ?? ObjectText.name(of: context.object(gone))) is no longer among these", .note)
  }

  private func take(_ found: SectionedResult) {
    (objects, sections) = (found.objects, found.sections)
    if step.foldsAll { step.folded = Set(sections.map(\.id)) }
    step.foldsAll = false
    layOutRows()
    let index = step.selectedID.flatMap { objects.index(of: context.object($0)) }
    select(index.map(rows.place(ofRow:)) ?? step.selected)
    step.selectedID = nil
  }

  /// Lays the lines out: the rows of sections that are not folded, below their headings.
  private func layOutRows() {
    rows =
      sections.isEmpty
      ? TableLines(count: objects.count)
      : TableLines(sections: sections.lazy.map(\.count)) { [sections, folded = step.folded] in
        !folded.isEmpty && folded.contains(sections[$0].id)
      }
  }

  /// Changes which sections are folded; the line stays with its section.
  func fold(_ change: (inout Set<Value>) -> Void) {
    let section = rows.section(at: step.selected)
    change(&step.folded)
    layOutRows()
    select(section.map(rows.place(ofSection:)) ?? 0)
  }

  /// Says that reading has begun where it may take a while.
  func announce() {
    guard objects.count >= Self.manyRows else { return }
    remark = ("reading\(charset.ellipsis) Ctrl-C stops it", .note)
    drawFrame()
    remark = nil
  }

  private func columns(of step: BrowseStep) throws -> EntityColumns {
    if step.hidden.isEmpty { return try EntityColumns(step.entity, isData: false, for: step.request) }
    let left = step.entity.properties.map(\.name).filter { !step.hidden.contains($0) }
    return try EntityColumns(
      step.entity, isData: false, only: left.map { ColumnRequest(question: .text($0)) }, for: step.request)
  }

  /// Hides the column.
  func hideColumn() {
    guard let index = columns.property(at: step.column), columns.columns.count > 1 else { return }
    step.hidden.insert(step.entity.properties[index].name)
    layOutColumns()
  }

  /// Shows all columns again.
  func showAllColumns() {
    step.hidden = []
    layOutColumns()
  }

  private func layOutColumns() {
    do { columns = try columns(of: step) } catch { remark = (engine.report(error).message, .error) }
    step.column = min(step.column, columns.columns.count - 1)
  }

  // MARK: The line

  /// Moves to a line, or the nearest one there is.
  func select(_ line: Int) {
    if groups != nil {
      groups?.select(line)
    } else {
      step.selected = min(max(line, 0), max(rows.count - 1, 0))
    }
  }

  /// The row on the selected line; nil where a heading is, or nothing.
  private var selectedRow: Int? {
    guard step.selected < rows.count, case .row(let row) = rows.line(at: step.selected) else { return nil }
    return row
  }

  /// The object on the selected line.
  var selectedObject: ManagedObject? { selectedRow.flatMap { try? objects[$0] } }

  /// The property of the selected column, by its index.
  var selectedProperty: Int? {
    columns.columns.indices.contains(step.column) ? columns.property(at: step.column) : nil
  }
}
