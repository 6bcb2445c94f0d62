internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// The pages with forms that change objects.
struct FormPages {
  private let store: PageStore
  private let request: HTTPRequest

  init(_ store: PageStore, _ request: HTTPRequest) { (self.store, self.request) = (store, request) }

  func response(_ form: PageRoute.Form) throws -> HTTPResponse {
    guard store.permitsChanges else { throw PageProblem.onlyReading }
    let isPart = request.value("part") != nil
    switch form {
    case .changes:
      if isPart { return html((store.changeBar ?? .nothing).text) }
      return html(try ChangesView(store).frame().html)
    case .edit: return try edit(isPart: isPart)
    case .add: return html(AddingView(try store.entity(request.value("entity") ?? ""), in: store).frame.html)
    case .delete: return html(try DeletionView(try object(), in: store).frame().html)
    case .paste:
      let columns = request.query.filter { $0.name == "column" }.map(\.value)
      return html(PasteView(try store.entity(request.value("entity") ?? ""), in: store, columns: columns).frame.html)
    case .setall:
      let asked = try store.asked(RowsAddress(request.value("entity") ?? "", request.query))
      guard asked.mistakes.isEmpty else { throw PageProblem.failure(asked.mistakes[0].sentence) }
      return html(try SetAllView(asked, in: store).frame.html)
    case .names: return try names()
    }
  }

  private func html(_ text: String) -> HTTPResponse { HTTPResponse(type: PageFormat.html.mediaType, text) }

  private func object() throws -> ManagedObject {
    let keys = request.query.filter { $0.name == "key" }.map(\.value)
    return try store.object(ObjectAddress(entity: request.value("entity") ?? "", key: keys))
  }

  private func edit(isPart: Bool) throws -> HTTPResponse {
    let object = try object()
    let index = try store.property(request.value("property") ?? "", of: object.entity)
    if object.entity.properties[index].relationship?.isToMany == true {
      return html(MembersView(object, at: index, in: store).frame.html)
    }
    var editor = try EditorView(object, at: index, in: store)
    // A script asks again while it is typed into, when the object has changed.
    if let typed = request.value("typed"), let base = request.value("base") {
      editor = editor.showing(typed, base: base == editor.mark ? nil : base)
    }
    return html(isPart ? editor.html.text : editor.frame.html)
  }

  /// The names of objects that begin with a text, then those that contain it.
  private func names() throws -> HTTPResponse {
    let names = try ObjectNames(store).names(
      of: try store.entity(request.value("entity") ?? ""), like: request.value("name") ?? "")
    let json = JSON.object(["ok": .bool(true), "names": .array(names.map(JSON.string))])
    return HTTPResponse(type: PageFormat.json.mediaType, json.outputText + "\n")
  }
}
