internal import Presentation
internal import Session

// What keys do to the lower part.
extension PredicateScreen {
  /// A function key.
  func press(_ new: PredicatePane) {
    switch (new, pane) {
    case (.swift, .swift) where isInPane: turn(by: 1)
    case (.help, .help), (.explain, .explain), (.counts, .counts), (.plot, .plot), (.check, .check), (.why, .why),
      (.object, .object):
      open(isInPane ? .rows : new)
    default: open(new)
    }
  }

  /// A key for the lower part; false if it means nothing there.
  func handleInPane(_ key: Key) -> Bool {
    switch key {
    case .up: moveInPane(by: -1)
    case .down: moveInPane(by: 1)
    case .left where pane == .swift || pane == .plot: turn(by: -1)
    case .right where pane == .swift || pane == .plot: turn(by: 1)
    case .left where pane.isOfRows, .right where pane.isOfRows: turnRows()
    case .wordLeft where pane == .rows, .alt("b") where pane == .rows: moveColumn(-1)
    case .wordRight where pane == .rows, .alt("f") where pane == .rows: moveColumn(1)
    case .alt("s") where pane == .rows: sort()
    case .alt("-") where pane == .rows: hideColumn()
    case .alt("+") where pane == .rows: showAllColumns()
    case .home: scroll = 0
    default:
      isInPane = false
      return false
    }
    return true
  }

  /// Goes to another form of Swift, or to another attribute.
  private func turn(by steps: Int) {
    func turned(_ index: Int, _ count: Int) -> Int { count == 0 ? 0 : ((index + steps) % count + count) % count }
    if pane == .swift { swiftForm = turned(swiftForm, PredicatePane.swiftForms.count) }
    if pane == .plot { plottedAttribute = turned(plottedAttribute, inquiry.plottableAttributes.count) }
    (scroll, isInPane) = (0, true)
    askForPane()
  }

  /// Goes from the rows that fulfil the predicate to those that do not, or back.
  func turnRows() {
    showsMisses.toggle()
    answer?.page.offset = 0
    (chosenRow, scroll) = (0, 0)
    questions.insert(.rows)
    askForPane()
  }

  /// The places of the columns that are shown.
  var shownColumns: [Int] {
    guard let columns = answer?.page.columns.columns else { return [] }
    return columns.indices.filter { !place.hidden.contains(columns[$0].name) }
  }

  /// Sorts the rows, and those of the request, by the column.
  func sortByColumn() {
    let shown = shownColumns
    guard let columns = answer?.page.columns, shown.indices.contains(place.column) else { return }
    do {
      let key = try columns.sortKey(at: shown[place.column])
      let rest = inquiry.sortDescriptors.filter { $0.expression != key }
      inquiry.sortDescriptors = inquiry.sortDescriptors.turned(by: key, original: rest)
      answer?.page.offset = 0
      chosenRow = 0
      questions.insert(.rows)
    } catch {
      remark = ((error as? EntityColumns.Unsortable)?.sentence ?? engine.report(error).message, .warning)
    }
  }

  private func moveInPane(by steps: Int) {
    if pane.isOfRows { selectRow(by: steps) } else { scroll = max(scroll + steps, 0) }
  }

  /// Page Up and Page Down.
  func scrollPage(_ direction: Int) {
    guard pane == .rows else {
      scroll = max(scroll + direction * max(size.rows - 6, 1), 0)
      return
    }
    if !isInPane {
      isInPane = true
      chosenRow = chosenRow ?? 0
    } else {
      selectRow(by: direction * pageSize)
    }
  }

  /// Chooses another row, on another page if need be.
  private func selectRow(by steps: Int) {
    guard let page = answer?.page, let row = chosenRow, !page.rows.isEmpty else { return }
    let wanted = row + steps
    if page.rows.indices.contains(wanted) {
      chosenRow = wanted
    } else if wanted < 0, page.offset > 0 {
      let start = max(page.offset - pageSize, 0)
      answer?.page.offset = start
      chosenRow = max(page.offset + wanted - start, 0)
      questions.insert(.rows)
    } else if wanted >= page.rows.count, !page.isLast {
      answer?.page.offset = page.offset + page.rows.count
      chosenRow = wanted - page.rows.count
      questions.insert(.rows)
    } else {
      chosenRow = wanted < 0 ? 0 : page.rows.count - 1
    }
    askForPane()
  }
}
