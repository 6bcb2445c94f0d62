internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// What keys do.
extension BrowseScreen {
  static let allKeys: Keys =
    movingKeys + [
      ("Enter", "follow the relationship, or open the object"), ("Backspace", "go back one step"),
    ] + sortingKeys + [
      ("/", "search: the rows with a text in any cell, or such a number or day"),
      ("w", "where: the predicate, as it is typed; Tab completes"),
      ("f", "only the rows with this value; F: only the others"),
      ("v", "the values of the column, and how often each comes"), ("i", "what the column is"),
      ("S", "sections by the column, folded; again: none"),
      ("Space, Z, Enter", "in sections: fold one, fold all, only the rows of a heading"),
      ("R", "who points at the object"),
    ] + columnKeys + [
      ("e", "edit the cell, unsaved; Tab completes"), ("x, Delete", "empty the cell"),
      ("u, Ctrl-R", "undo and redo what was edited"), ("r", "read the rows again"),
    ] + drawingKeys + [("q, Ctrl-D", "leave; _ is the request then")]

  func obeyHere(_ key: Key) -> Bool {
    if groups != nil {
      if !obeyInGroups(key) { _ = obeyMoving(key) }
      return true
    }
    switch key {
    case .text(" ") where !sections.isEmpty: foldSection()
    case .tab: moveColumn(1)
    case .enter: if let section = selectedHeading { narrow(to: section) } else { follow() }
    case .backspace, .escape: goBack()
    case .text("/"): field = ScreenField(.search)
    case .text("w"): field = ScreenField(.predicate, PredicateEditor(step.predicateText))
    case .text("f"): narrowToCell(isSame: true)
    case .text("F"): narrowToCell(isSame: false)
    case .text("v"): if let index = selectedProperty { count(.values(index)) }
    case .text("S"): section()
    case .text("i"): describeColumn()
    case .text("R"): if let object = selectedObject { count(.references(object)) }
    case .text("e"): edit()
    case .text("x"), .delete: emptyCell()
    case .text("u"): takeBack("undo") { try context.undo() }
    case .control("r"): takeBack("redo") { try context.redo() }
    case .text("r"): refresh()
    default: return false
    }
    return true
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

  // MARK: Narrowing

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
      var next = here
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

  func typeHere(_ key: Key) -> Bool {
    switch key {
    case .escape: field = nil
    case .enter: take()
    case .tab: complete(completions)
    default: field?.editor.take(key)
    }
    return true
  }

  /// What can stand at the end of a text that is typed.
  private func completions(_ text: String) -> Completions? {
    switch field?.purpose {
    case .predicate: PredicateInquiry(session, step.entity, in: context).completions(text)
    case .value: valueCompletions(text)
    default: nil
    }
  }

  /// Does what was typed; what is wrong stays to be mended.
  private func take() {
    guard let field else { return }
    let text = field.editor.text
    switch field.purpose {
    case .search: search(text)
    case .predicate, .filter: takePredicate(text)
    case .value: assign(text)
    }
    if remark?.role != .error { self.field = nil }
  }

  private func search(_ text: String) {
    if text.isEmpty { return }
    guard let condition = here.condition(contains: text) else {
      return remark = ("no column has texts, or such values", .warning)
    }
    var next = here
    next.narrow(to: condition, search: text)
    go(to: next)
  }

  private func takePredicate(_ text: String) {
    var next = here
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
