internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Queries
internal import Session

// What keys do.
extension WatchScreen {
  /// The seconds from the last key of a filter to its effect, so that typing stays fluent.
  private static let filterDelay = 0.15

  var allKeys: Keys {
    let ofObjects: Keys = [
      ("Enter", "open the object; Up and Down go to the next"),
      ("Space", "hold the rows and let them go on; fold a section"),
      ("p", "hold the rows, in sections, too"), ("Tab", "fold a section; Z: all"),
    ]
    let filter = [("/", "filter as a predicate is typed, Tab completes; or search as its view does")]
    let own = content.isOfObjects ? ofObjects : [("Space", "hold the rows and let them go on")]
    return Self.movingKeys + Self.sortingKeys + filter + own + Self.columnKeys + Self.drawingKeys
      + [("q, Esc, Ctrl-D", "leave")]
  }

  var mainKeys: String {
    let isOfObjects = content.isOfObjects
    if field?.isOpen == true { return "Enter keep  Esc clear  Up, Down rows" }
    if held != nil { return "q leave  Space go on\(isOfObjects ? "  Enter open" : "")  ? help" }
    var keys = field == nil ? "q leave  ? help" : "q leave  Esc clear  ? help"
    keys += "  / \(search == nil ? "filter" : "search")  Left, Right column"
    let shown = shownColumns
    if shown.indices.contains(place.column), !content.isFunction(at: shown[place.column]) {
      keys += "  s sort by \(content.columns[shown[place.column]].name)"
    }
    return keys + (watched.isSectioned ? "  Space fold" : isOfObjects ? "  Enter open  Space hold" : "  Space hold")
  }

  func obeyHere(_ key: Key) -> Bool {
    if held != nil, goesOn(key) { return true }
    switch key {
    case .home, .text("g"):
      select(0)
      hasMoved = false
    case .enter:
      move(to: place.selected)
      if selectedObject != nil { face = .card }
    case .text(" ") where !watched.isSectioned, .text("p"): hold(true)
    case .text(" "), .tab: foldSection()
    case .text("/"): openField()
    case .escape where field != nil: clearFilter()
    case .escape: isEnding = true
    default: return false
    }
    return true
  }

  /// Opens the field, with what was kept in it.
  private func openField() {
    if field == nil { field = ScreenField(search == nil ? .filter : .search) }
    field?.isOpen = true
  }

  /// Handles a key while the rows are held: a key that does not leave the screen releases them. Returns false if the
  /// key has another meaning.
  private func goesOn(_ key: Key) -> Bool {
    switch key {
    case .text("q"), .escape, .control("d"), .control("l"), .text("?"), .function(1), .enter: return false
    case .text(" "), .text("p"):
      hold(false)
      return true
    default:
      hold(false)
      return false
    }
  }

  // MARK: Sorting

  func sortByColumn() {
    guard let key = sortKey else { return }
    if key == original.sectionIdentifier {
      let present = content.request.sectionedSortDescriptors.first
      let isAscending = present?.expression == key ? present?.isAscending == false : true
      let rest = withinSections(original).filter { $0.expression != key }
      return configure { $0.sortDescriptors = [SortDescriptor(key, ascending: isAscending)] + rest }
    }
    let (present, first) = (withinSections(content.request), withinSections(original))
    let order = present.turned(by: key, original: first)
    configure { [self] in $0.sortDescriptors = order == first ? original.sortDescriptors : sectionOrder + order }
  }

  /// What the column is sorted by; nil after a remark.
  private var sortKey: Queries.Expression? {
    let shown = shownColumns
    guard shown.indices.contains(place.column) else { return nil }
    do { return try content.sortKey(at: shown[place.column]) } catch {
      remark = ((error as? EntityColumns.Unsortable)?.sentence ?? engine.report(error).message, .warning)
      return nil
    }
  }

  /// What keeps the sections in their order.
  private var sectionOrder: [SortDescriptor] {
    guard let section = original.sectionIdentifier else { return [] }
    return [SortDescriptor(section, ascending: content.request.sectionedSortDescriptors.first?.isAscending ?? true)]
  }

  /// The keys of a request that do not stand for its sections.
  private func withinSections(_ request: FetchRequest) -> [SortDescriptor] {
    request.sortDescriptors.filter { $0.expression != request.sectionIdentifier }
  }

  /// Changes the request, and says what is wrong with that.
  private func configure(_ change: (inout FetchRequest) -> Void) {
    do { try watched.configure(change) } catch { tell(error) }
    rebuild()
  }

  private func tell(_ error: any Error) {
    let isStopped = engine.lua.interruption == .interrupted
    if isStopped { engine.lua.clearInterrupt() }
    remark = isStopped ? ("stopped", .warning) : (engine.report(error).message, .error)
  }

  // MARK: Filtering

  func typeHere(_ key: Key) -> Bool {
    switch key {
    case .up, .down, .pageUp, .pageDown: return false
    case .escape: clearFilter()
    case .enter:
      applyFilter()
      field?.isOpen = remark != nil
      if field?.editor.isEmpty == true { field = nil }
    default: edit(key)
    }
    return true
  }

  private func edit(_ key: Key) {
    let before = field?.editor.characters
    if key == .tab, search == nil { complete(completions) } else { field?.editor.take(key) }
    if field?.editor.characters != before { filterTime = monotonicSeconds() + Self.filterDelay }
  }

  private func completions(_ text: String) -> Completions? {
    PredicateInquiry(session, content.request.entity, in: context).completions(text)
  }

  private func clearFilter() {
    field = nil
    applyFilter()
  }

  /// Narrows the rows to what was typed.
  func applyFilter() {
    filterTime = nil
    if let search { return call(search, field?.editor.text ?? "") }
    let reading = PredicateReading(field?.editor.text ?? "", content.request.entity, values: nil, engine)
    switch reading {
    case .everything: configure { [original] in $0.predicate = original.predicate }
    case .predicate(let added):
      configure { [original] in $0.predicate = original.predicate.map { $0 & added } ?? added }
    case .needsValues(_, let names):
      remark = ("a filter has no variables: \(names.map { "$" + $0 }.joined(separator: ", "))", .error)
    case .mistakes(let mistakes): remark = (mistakes.first?.sentence ?? "", .error)
    }
  }

  /// Gives what was typed to the function that searches; the turn behind it brings the rows up to date.
  private func call(_ search: LuaReference, _ text: String) {
    let stack = engine.lua.stack
    stack.reserve(4)
    do {
      try engine.asking {
        stack.push(search)
        stack.push(text)
        try stack.call(arguments: 1, results: 0)
      }
      engine.loop.runTurn(ready: [])
    } catch { tell(error) }
    rebuild()
  }
}
