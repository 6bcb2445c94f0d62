import Foundation
import LuaBindings
import Presentation
import Session
import Stores
import TestSupport

@testable import HTTP
@testable import Page

/// A store of earthquakes with its page, asked without a browser.
final class ServedStore {
  private final class Client: SessionClient {
    let layout = Layout()
    let output = OutputSink.inMemory()
    let answersQuestions = false
    var messages: [String] = []

    func flush() {}
    func confirms(_ question: String) -> Bool { false }
    func receive(_ event: SessionEvent) {
      if case .diagnostic(let diagnostic) = event { messages.append(diagnostic.message) }
    }
  }

  private let folder: TemporaryFolder
  private let client = Client()
  let session: Session
  let server: PageServer
  let path: String
  private var cookie = ""

  struct Failure: Error { var messages: [String] }

  private static let model = """
    local model = Model {
      Quake = Entity {
        code = String { optional = false, unique = true }, magnitude = Double, place = String,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
        _ = { order = { "code", "magnitude", "place", "reports" } },
      },
      Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
    }
    local store <close> = open(..., { create = true, model = model })
    local Quake, Report = store.entities.Quake, store.entities.Report
    for i, place in ipairs { "Namie, Japan", "<script>alert(1)</script>", "\\"Kaikōura\\"", "Lata" } do
      Quake { code = "us" .. i, magnitude = i + 0.5, place = place }
    end
    Quake { code = "us5", place = "Suva" }
    Report { text = "felt it", quake = Quake:find "us4" }
    store.context:save()
    """

  /// A store with a model of ours: a file, or a database of a server.
  convenience init(
    permitsChanges: Bool = false, at address: String? = nil, notebook: String? = nil,
    options change: (inout SessionOptions) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let path = address ?? folder.file("quakes.sqlite")
    let model = Self.model.replacing("...", with: "\"\(path)\"")
    try self.init(
      StoreOptions(path: path), in: folder, after: "do \(model) end", permitsChanges: permitsChanges,
      notebook: notebook,
      options: change)
  }

  /// Opens a store after a script has made it.
  init(
    _ options: StoreOptions, in folder: TemporaryFolder, after script: String = "", permitsChanges: Bool,
    notebook: String? = nil, options change: (inout SessionOptions) -> Void = { _ in }
  ) throws {
    (self.folder, path) = (folder, options.path)
    var sessionOptions = SessionOptions()
    change(&sessionOptions)
    let session = try Session(sessionOptions, client)
    self.session = session
    server = try PageServer(session, at: .port(0), permitsChanges: permitsChanges, notebook: notebook)
    guard session.parts.evaluator.evaluate(script, chunk: "=model") == 0,
      session.guarding({ try session.engine.open(options) }) == 0
    else { throw Failure(messages: client.messages) }
    let token = server.url.split(separator: "=").last.map(String.init) ?? ""
    let entrance = server.respond(to: request("/", [.init("token", token)]))
    cookie = entrance.headers.first { $0.name == "Set-Cookie" }.map { String($0.value.prefix { $0 != ";" }) } ?? ""
  }

  deinit {
    server.close()
    session.close()
  }

  private var host: String { if case .port(let port) = server.address { "127.0.0.1:\(port)" } else { "" } }

  /// Runs Lua in the session of the page.
  func run(_ lua: String) throws {
    guard session.parts.evaluator.evaluate(lua, chunk: "=test") == 0 else { throw Failure(messages: client.messages) }
  }

  func request(_ path: String, _ query: [HTTPRequest.Field] = []) -> HTTPRequest {
    let headers: [HTTPRequest.Field] = [.init("host", host), .init("cookie", cookie)]
    let parts = path.split(separator: "/").map(String.init)
    return HTTPRequest(method: .get, path: parts, query: query, headers: headers)
  }

  /// The status and the text of a page, whose query is given as names and values.
  func get(_ path: String, _ query: KeyValuePairs<String, String> = [:]) throws -> (status: Int, text: String) {
    try read(server.respond(to: request(path, query.map { .init($0, $1) })))
  }

  private func read(_ response: HTTPResponse) throws -> (status: Int, text: String) {
    var bytes: [UInt8] = []
    switch response.body {
    case .bytes(let whole): bytes = whole
    case .pieces(let next): while let piece = try next() { bytes += piece }
    case .events: break
    }
    return (response.status.rawValue, String(decoding: bytes, as: UTF8.self))
  }

  /// Sends a form to an address, with `header` in place of the one of its name.
  func post(_ path: String, _ fields: [HTTPRequest.Field], _ header: HTTPRequest.Field? = nil) -> HTTPResponse {
    post(path, body: Array(URLText.query(fields).utf8), header)
  }

  func post(_ path: String, body: [UInt8], _ header: HTTPRequest.Field?) -> HTTPResponse {
    var request = request(path)
    request.method = .post
    request.headers += [
      .init("origin", "http://" + host), .init("content-type", "application/x-www-form-urlencoded"),
    ]
    if let header {
      request.headers.removeAll { $0.name == header.name }
      request.headers.append(header)
    }
    request.body = body
    return server.respond(to: request)
  }

