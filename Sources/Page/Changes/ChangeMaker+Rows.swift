internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Session

// Many objects at once: rows of a text, and a property of all objects of a request. Both are shown before they are done.
extension ChangeMaker {
  func paste(_ context: ObjectContext) throws -> Outcome {
    let entity = try store.entity(form["entity"] ?? "")
    var view = PasteView(entity, in: store, columns: form.values("column"))
    let sent = form["file"].flatMap { $0.isEmpty ? nil : $0 } ?? form["text"] ?? ""
    view.text = sent.replacing("\r\n", with: "\n")
    guard HTML.keeps(view.text) else {
      throw PageProblem.failure(
        "the text has control characters, which a form does not keep; import reads it from a file")
    }
    do {
      try store.making { try view.read(form, context) }
      guard form.has("apply"), let rows = view.rows, rows.canApply else { return .refused(view.status, view.frame) }
      _ = try store.making { try rows.apply(in: context) }
    } catch let problem as PageProblem {
      view.problem = problem.sentence
      return .refused(.unprocessable, view.frame)
    }
    return .done(.changes)
  }

  func setAll(_ context: ObjectContext) throws -> Outcome {
    let asked = try store.asked(RowsAddress(form["entity"] ?? "", form.fields))
    guard asked.mistakes.isEmpty else { throw PageProblem.failure(asked.mistakes[0].sentence) }
    var view = try SetAllView(asked, in: store)
    do {
      try store.making { try view.read(form) }
      guard form.has("apply") else { return .refused(.ok, view.frame) }
      try store.making { try view.apply(in: context) }
    } catch let problem as PageProblem {
      view.problem = problem.sentence
      return .refused(.unprocessable, view.frame)
    }
    return .done(.changes)
  }
}
