internal import JSONRPC
internal import Modeling
package import Presentation
internal import Session

/// A server of the Language Server Protocol: what `perilune check` finds, while one types, and what only a model and a store know.
///
///     let server = LanguageServer(ServedModel(store: "quakes.sqlite", model: nil, version: nil), output: output)
///     exit(server.serve(descriptor: 0))
///
/// It answers one message after the other. A store is only read, and no script runs but that of a model, in the sandbox. Of plain
/// Lua and plain Swift it says nothing, so that it runs beside the servers of these languages.
package final class LanguageServer {
  private enum State {
    case new, running, shutDown
  }

  private let output: OutputSink
  private var state = State.new
  private var encoding = PositionEncoding.utf16
  private var watchesFiles = false
  let workspace: Workspace
  /// The open documents, by their URIs.
  private(set) var documents: [String: TextDocument] = [:]
  /// The URIs of those whose findings are to be published.
  private var changed: Set<String> = []

  package init(_ served: ServedModel, output: OutputSink) {
    self.output = output
    workspace = Workspace(served)
    workspace.report = { [unowned self] in show(.error, $0) }
  }

  // MARK: The loop

  /// Answers the messages of a descriptor until the client says `exit`, or the input ends.
  ///
  /// Returns the exit status of the protocol: 0 if `shutdown` came before.
  package func serve(descriptor: Int32) -> Int32 {
    let reader = MessageReader(descriptor: descriptor, HeaderFraming())
    defer { workspace.close() }
    while output.failure == nil, let arrival = reader.next() {
      do throws(MessageError) {
        switch try RPCMessage(arrival) {
        case .request(let id, let method, let parameters):
          send(answer(id, Parameters(method, parameters), reader))
        case .notification("exit", _): return state == .shutDown ? ExitStatus.done : ExitStatus.failed
        case .notification(let method, let parameters): take(Parameters(method, parameters))
        case .response: break
        }
      } catch { send(error.json) }
      // Between two keys there is nothing to say of the first.
      if !reader.hasArrived { publish() }
    }
    return state == .shutDown ? ExitStatus.done : ExitStatus.failed
  }

  private func send(_ message: JSON) {
    output.write(HeaderFraming.framed(message.text))
    output.flush()
  }

  private func notify(_ method: String, _ parameters: [String: JSON]) {
    send(.object(["jsonrpc": .string("2.0"), "method": .string(method), "params": .object(parameters)]))
  }

  /// How a message is marked.
  enum MessageType: Int64 {
    case error = 1
    case information = 3
  }

  /// Shows a message to the person.
  func show(_ type: MessageType, _ text: String) {
    notify("window/showMessage", ["type": .int(type.rawValue), "message": .string(text)])
  }

  // MARK: Requests

  private func answer(_ id: JSON, _ parameters: Parameters, _ reader: MessageReader) -> JSON {
    var isCancelled = false
    reader.removeArrived { arrival in
      guard case .message(let bytes) = arrival, bytes.count < 2_000,
        case .notification("$/cancelRequest", let members)? = try? RPCMessage(bytes), members["id"] == id
      else { return false }
      isCancelled = true
      return true
    }
    do throws(MessageError) {
      if isCancelled { throw MessageError(.cancelled, "the client cancelled the request") }
      return .object(["jsonrpc": .string("2.0"), "id": id, "result": try result(parameters)])
    } catch {
      var error = error
      error.id = id
      return error.json
    }
  }

  private func result(_ parameters: Parameters) throws(MessageError) -> JSON {
    switch (state, parameters.method) {
    case (.new, "initialize"): return initialize(parameters)
    case (.new, _): throw MessageError(.notInitialized, "begin with initialize")
    case (.shutDown, _): throw MessageError(.invalidRequest, "the server was shut down; what is left is exit")
    case (.running, "initialize"): throw MessageError(.invalidRequest, "initialize comes once")
    case (.running, "shutdown"):
      publish()
      state = .shutDown
      return .null
    case (.running, _): return try answer(parameters)
    }
  }

  private func initialize(_ parameters: Parameters) -> JSON {
    state = .running
    encoding = PositionEncoding(offered: parameters.value("capabilities", "general", "positionEncodings"))
    watchesFiles =
      parameters.value("capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration") == .bool(true)
    workspace.folder = Self.folder(parameters)
    var kept: [String: JSON] = [
      "positionEncoding": .string(encoding.rawValue),
      "textDocumentSync": .object(["openClose": .bool(true), "change": .int(2), "save": .bool(true)]),
    ]
    if workspace.showsCounts { kept["inlayHintProvider"] = .bool(true) }
    return .object([
      "capabilities": .object(kept.merging(Self.providers) { own, _ in own }),
      "serverInfo": .object(["name": .string("perilune"), "version": .string(PeriluneVersion.text)]),
    ])
  }

  /// The first folder of the workspace.
  private static func folder(_ parameters: Parameters) -> String? {
    if case .array(let folders)? = parameters.value("workspaceFolders"), case .object(let first)? = folders.first,
      case .string(let uri)? = first["uri"], let path = DocumentAddress.path(of: uri)
    {
      return path
    }
    if case .string(let uri)? = parameters.value("rootUri") { return DocumentAddress.path(of: uri) }
    return nil
  }

  // MARK: Notifications

  private func take(_ parameters: Parameters) {
    guard state == .running else { return }
    do throws(MessageError) {
      switch parameters.method {
      case "initialized": if watchesFiles { send(Self.registration) }
      case "textDocument/didOpen": try open(parameters)
      case "textDocument/didChange": try change(parameters)
      case "textDocument/didClose": try close(parameters)
      case "textDocument/didSave", "workspace/didChangeWatchedFiles":
        workspace.forgetFiles()
        changed.formUnion(documents.keys)
      default: break
      }
    } catch {
      // A notification has no answer; what was wrong with it is in the log.
      notify("window/logMessage", ["type": .int(MessageType.error.rawValue), "message": .string(error.message)])
    }
  }

  /// Asks the client to say when files change.
  private static var registration: JSON {
    let patterns = ["**/*.lua", "**/*.swift", "**/*.xcdatamodel/contents"]
    let options: JSON = .object([
      "watchers": .array(patterns.map { .object(["globPattern": .string($0)]) })
    ])
    let registration: JSON = .object([
      "id": .string("files"), "method": .string("workspace/didChangeWatchedFiles"), "registerOptions": options,
    ])
    return .object([
      "jsonrpc": .string("2.0"), "id": .string("files"), "method": .string("client/registerCapability"),
      "params": .object(["registrations": .array([registration])]),
    ])
  }

  private func open(_ parameters: Parameters) throws(MessageError) {
    let uri = try parameters.uri()
    let document = TextDocument(
      uri: uri, language: try parameters.text("textDocument", "languageId"),
      version: parameters.value("textDocument", "version"), text: try parameters.text("textDocument", "text"), encoding)
    documents[uri] = document
    note(document)
  }

  private func change(_ parameters: Parameters) throws(MessageError) {
    let uri = try parameters.uri()
    guard var document = documents[uri] else {
      throw MessageError(.invalidParameters, "textDocument/didChange: '\(BoundedText(uri, 200).text)' is not open")
    }
    for change in try parameters.list("contentChanges") {
      guard case .object(let members) = change, case .string(let text)? = members["text"] else {
        throw MessageError(.invalidParameters, "textDocument/didChange: expected each change to have a 'text'")
      }
      var range: (Position, Position)?
      if let json = members["range"] {
        guard case .object(let ends) = json, let start = ends["start"].flatMap(Position.init),
          let end = ends["end"].flatMap(Position.init)
        else {
          throw MessageError(.invalidParameters, "textDocument/didChange: expected 'range' to have two positions")
        }
        range = (start, end)
      }
      document.replace(range, with: text)
    }
    document.take(version: parameters.value("textDocument", "version"))
    documents[uri] = document
    note(document)
  }

  private func note(_ document: TextDocument) {
    workspace.take(document)
    changed.insert(document.uri)
  }

  private func close(_ parameters: Parameters) throws(MessageError) {
    let uri = try parameters.uri()
    guard documents.removeValue(forKey: uri) != nil else { return }
    changed.remove(uri)
    workspace.forgetFiles()
    notify("textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": .array([])])
  }

  /// Publishes the findings of the documents that have changed.
  private func publish() {
    for uri in changed.sorted() {
      guard let document = documents[uri] else { continue }
      let findings = workspace.findings(in: document, among: Array(documents.values))
      var parameters: [String: JSON] = [
        "uri": .string(uri), "diagnostics": .array(findings.map { $0.json(in: document) }),
      ]
      parameters["version"] = document.version
      notify("textDocument/publishDiagnostics", parameters)
    }
    changed = []
  }
}