  /// The form of a page that goes to `action`; without it, the first of the page itself.
  func form(_ path: String, _ query: KeyValuePairs<String, String>, _ action: String? = nil) throws -> ShownForm {
    let page = try get(path, query).text
    return try form(in: page.replacing(/<header>.*<\/header>/, with: ""), action)
  }

  /// A form of a page: the one at a place among those that go to `action`, or the first that has a field.
  func form(in page: String, _ action: String? = nil, at place: Int = 0, with field: String? = nil) throws -> ShownForm
  {
    let found = forms(in: page).filter { form in
      (action == nil || form.action == action!) && (field == nil || form.text.contains("name=\"\(field!)\""))
    }
    guard found.indices.contains(place) else { throw Failure(messages: ["no form \(action ?? "") in \(page)"]) }
    return found[place]
  }

  /// The forms of a page.
  func forms(in page: String) -> [ShownForm] {
    page.matches(of: /<form method="post" action="([^"]*)".*?<\/form>/.dotMatchesNewlines()).map {
      ShownForm(served: self, action: String($0.1), text: String($0.0))
    }
  }

  /// Opens a link as it stands in a page.
  func open(_ link: String) throws -> (status: Int, text: String) {
    let parts = link.split(separator: "?", maxSplits: 1)
    let query = parts.count == 2 ? URLText.fields(Array(parts[1].utf8)[...]) ?? [] : []
    return try read(server.respond(to: request(String(parts[0]), query)))
  }

  /// Runs Lua in another process, which saves.
  func commit(_ lua: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.perilune.path)
    process.arguments = ["-q", "--write", path, "-e", lua + " save()"]
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(messages: [lua]) }
  }

  /// Waits as the loop does once, for what has come.
  func waitOnce() { session.engine.loop.runTurn(ready: session.engine.loop.descriptors) }

  /// Runs turns of the loop until something is true.
  func wait(until isTrue: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(120)
    while try !isTrue() {
      guard ContinuousClock.now < end else { throw Failure(messages: ["it did not become true"]) }
      waitOnce()
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// The stream of events of a browser, whose events are appended to `events`.
  func stream(_ append: @escaping (String) -> Void) throws -> EventStream {
    guard case .events(let stream) = server.respond(to: request("/-/events")).body else { throw Failure(messages: []) }
    stream.write = { append(String(decoding: $0, as: UTF8.self)) }
    return stream
  }
}

/// A form as a page shows it.
struct ShownForm {
  let served: ServedStore
  let action: String
  let text: String

  /// The value of a hidden field.
  func field(_ name: String) -> String? { hidden.first { $0.name == name }?.value }

  private var hidden: [HTTPRequest.Field] {
    text.matches(of: /<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?>/).map { match in
      .init(String(match.1), Self.plain(String(match.2 ?? "")))
    }
  }

  /// The text that is meant by markup.
  private static func plain(_ markup: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(markup) { $0.replacing($1.0, with: $1.1) }
  }

  /// Sends it with some fields filled in.
  func send(_ values: KeyValuePairs<String, String>) -> HTTPResponse { send(values.map { ($0, $1) }) }

  /// Sends it with the texts and choices that it shows, unless others are given.
  func sendShown(_ values: [(String, String)]) -> HTTPResponse {
    var shown = values
    for match in text.matches(of: /<textarea name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/) {
      shown.append((String(match.1), Self.plain(String(match.2))))
    }
    for match in text.matches(of: /<select name="([^"]*)"[^>]*>(.*?)<\/select>/) {
      let chosen = match.2.firstMatch(of: /<option value(?:="([^"]*)")? selected>/).flatMap(\.1) ?? ""
      if !values.contains(where: { $0.0 == match.1 }) { shown.append((String(match.1), Self.plain(String(chosen)))) }
    }
    return send(shown)
  }

  /// Sends it with a file, as browsers send forms with files.
  func sendFile(_ content: String) -> HTTPResponse { sendFile(Array(content.utf8)) }

  func sendFile(_ content: [UInt8]) -> HTTPResponse {
    let parts = (hidden + [.init("text", "")]).map {
      "Content-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)"
    }
    let file =
      "Content-Disposition: form-data; name=\"file\"; filename=\"rows.csv\"\r\nContent-Type: text/csv\r\n\r\n"
    let head = parts.map { "--mark\r\n\($0)\r\n" }.joined() + "--mark\r\n" + file
    let body = Array(head.utf8) + content + Array("\r\n--mark--\r\n".utf8)
    return served.post(action, body: body, .init("content-type", "multipart/form-data; boundary=mark"))
  }

  func send(_ values: [(String, String)]) -> HTTPResponse {
    let typed = values.map { HTTPRequest.Field($0, $1) }
    return served.post(action, hidden.filter { field in !typed.contains { $0.name == field.name } } + typed)
  }
}

extension HTTPResponse {
  /// The body of a page.
  var text: String { if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" } }
}
