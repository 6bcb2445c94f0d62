internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Terminal

// What keys do.
extension BrowseScreen {
  static let keys: [(keys: String, what: String)] = [
    ("Up, Down, PgUp, PgDn, g, G", "move"), ("Left, Right", "the column, those that are not shown, too"),
    ("Enter", "follow the relationship, or open the object"), ("Backspace", "go back one step"),
    ("s", "sort by the column; again: the other way; again: as it was"),
    ("/", "search: the rows with a text in any cell, or such a number or day"),
    ("w", "where: the predicate, as it is typed; Tab completes"),
    ("f", "only the rows with this value; F: only the others"),
    ("v", "the values of the column, and how often each comes"), ("i", "what the column is"),
    ("S", "sections by the column, folded; again: none"),
    ("Space, Z, Enter", "in sections: fold one, fold all, only the rows of a heading"),
    ("R", "who points at the object"),
    ("-", "hide the column; +: show all"),
    ("e", "edit the cell, unsaved; Tab completes"), ("x, Delete", "empty the cell"),
    ("u, Ctrl-R", "undo and redo what was edited"),
    ("r", "read the rows again"), ("Ctrl-L", "draw again"), ("q, Ctrl-D", "leave; _ is the request then"),
  ]

  func obey(_ key: Key) {
    if typing != nil { return type(key) }
    if face != .rows { return obeyInFront(key) }
    if groups != nil, obeyInGroups(key) { return }
    switch key {
    case .up, .text("k"), .control("p"): select(line - 1)
    case .down, .text("j"), .control("n"): select(line + 1)
    case .pageUp, .control("b"): select(line - max(room - 1, 1))
    case .text(" ") where groups == nil && !sections.isEmpty: foldSection()
    case .pageDown, .control("f"), .text(" "): select(line + max(room - 1, 1))
    case .home, .text("g"): select(0)
    case .end, .text("G"): select(.max - 1)
    case .left, .text("h"): moveColumn(-1)
    case .right, .text("l"), .tab: moveColumn(1)
    case .control("l"): terminal.forgetScreen()
    case .text("?"), .function(1): face = .help
    case .text("q"), .control("d"): isEnding = true
    default: if groups == nil { obeyAtRow(key) }
    }
  }

  private func obeyAtRow(_ key: Key) {
    switch key {
    case .enter: if let section = selectedSection { narrow(to: section) } else { follow() }
    case .backspace, .escape: goBack()
    case .text("s"): sort()
    case .text("/"): typing = (.search, PredicateEditor())
    case .text("w"): typing = (.predicate, PredicateEditor(step.predicateText))
    case .text("f"): narrowToCell(isSame: true)
    case .text("F"): narrowToCell(isSame: false)
    case .text("v"): if let index = selectedProperty { count(.values(index)) }
    case .text("S"): section()
    case .text("Z"): foldAll()
    case .text("i"): describeColumn()
    case .text("R"): if let object = selectedObject { count(.references(object)) }
    case .text("-"): hideColumn()
    case .text("+"): showAllColumns()
    case .text("e"): edit()
    case .text("x"), .delete: emptyCell()
    case .text("u"): takeBack("undo") { try context.undo() }
    case .control("r"): takeBack("redo") { try context.redo() }
    case .text("r"): refresh()
    default: break
    }
  }

  private var line: Int { groups?.selected ?? step.selected }

  private func moveColumn(_ distance: Int) {
    let count = max(columns.columns.count, 1)
    step.column = (step.column + distance + count) % count
  }

  private func obeyInFront(_ key: Key) {
    if scrollsPage(key) { return }
    switch key {
    case .control("l"): terminal.forgetScreen()
    case .up where face == .card, .text("k") where face == .card: select(line - 1)
    case .down where face == .card, .text("j") where face == .card: select(line + 1)
    case .control("d"): isEnding = true
    default: face = .rows
    }
  }

  /// A key among the values of a column; false if it means what it means otherwise.
  private func obeyInGroups(_ key: Key) -> Bool {
    switch key {
    case .escape, .backspace, .text("v"):
      groups = nil
      return true
    case .enter:
      if let next = groups?.selectedStep { go(to: next) }
      return true
    default: return false
    }
  }

