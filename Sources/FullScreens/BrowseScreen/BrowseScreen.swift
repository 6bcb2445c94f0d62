internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// A full screen to walk through a store: the objects of a request, narrowed, sorted and edited by keys, and the objects that
/// they lead to.
///
/// All keys of a request are read at once, its objects a window at a time, so that a million rows open as fast as ten.
final class BrowseScreen: TableScreen {
  /// Where one is; `here` has the lines, too.
  private(set) var step: BrowseStep
  /// Where one was, the last place last.
  private(set) var trail: [BrowseStep] = []
  private(set) var objects: FetchResult
  /// The sections that the objects stand in, with how many they are; none without sections.
  private(set) var sections: [(id: Value, count: Int)]
  private(set) var entityColumns: EntityColumns
  /// The cell whose value is typed: its row may move meanwhile.
  var edited: CellField?
  /// The object on the selected line when it was drawn, with its name, which is not known once the row is gone.
  private var drawn: (id: ObjectID, name: String)?
  /// The values of a column, instead of the rows; nil where rows are shown.
  var groups: BrowseGroups?
  /// What was written since the rows were read.
  private var freshness: RowsFreshness
  /// How many turns had run when it was last asked what was written.
  private var checkedTurns = 0
  /// From so many rows on, a question may take longer than people expect of a key.
  private static let manyRows = 50_000
  /// More sections than people look through.
  private static let mostSections = 100_000

  /// - Throws: StoreError, PredicateError.
  init(_ session: Session, _ request: FetchRequest, in context: ObjectContext, _ terminal: any ScreenTerminal)
    throws
  {
    step = BrowseStep(request)
    freshness = RowsFreshness(context)
    let found = try context.fetchSections(request, most: Self.mostSections)
    (objects, sections) = (found.objects, found.sections)
    entityColumns = try EntityColumns(request.entity, isData: false, for: request)
    super.init(session, context, terminal)
    layOutLines()
  }

  /// Walks until the user leaves; commits of other programs are followed meanwhile.
  ///
  /// - Throws: the error of a script that ends the program.
  func browse() throws {
    let token = engine.stores.followCommits(to: context, name: "browse")
    defer { token?.cancel() }
    try run()
  }

  // MARK: As a full screen

  override var dueTime: Double? { [drawingTime, freshness.dueTime].compactMap(\.self).min() }

  /// Timers and other programs change objects that are shown.
  override func prepareDrawing() throws {
    if turns != checkedTurns {
      freshness.check(context)
      (checkedTurns, isDirty) = (turns, true)
    }
    if freshness.isDue(at: monotonicSeconds()) { try readAgain() }
  }

  // MARK: As a table

  override var columns: [TabularColumn] { entityColumns.columns }

  override func isAscending(at place: Int) -> Bool? {
    entityColumns.isAscending(at: place, in: Array(step.request.sortDescriptors.prefix(1)))
  }

  override var rowCount: Int { objects.count }

  override func rows(_ indices: [Int]) -> [TableRow] {
    let reader = ObjectCells(entityColumns, isData: false)
    return indices.map { index in
      do {
        let object = try objects[index]
        let cells = try reader.cells(of: object).map { CellText($0, charset) }
        if index == selectedRow { drawn = (object.objectID, ObjectText.name(of: object)) }
        let mark: RowMark? = object.hasChanges ? object.isInserted ? .inserted : .updated : nil
        return TableRow(index: index, cells: cells, mark: mark)
      } catch {
        // Another program has deleted it; the rows are read again as soon as there is time.
        return TableRow(index: index, cells: columns.map { _ in CellText(.text("?"), charset) })
      }
    }
  }

  override func object(at row: Int) -> ManagedObject? { try? objects[row] }
  override var sectionCount: Int { sections.count }
  override func section(at index: Int) -> (id: Value, count: Int) { sections[index] }
  override var emptyText: String { "no \(step.entity.name)" }
  override var sectionHint: String { "there are no sections; S makes them by the column" }

  override func shownLines() throws -> [ShownLine] { groups == nil ? visibleLines() : [] }

