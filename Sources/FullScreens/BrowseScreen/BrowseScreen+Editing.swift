internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// Editing of cells, and its undo.
extension BrowseScreen {
  /// Opens the field of the cell.
  func edit() {
    attempt {
      guard let field = try selectedField() else { return }
      let editor = PredicateEditor(field.text)
      if editor.text != field.text { throw CellField.Refusal.noLine(columns[place.column].name) }
      (self.field, edited) = (ScreenField(.value(columns[place.column].name), editor), field)
    }
  }

  /// Makes the cell nil.
  func emptyCell() {
    attempt {
      guard let field = try selectedField() else { return }
      try field.empty()
      context.closeUndoGroup()
    }
  }

  /// Sets the cell whose field is open to what was typed.
  func assign(_ text: String) {
    attempt {
      try edited?.set(text)
      context.closeUndoGroup()
    }
  }

  /// The values that begin with what is typed: of the column, or of what a to-one's objects are named by.
  func valueCompletions(_ text: String) -> Completions? {
    guard let index = selectedProperty, !text.contains(where: { "\"\\".contains($0) }) else { return nil }
    let isReference = step.entity.properties[index].relationship != nil
    let entity = isReference ? step.entity.destination(at: index) : step.entity
    guard let named = isReference ? entity.titleAttribute : index,
      let attribute = entity.properties[named].attribute, attribute.type.isTextual
    else { return nil }
    let opening = attribute.name + " == \""
    var found = PredicateInquiry(session, entity, in: context).completions(opening + text)
    found.start -= opening.utf8.count
    // Without the quote that ends a text in a predicate.
    found.candidates = found.candidates.map { Completions.Candidate(String($0.text.dropLast()), $0.remark) }
    return found
  }

  func takeBack(_ name: String, _ body: () throws -> Bool) {
    attempt {
      let isDone = try body()
      remark = isDone ? (name == "undo" ? "undone" : "redone", .note) : ("there is nothing to \(name)", .note)
    }
  }

  private func selectedField() throws -> CellField? {
    guard let object = selectedObject else { return nil }
    guard let index = selectedProperty else {
      remark = ("\(columns[place.column].name) is computed", .note)
      return nil
    }
    return try CellField(object, at: index)
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      remark = ((error as? CellField.Refusal).map(sentence) ?? engine.report(error).message, .error)
    }
  }

  /// What is refused, and which key does it.
  private func sentence(_ refusal: CellField.Refusal) -> String {
    let remedy =
      switch refusal {
      case .manyObjects: "; Enter follows it, the prompt sets it"
      case .noLine: "; the prompt sets it"
      case .nothingTyped: "; x empties a cell"
      case .required, .noObject, .severalObjects: ""
      }
    return refusal.sentence + remedy
  }
}
