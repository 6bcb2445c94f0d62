internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session
internal import Stores

/// Does what the forms of pages ask, in the main context of the session, by the rules of the prompt.
struct ChangeMaker {
  let store: PageStore
  let form: SentForm

  /// What came of a form.
  enum Outcome {
    /// It was done; the browser goes on to a page.
    case done(PageAddress)
    /// It was not done; the page shows why, or what it would do, with what was typed.
    case refused(HTTPStatus, PageFrame)
    /// The same, for a script that shows the form within a page.
    case refusedPart(HTTPStatus, HTML)
  }

  init(_ store: PageStore, _ request: HTTPRequest) throws {
    self.store = store
    form = try SentForm(request)
  }

  /// The response to a form, which is done once even if it is sent twice.
  func response(to action: PageAction) throws -> HTTPResponse {
    // What a page of a script does is the script's own.
    guard store.permitsChanges || action == .input else { throw PageProblem.onlyReading }
    // Only a property of data takes a file that is no text.
    guard action == .set || form.fields.allSatisfy({ $0.data == nil }) else { throw PageProblem.noForm }
    switch store.tokens.verdict(form["token"]) {
    case .unknown: throw PageProblem.unknownForm
    case .done(let address): return arrival(at: address)
    case .new(let number):
      // What is undone together is what one form did.
      let context = try store.context()
      context.closeUndoGroup()
      defer { context.closeUndoGroup() }
      switch try outcome(of: action, context) {
      case .done(let address):
        store.tokens.noteDone(number, address)
        return arrival(at: address)
      case .refused(let status, let frame): return HTTPResponse(status, type: PageFormat.html.mediaType, frame.html)
      case .refusedPart(let status, let part):
        return HTTPResponse(status, type: PageFormat.html.mediaType, part.text)
      }
    }
  }

  private func arrival(at address: PageAddress) -> HTTPResponse {
    if form.isPart { return HTTPResponse(type: PageFormat.html.mediaType, "") }
    var response = HTTPResponse(.seeOther, type: PageFormat.html.mediaType, "")
    response.headers.append(.init("Location", address.text))
    return response
  }

  private func outcome(of action: PageAction, _ context: ObjectContext) throws -> Outcome {
    switch action {
    case .set: return try set()
    case .add: return try add(context)
    case .delete:
      let object = try store.object(form.object())
      try store.making { try object.delete() }
      return .done(.changes)
    case .member: return try changeMembers()
    case .paste: return try paste(context)
    case .setall: return try setAll(context)
    case .input:
      let page = try store.scriptPage(form["page"])
      try store.making { try page.act(form["name"] ?? "", form["value"]) }
      return .done(page.file.map(PageAddress.notebook) ?? .entities)
    case .discard: return try discard(context)
    case .resolve: return try resolve(context)
    case .save: return try save(context)
    case .undo, .redo:
      let isDone = try store.making { action == .undo ? try context.undo() : try context.redo() }
      guard isDone else { throw PageProblem.nothingTo(action) }
      return .done(.changes)
    case .undosave: return try reverse(.undo)
    case .redosave: return try reverse(.redo)
    }
  }

  // MARK: A property

  private func set() throws -> Outcome {
    let address = form.object()
    let object = try store.object(address)
    let index = try store.property(form["property"] ?? "", of: object.entity)
    let editor = try EditorView(object, at: index, in: store)
    if form.has("keep") { return .done(.object(address)) }
    // Long data has no line: without a file it stays.
    let typed = editor.line(form["value"] ?? (editor.isFile ? editor.field.text : ""))
    let file = editor.isFile ? form.file("file") : nil
    let base = editor.line(form["base"] ?? editor.mark)
    if base != editor.mark, typed != editor.field.text || file != nil || form.has("empty") {
      return refusal(.conflict, editor.showing(typed, base: base))
    }
    do {
      try store.making {
        if let file {
          try editor.field.set(file: file)
        } else if form.has("empty") || typed.isEmpty && !editor.takesEmptyText {
          try editor.field.empty()
        } else {
          try editor.field.set(typed)
        }
      }
    } catch let problem as PageProblem {
      return refusal(.unprocessable, editor.showing(typed, mistake: problem.sentence))
    }
    return .done(.object(address))
  }

  private func refusal(_ status: HTTPStatus, _ editor: EditorView) -> Outcome {
    form.isPart ? .refusedPart(status, editor.html) : .refused(status, editor.frame)
  }

  // MARK: Objects

  private func add(_ context: ObjectContext) throws -> Outcome {
    let entity = try store.entity(form["entity"] ?? "")
    var view = AddingView(entity, in: store)
    do {
      // A refused form leaves nothing to undo.
      return try context.undoingFailure {
        let object = try store.making { try context.insert(entity) }
        for index in view.properties {
          let text = AddingView.line(form["value." + entity.properties[index].name] ?? "")
          do {
            try store.making { try AddingView.set(text, object, at: index) }
          } catch let problem as PageProblem {
            view.mistakes[index] = problem.sentence
          }
          view.typed[index] = text
        }
        guard view.mistakes.isEmpty else { throw Refused() }
        return .done(.object(store.address(of: object)))
      }
    } catch is Refused {
      return .refused(.unprocessable, view.frame)
    }
  }

  /// The end of a form whose mistakes its page shows.
  private struct Refused: Error {}

  private func changeMembers() throws -> Outcome {
    let address = form.object()
    let object = try store.object(address)
    let name = form["property"] ?? ""
    let index = try store.property(name, of: object.entity)
    guard object.entity.properties[index].relationship?.isToMany == true else {
      throw PageProblem.noRelationship(name, entity: address.entity, nearest: nil)
    }
    var view = MembersView(object, at: index, in: store)
    do {
      try store.making {
        if form.has("member.entity") {
          try object.setMember(at: index, store.object(form.object("member.")), isMember: false)
        } else {
          view.typed = form["value"] ?? ""
          let found = try CellField.object(
            named: view.typed, object.entity.destination(at: index), in: object.context)
          try object.setMember(at: index, found, isMember: true)
        }
      }
    } catch let problem as PageProblem {
      view.mistake = problem.sentence
      return .refused(.unprocessable, view.frame)
    }
    return .done(.property(address, name))
  }
}
