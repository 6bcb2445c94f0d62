internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Terminal

// What keys do.
extension WatchScreen {
  /// The seconds from the last key of a filter to its effect, so that typing stays fluent.
  private static let filterDelay = 0.15

  func obey(_ key: Key) {
    if isFiltering, handleInFilter(key) { return }
    if face != .rows { return obeyInFront(key) }
    if held != nil, goesOn(key) { return }
    switch key {
    case .up, .text("k"), .control("p"): move(to: selected - 1)
    case .down, .text("j"), .control("n"): move(to: selected + 1)
    case .pageUp, .control("b"): move(to: selected - max(room - 1, 1))
    case .pageDown, .control("f"): move(to: selected + max(room - 1, 1))
    case .home, .text("g"):
      select(0)
      hasMoved = false
    case .end, .text("G"): move(to: rows.count - 1)
    case .left, .text("h"): column = (column + columns.columns.count - 1) % max(columns.columns.count, 1)
    case .right, .text("l"): column = (column + 1) % max(columns.columns.count, 1)
    case .text("s"): sort()
    case .enter:
      move(to: selected)
      if selectedObject != nil { face = .card }
    case .text("?"), .function(1): face = .help
    case .text(" ") where !watched.isSectioned, .text("p"): hold(readRows())
    case .text(" "), .tab: fold()
    case .text("/"):
      filter = filter ?? PredicateEditor()
      isFiltering = true
    case .control("l"): terminal.forgetScreen()
    case .escape where filter != nil: clearFilter()
    case .text("q"), .escape, .control("d"): isEnding = true
    default: break
    }
  }

  /// Chooses a line, which stays with its object from now on.
  private func move(to line: Int) {
    hasMoved = true
    select(line)
  }

  /// A key before a card or the help: it goes back to the rows.
  private func obeyInFront(_ key: Key) {
    if scrollsPage(key) { return }
    switch key {
    case .control("l"): terminal.forgetScreen()
    case .up where face == .card, .text("k") where face == .card: move(to: selected - 1)
    case .down where face == .card, .text("j") where face == .card: move(to: selected + 1)
    case .control("d"): isEnding = true
    default: face = .rows
    }
  }

  /// Handles a key while the rows are held: a key that does not leave the screen releases them. Returns false if the
  /// key has another meaning.
  private func goesOn(_ key: Key) -> Bool {
    switch key {
    case .text("q"), .escape, .control("d"), .control("l"), .text("?"), .function(1), .enter: return false
    case .text(" "), .text("p"):
      hold(nil)
      return true
    default:
      hold(nil)
      return false
    }
  }

  // MARK: Sorting

  /// Sorts by the column; pressed again it turns the order round, and then gives back the one that there was.
  private func sort() {
    guard columns.columns.indices.contains(column), let key = sortKey else { return }
    let isOfSections = key == original.sectionIdentifier
    let present = (isOfSections ? results.request.sectionedSortDescriptors : withinSections(results.request)).first
    let rest = withinSections(original)
    let isSorted = present?.expression == key
    let isAscending = isSorted ? present?.isAscending == false : true
    if isSorted, isAscending, rest.first?.expression != key, !isOfSections {
      return configure { [original] in $0.sortDescriptors = original.sortDescriptors }
    }
    let order = [SortDescriptor(key, ascending: isAscending)] + rest.filter { $0.expression != key }
    configure { [self] in $0.sortDescriptors = isOfSections ? order : sectionOrder + order }
  }

  /// What the column is sorted by; nil after a remark.
  private var sortKey: Queries.Expression? {
    do { return try columns.sortKey(at: column) } catch {
      remark = ((error as? EntityColumns.Unsortable)?.sentence ?? engine.report(error).message, .warning)
      return nil
    }
  }

  /// What keeps the sections in their order.
  private var sectionOrder: [SortDescriptor] {
    guard let section = original.sectionIdentifier else { return [] }
    return [SortDescriptor(section, ascending: results.request.sectionedSortDescriptors.first?.isAscending ?? true)]
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

  // MARK: Folding

  /// Folds the section of the line, or unfolds it.
  private func fold() {
    guard let section = rows.section(at: selected) else {
      remark = ("there are no sections to fold", .note)
      return
    }
    let id = results.sections[section].id
    if folded.remove(id) == nil { folded.insert(id) }
    rebuild()
    move(to: rows.place(ofSection: section))
  }

  // MARK: Filtering

  /// A key while the filter is typed; false if it means what it means otherwise.
  private func handleInFilter(_ key: Key) -> Bool {
    switch key {
    case .up, .down, .pageUp, .pageDown: return false
    case .escape: clearFilter()
    case .enter:
      applyFilter()
      isFiltering = remark != nil
      if filter?.isEmpty == true { filter = nil }
    default:
      let before = filter?.characters
      filter?.take(key)
      if filter?.characters != before { filterTime = monotonicSeconds() + Self.filterDelay }
    }
    return true
  }

  private func clearFilter() {
    (filter, isFiltering) = (nil, false)
    applyFilter()
  }

  /// Narrows the rows to what was typed.
  func applyFilter() {
    filterTime = nil
    if let search { return call(search, filter?.text ?? "") }
    let reading = PredicateReading(filter?.text ?? "", entity, values: nil, engine)
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
      engine.runLoopTurn(ready: [])
    } catch { tell(error) }
    rebuild()
  }
}
