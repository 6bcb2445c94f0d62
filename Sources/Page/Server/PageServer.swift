package import HTTP
internal import LuaBindings
package import LuaRuntime
internal import Modeling
internal import Presentation
internal import Reactive
package import Session

/// Pages of a session's store for browsers of this machine, which follow what happens to it.
///
///     let server = try PageServer(session, at: .port(0))
///     print(server.url)                      // http://127.0.0.1:40123/?token=…
///     try session.engine.loop.run(seconds: nil)
///
/// It is a source of the engine's loop: a request is answered in a turn of its own, by the main context of the session.
package final class PageServer {
  private let session: Session
  let store: PageStore
  private let guardian: AccessGuard
  private var server: HTTPServer!
  private var streams: [ObjectIdentifier: EventStream] = [:]
  private var source: Reactive.ObservationToken?
  private var changeState = ChangeState()

  /// What the changes of the context were when browsers were last told of them.
  private struct ChangeState: Equatable {
    var (count, canUndo, canRedo) = (0, false, false)
  }

  /// Called when a browser has used the printed address, with the next one.
  package var onExchange: (_ next: String) -> Void = { _ in }

  /// - Parameter permitsChanges: Whether pages have forms that change objects, as far as the store can be written.
  /// - Parameter notebook: A folder whose scripts are pages.
  /// - Throws: ListeningSocket.Failure.
  package init(
    _ session: Session, at address: ListeningSocket.Address, permitsChanges: Bool, notebook: String? = nil
  ) throws(ListeningSocket.Failure) {
    self.session = session
    store = PageStore(session, permitsChanges: permitsChanges)
    let socket = try ListeningSocket(address)
    guardian = AccessGuard(socket.address)
    server = try HTTPServer(socket) { [unowned self] in respond(to: $0).guarded }
    store.lists.onChange = { [unowned self] list in tell(String(list.number), list.count) }
    store.counts.onChange = { [unowned self] in tell(page: EntityCounts.name) }
    store.notebook = notebook.map { Notebook($0, in: store) }
    for notebook in [store.notebook, store.kept] { notebook?.onChange = { [unowned self] in tell(page: $0) } }
    source = session.engine.loop.add(
      LoopSource(
        descriptor: { [unowned self] in
          // Lines at the prompt change objects, too.
          tellChanges()
          // Observers have written to streams since the last turn.
          server.flush()
          return server.descriptor
        }, interval: { [unowned self] in server.interval }
      ) { [unowned self] in server.turn() })
  }

  /// Shows a page that a function of a script makes, in place of the entities.
  package func show(application function: LuaReference) {
    store.application?.close()
    let application = ScriptPage(.function(function), in: store)
    application.onChange = { [unowned self, unowned application] in tell(page: application.list) }
    store.application = application
    application.onChange()
  }

  /// The address to open, with the token that serves once.
  package var url: String {
    switch server.address {
    case .port(let port): "http://127.0.0.1:\(port)/?token=\(guardian.token)"
    case .path: "http://localhost/?token=\(guardian.token)"
    }
  }

  /// The file or port that is listened on.
  package var address: ListeningSocket.Address { server.address }

  /// Ends all connections; open pages say so.
  package func close() {
    source?.cancel()
    for stream in streams.values {
      stream.send("end", "{}")
      stream.close()
    }
    streams = [:]
    store.lists.close()
    store.counts.stop()
    store.application?.close()
    store.notebook?.close()
    store.kept?.close()
  }

  // MARK: Events

  /// Tells all browsers that the rows of a list have changed; they ask for the windows that they show.
  private func tell(_ list: String, _ count: Int) {
    for stream in streams.values { stream.send("rows", "{\"list\":\(list),\"count\":\(count)}") }
  }

  /// Tells all browsers to read a page again that is not about a list.
  private func tell(page name: String) { tell(JSON.string(name).outputText, 0) }

  /// Tells all browsers how many changes are unsaved, if that has changed, or which can be undone.
  private func tellChanges() {
    guard store.permitsChanges, !streams.isEmpty, let context = try? store.context() else { return }
    let now = ChangeState(count: context.changeCount, canUndo: context.canUndo, canRedo: context.canRedo)
    guard now != changeState else { return }
    changeState = now
    for stream in streams.values { stream.send("changes", "{\"count\":\(now.count)}") }
  }

  private func end(_ stream: EventStream) {
    streams[ObjectIdentifier(stream)] = nil
    if streams.isEmpty { store.counts.stop() }
  }

  private func events() -> HTTPResponse {
    let stream = EventStream()
    streams[ObjectIdentifier(stream)] = stream
    stream.onClose = { [weak self, unowned stream] in self?.end(stream) }
    return HTTPResponse(type: "text/event-stream", .events(stream))
  }

  // MARK: Requests

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let route = PageRoute(request)
    do {
      switch guardian.judge(request) {
      case .exchanged(let cookie):
        onExchange(url)
        return entrance(cookie)
      case .refused(_, let refusal):
        // The page that says so has the style of the others, which tells nothing of the store.
        if refusal == .noAccess, case .asset(PageAsset.style.rawValue)? = route { break }
        throw PageProblem.access(refusal)
      case .allowed: break
      }
      if case .action(let action)? = route { return try ChangeMaker(store, request).response(to: action) }
      guard request.method != .post else { throw PageProblem.method }
      switch route {
      case .asset(let name): return try asset(name)
      case .events: return events()
      case .content(let content, let format): return try PageContent(store, content, format, request).response()
      case .action, nil: throw PageProblem.noPage
      }
    } catch {
      let problem = error as? PageProblem ?? .failure(session.engine.report(error).message)
      return refusal(problem, as: route)
    }
  }

  /// The page that a browser gets for the token: it goes on to the entities by itself, without the token in its history. A redirection
  /// would not do, because browsers keep strict cookies back on one that another program's link began.
  private func entrance(_ cookie: String) -> HTTPResponse {
    let page = HTML.tag(
      "html", ["lang": "en"],
      [
        .tag(
          "head", [:], [.tag("meta", ["http-equiv": "refresh", "content": "0;url=/"]), .tag("title", [:], "Perilune")]),
        .tag("body", [:], [.tag("a", ["href": "/"], "Open")]),
      ])
    var response = HTTPResponse(type: PageFormat.html.mediaType, "<!doctype html>\n" + page.text)
    response.headers.append(.init("Set-Cookie", cookie))
    return response
  }

  private func asset(_ name: String) throws -> HTTPResponse {
    guard let asset = PageAsset(rawValue: name) else { throw PageProblem.noPage }
    return HTTPResponse(type: asset.mediaType, asset.text)
  }

  private func refusal(_ problem: PageProblem, as route: PageRoute?) -> HTTPResponse {
    if case .content(_, let format)? = route, format != .html {
      let errors = JSON.object([
        "ok": .bool(false), "status": .int(Int64(problem.status.rawValue)),
        "errors": .array([.object(["message": .string(problem.sentence)])]),
      ])
      return HTTPResponse(problem.status, type: PageFormat.json.mediaType, errors.outputText + "\n")
    }
    // Who has no access learns nothing of the store.
    var name = session.parts.title.name
    if case .access = problem { name = "Perilune" }
    let frame = PageFrame(
      title: problem.status.reason, storeName: name,
      content: [.tag("h1", [:], problem.status.reason), .tag("p", ["class": "problem"], problem.sentence)])
    return HTTPResponse(problem.status, type: PageFormat.html.mediaType, frame.html)
  }
}
