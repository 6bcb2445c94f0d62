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
  private(set) var columns: EntityColumns
  var face = Face.rows
  var typing: (purpose: Purpose, editor: PredicateEditor)?
  /// The values of a column, instead of the rows; nil where rows are shown.
  var groups: BrowseGroups?
  /// Whether there is something to draw that cannot wait.
  private var isUrgent = true
  /// How many turns had run when the screen was drawn.
  private var drawnTurns = 0
  private var lastDrawing = 0.0
  /// The least time between two drawings that no key asked for.
  private static let interval = 0.1
  /// From so many rows on, a question may take longer than people expect of a key.
  private static let manyRows = 50_000

  /// - Throws: StoreError, PredicateError.
  init(_ session: EngineSession, _ request: FetchRequest, in context: ObjectContext, _ terminal: FullScreenTerminal)
    throws
  {
    self.context = context
    step = BrowseStep(request)
    objects = try context.fetch(request)
    columns = try EntityColumns(request.entity, isData: false, for: request)
    super.init(session, terminal)
  }

  // MARK: As a full screen

  /// Timers and other programs change objects that are shown.
  private var isDirty: Bool { turns != drawnTurns }

  override var dueTime: Double? { isDirty ? lastDrawing + Self.interval : nil }

  override func handle(_ key: Key) {
    isUrgent = true
    obey(key)
  }

  override func draw() throws {
    let now = monotonicSeconds()
    guard isUrgent || needsDrawing || !terminal.isTaken || isDirty && now >= lastDrawing + Self.interval else { return }
    (isUrgent, drawnTurns, needsDrawing, lastDrawing) = (false, turns, false, now)
    drawFrame()
  }

  // MARK: The way

  /// Goes to another place, from which one can come back; where it cannot be shown, one stays.
  func go(to next: BrowseStep) {
    let former = step
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
      for index in step.top..<min(step.top + room, objects.count) { try objects[index].refresh(mergeChanges: true) }
    } catch {
      return remark = (engine.report(error).message, .error)
    }
    if show(step) { remark = ("\(Quantity.count(objects.count, "row")) read again", .note) }
  }

  /// Fetches what a step shows; false if it cannot be fetched, or Ctrl-C stopped that.
  private func show(_ next: BrowseStep) -> Bool {
    let inquiry = PredicateInquiry(session, next.entity, in: context)
    announce()
    do {
      try next.request.validate(for: .fetch)
      switch try inquiry.attempt({ try context.fetch(next.request) }) {
      case .done(let found):
        columns = try columns(of: next)
        (step, objects, groups) = (next, found, nil)
        select(next.selected)
        return true
      case .stopped, .interrupted: remark = ("stopped", .warning)
      case .failed(let message): remark = (message, .error)
      }
    } catch {
      remark = (engine.report(error).message, .error)
    }
    return false
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
      step.selected = min(max(line, 0), max(objects.count - 1, 0))
    }
  }

  /// The object on the selected line.
  var selectedObject: ManagedObject? {
    step.selected < objects.count ? try? objects[step.selected] : nil
  }

  /// The property of the selected column, by its index.
  var selectedProperty: Int? {
    columns.columns.indices.contains(step.column) ? columns.property(at: step.column) : nil
  }
}