  override func tableLines(of shown: [ShownLine]) -> [ScreenLine] { groupLines() ?? gridLines(of: shown) }

  override var title: (rows: String, parts: [String]) { titleOfStep }
  override var footer: String { mainKeys }
  override var keys: Keys { Self.allKeys }
  override func obeyOwn(_ key: Key) -> Bool { obeyHere(key) }
  override func type(_ key: Key) -> Bool { typeHere(key) }

  override func sort() {
    do {
      try rearrange { $0.sort(by: try entityColumns.sortKey(at: place.column)) }
    } catch {
      remark = ((error as? EntityColumns.Unsortable)?.sentence ?? engine.report(error).message, .warning)
    }
  }

  override func columnsChanged() {
    do { entityColumns = try columns(of: here) } catch { remark = (engine.report(error).message, .error) }
  }

  override var selectedLine: Int { groups?.selected ?? place.selected }

  override func select(_ line: Int) { if groups != nil { groups?.select(line) } else { super.select(line) } }

  // MARK: The way

  /// Where one is, with the lines.
  var here: BrowseStep {
    var step = step
    step.place = place
    return step
  }

  /// Goes to another place, from which one can come back; where it cannot be shown, one stays.
  func go(to next: BrowseStep) {
    var former = here
    former.selectedID = selectedObject?.objectID
    if show(next) { trail.append(former) }
  }

  /// Shows the rows of this place in another way, which is not a step to come back from.
  func rearrange(_ change: (inout BrowseStep) throws -> Void) rethrows {
    var next = here
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
      for line in place.top..<min(place.top + room, lines.count) {
        if case .row(let row) = lines.line(at: line) { try objects[row].refresh(mergeChanges: true) }
      }
    } catch {
      return remark = (engine.report(error).message, .error)
    }
    var next = here
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
        entityColumns = try columns(of: next)
        (step, place, groups) = (next, next.place, nil)
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
    inquiry.shouldStop = { [terminal] in terminal.isPending }
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
    (place.selected..<max(min(place.top + room, lines.count), place.selected)).compactMap { line in
      guard case .row(let row) = lines.line(at: line), row < objects.count else { return nil }
      return (try? objects[row])?.objectID
    }
  }

  /// Moves to the first of some objects that is still there, at the same height of the window.
  private func follow(_ former: [ObjectID]) {
    let height = place.selected - place.top
    for (number, id) in former.enumerated() {
      guard let index = objects.index(of: context.object(id)) else { continue }
      super.select(lines.place(ofRow: index))
      place.top = max(place.selected - height, 0)
      if number == 0 { return }
      break
    }
    guard let gone = former.first else { return }
    if face == .card { face = .rows }
    let name = drawn?.id == gone ? drawn?.name : nil
    remark = ("\(name ?? ObjectText.name(of: context.object(gone))) is no longer among these", .note)
  }

  private func take(_ found: SectionedResult) {
    (objects, sections) = (found.objects, found.sections)
    if step.foldsAll { place.folded = Set(sections.map(\.id)) }
    step.foldsAll = false
    layOutLines()
    let index = step.selectedID.flatMap { objects.index(of: context.object($0)) }
    super.select(index.map(lines.place(ofRow:)) ?? place.selected)
    step.selectedID = nil
  }

  /// Says that reading has begun where it may take a while.
  func announce() {
    guard objects.count >= Self.manyRows else { return }
    remark = ("reading\(charset.ellipsis) Ctrl-C stops it", .note)
    try? drawFrame()
    remark = nil
  }

  private func columns(of step: BrowseStep) throws -> EntityColumns {
    let hidden = step.place.hidden
    if hidden.isEmpty { return try EntityColumns(step.entity, isData: false, for: step.request) }
    let left = step.entity.properties.map(\.name).filter { !hidden.contains($0) }
    return try EntityColumns(
      step.entity, isData: false, only: left.map { ColumnRequest(question: .text($0)) }, for: step.request)
  }

  /// The property of the selected column, by its index.
  var selectedProperty: Int? {
    columns.indices.contains(place.column) ? entityColumns.property(at: place.column) : nil
  }
}