  // MARK: Narrowing and sorting

  private func follow() {
    guard let object = selectedObject else { return }
    guard let index = selectedProperty, let relationship = step.entity.properties[index].relationship else {
      face = .card
      return
    }
    do {
      if !relationship.isToMany, try object.related(at: index) == nil {
        return remark = ("\(step.entity.properties[index].name) is nil", .note)
      }
      go(to: try BrowseStep(object, along: index))
    } catch {
      remark = (engine.report(error).message, .error)
    }
  }

  private func sort() {
    do {
      try rearrange { $0.sort(by: try columns.sortKey(at: step.column)) }
    } catch {
      remark = ((error as? EntityColumns.Unsortable)?.sentence ?? engine.report(error).message, .warning)
    }
  }

  private func narrowToCell(isSame: Bool) {
    guard let object = selectedObject, let index = selectedProperty else { return }
    let property = step.entity.properties[index]
    do {
      let value: Value
      switch property.relationship {
      case nil: value = try object.attribute(at: index)
      case .some(let relationship) where !relationship.isToMany:
        value = try object.related(at: index).map { .object($0.objectID) } ?? .null
      default: return remark = ("\(property.name) has many values; Enter follows it", .note)
      }
      var condition = BrowseStep.condition(property.name, value)
      if !isSame { condition = .not(condition) }
      var next = step
      next.narrow(to: condition)
      go(to: next)
    } catch {
      remark = (engine.report(error).message, .error)
    }
  }

  private func describeColumn() {
    guard let index = selectedProperty else { return }
    let property = step.entity.properties[index]
    let isOptional = property.attribute?.isOptional ?? property.relationship?.isOptional ?? true
    let kind = PredicateCompleter.candidates(step.entity)[index].remark
    remark = ("\(property.name): \(kind), \(isOptional ? "optional" : "required")", .note)
  }

  // MARK: Typing

  private func type(_ key: Key) {
    switch key {
    case .escape: typing = nil
    case .enter: take()
    case .tab: complete()
    default: typing?.editor.take(key)
    }
  }

  /// Puts in what is certain, or names what can stand at the cursor.
  private func complete() {
    guard let typing, typing.purpose != .search else { return }
    let place = typing.editor.byteOffset
    let text = typing.editor.text.split(atByte: place).before
    guard let found = typing.purpose == .predicate ? predicateCompletions(text) : valueCompletions(text),
      !found.candidates.isEmpty
    else { return remark = ("nothing to complete here", .note) }
    if found.isCertain(typed: place - found.start) {
      self.typing?.editor.replace(from: found.start, with: found.commonText)
    }
    if found.candidates.count > 1 { remark = (found.candidates.map(\.text).joined(separator: "  "), .note) }
  }

  private func predicateCompletions(_ text: String) -> Completions? {
    PredicateInquiry(session, step.entity, in: context).completions(text)
  }

  /// Does what was typed; what is wrong stays to be mended.
  private func take() {
    guard let typing else { return }
    let text = typing.editor.text
    switch typing.purpose {
    case .search: search(text)
    case .predicate: takePredicate(text)
    case .value: assign(text)
    }
    if remark?.role != .error { self.typing = nil }
  }

  private func search(_ text: String) {
    if text.isEmpty { return }
    guard let condition = step.condition(contains: text) else {
      return remark = ("no column has texts, or such values", .warning)
    }
    var next = step
    next.narrow(to: condition, search: text)
    go(to: next)
  }

  private func takePredicate(_ text: String) {
    var next = step
    // What stands there unchanged may name objects, which have no words to be read from.
    if text == step.predicateText { return }
    switch PredicateReading(text, step.entity, values: nil, engine) {
    case .everything: next.select(nil, typed: text)
    case .predicate(let predicate): next.select(predicate, typed: text.trimmingSpace)
    case .needsValues(_, let names):
      return remark = ("there are no values for \(names.map { "$" + $0 }.joined(separator: ", "))", .error)
    case .mistakes(let mistakes): return remark = (mistakes.first?.sentence ?? "", .error)
    }
    go(to: next)
  }
}
