internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session
internal import Stores

// Unsaved changes as a whole: saved, dropped, undone after a save.
extension ChangeMaker {
  func discard(_ context: ObjectContext) throws -> Outcome {
    guard form.has("entity") else {
      store.session.engine.rollback()
      return .done(.changes)
    }
    let object = try changed(context)
    try store.making {
      if object.isInserted { try object.delete() } else { try object.refresh(mergeChanges: false) }
    }
    return .done(.changes)
  }

  /// The object of the form, which may be deleted.
  private func changed(_ context: ObjectContext) throws -> ManagedObject {
    let address = form.object()
    return try context.deletedObjects.first { store.address(of: $0) == address } ?? store.object(address)
  }

  /// Keeps the object's own changes on the row that the store has now, or drops them.
  func resolve(_ context: ObjectContext) throws -> Outcome {
    let object = try changed(context)
    try store.making { try object.refresh(mergeChanges: form["take"] == "mine") }
    return .done(.changes)
  }

  func save(_ context: ObjectContext) throws -> Outcome {
    var view = ChangesView(store)
    do {
      if let question = try store.confirming(form["confirmed"], { try store.session.engine.save() }) {
        view.question = (.save, question)
        return .refused(.conflict, try view.frame())
      }
    } catch let error as GraphError {
      view.failure = error
      if case .conflicts = error.fact { return .refused(.conflict, try view.frame()) }
      return .refused(.unprocessable, try view.frame())
    } catch {
      view.mistake = store.sentence(of: error)
      return .refused(.unprocessable, try view.frame())
    }
    return .done(.changes)
  }

  func reverse(_ direction: SaveDirection) throws -> Outcome {
    var view = ChangesView(store)
    do {
      let question = try store.confirming(form["confirmed"]) { _ = try store.session.engine.reverseSave(direction) }
      if let question {
        view.question = (direction == .undo ? .undosave : .redosave, question)
        return .refused(.conflict, try view.frame())
      }
    } catch {
      view.mistake = store.sentence(of: error)
      return .refused(.unprocessable, try view.frame())
    }
    return .done(.changes)
  }
}

extension PageStore {
  /// Changes objects; an error becomes a problem of the page.
  func making<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problem as PageProblem { throw problem } catch {
      throw PageProblem.failure(sentence(of: error))
    }
  }

  func sentence(of error: any Error) -> String {
    (error as? CellField.Refusal)?.sentence ?? (error as? PastedRows.Mistake)?.sentence
      ?? session.engine.report(error).message
  }

  /// What went wrong in a script, with its place and line.
  func explanation(of error: any Error) -> String {
    let layout = DiagnosticText(width: 160)
    return session.parts.errors.diagnostics(for: error).map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.traceback = []
      return layout.terminal(diagnostic)
    }.joined()
  }

  /// Writes, and returns the question that has to be answered before; nil if it was written. `confirmed` is the question that
  /// was answered with yes: it counts only as long as the same would be asked.
  func confirming(_ confirmed: String?, _ write: () throws -> Void) throws -> String? {
    var asked: String?
    do {
      try session.approving(asking: { question in
        if question == confirmed { return true }
        asked = question
        return false
      }) { try write() }
    } catch {
      if asked == nil { throw error }
    }
    return asked
  }

  func property(_ name: String, of entity: Entity) throws -> Int {
    if let index = entity.index(of: name) { return index }
    throw PageProblem.noProperty(
      name, entity: entity.name, nearest: nearestName(to: name, in: entity.properties.map(\.name)))
  }
}
