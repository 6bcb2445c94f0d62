import Foundation
import LuaBindings
import Presentation
import Session
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

  init() throws {
    folder = try TemporaryFolder()
    let session = try Session(SessionOptions(), client)
    self.session = session
    let path = folder.file("quakes.sqlite")
    let model = Self.model.replacing("...", with: "\"\(path)\"")
    guard session.parts.evaluator.evaluate("do \(model) end", chunk: "=model") == 0 else {
      throw Failure(messages: client.messages)
    }
    guard session.guarding({ try session.engine.open(.init(path: path)) }) == 0 else {
      throw Failure(messages: client.messages)
    }
    server = try PageServer(session, at: .port(0))
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
    let response = server.respond(to: request(path, query.map { .init($0, $1) }))
    var bytes: [UInt8] = []
    switch response.body {
    case .bytes(let whole): bytes = whole
    case .pieces(let next): while let piece = try next() { bytes += piece }
    case .events: break
    }
    return (response.status.rawValue, String(decoding: bytes, as: UTF8.self))
  }

  /// The stream of events of a browser, whose events are appended to `events`.
  func stream(_ append: @escaping (String) -> Void) throws -> EventStream {
    guard case .events(let stream) = server.respond(to: request("/-/events")).body else { throw Failure(messages: []) }
    stream.write = { append(String(decoding: $0, as: UTF8.self)) }
    return stream
  }
}
