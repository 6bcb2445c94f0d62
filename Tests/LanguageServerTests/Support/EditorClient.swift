import Foundation
import LuaBindings
import Modeling
import TestSupport
import Testing

/// An editor: it starts the server in a folder, and speaks with it over pipes.
final class EditorClient {
  let folder: TemporaryFolder
  private let process = Process()
  private let input: OwnPipe
  private let output: OwnPipe
  private var rest = Data()
  private var lastID = 0
  /// What the server sent besides answers, in order, and no one has read yet.
  private(set) var notifications: [JSON] = []

  /// Starts the server; with `capabilities` it is initialized, too.
  init(_ options: [String] = [], in folder: TemporaryFolder, capabilities: String? = "{}") throws {
    self.folder = folder
    (input, output) = (try OwnPipe(), try OwnPipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "300", BuiltProduct.perilune.path, "lsp"] + options
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(BuiltProduct.measurement) { $1 }
    process.currentDirectoryURL = folder.url
    (process.standardInput, process.standardOutput) = (input.reading, output.writing)
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.reading.close()
    try output.writing.close()
    guard let capabilities else { return }
    let begun = try request("initialize", #"{"capabilities":\#(capabilities),"rootUri":"\#(uri(""))"}"#)
    #expect(begun["serverInfo"]?["name"] == .string("perilune"))
    try notify("initialized", "{}")
  }

  /// The URI of a file of the folder.
  func uri(_ name: String) -> String { "file://" + folder.file(name) }

  // MARK: Messages

  func send(bytes: String) throws { try input.writing.write(contentsOf: Data(bytes.utf8)) }

  func send(_ message: String) throws { try send(bytes: "Content-Length: \(message.utf8.count)\r\n\r\n\(message)") }

  func notify(_ method: String, _ parameters: String) throws {
    try send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#)
  }

  /// The answer to a request: its result, or its error.
  func request(_ method: String, _ parameters: String) throws -> JSON {
    lastID += 1
    try send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
    while let message = try next() {
      if message["id"] == .int(Int64(lastID)), message["method"] == nil {
        return try #require(message["result"] ?? message["error"])
      }
      notifications.append(message)
    }
    Issue.record("\(method) was not answered")
    return .null
  }

  /// The next message of the server; nil at the end.
  func next() throws -> JSON? {
    while true {
      if let end = rest.firstRange(of: Data("\r\n\r\n".utf8)) {
        let header = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
        let length = try #require(Int(header.dropFirst("Content-Length: ".count)))
        if rest.endIndex - end.upperBound >= length {
          let message = rest[end.upperBound..<end.upperBound + length]
          defer { rest = Data(rest[(end.upperBound + length)...]) }
          return try JSON.parse(Array(message))
        }
      }
      let more = output.reading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  /// The next notification of a method.
  func notification(_ method: String) throws -> JSON {
    if let place = notifications.firstIndex(where: { $0["method"] == .string(method) }) {
      return notifications.remove(at: place)["params"] ?? .null
    }
    while let message = try next() {
      if message["method"] == .string(method) { return message["params"] ?? .null }
      notifications.append(message)
    }
    throw Ended()
  }

  struct Ended: Error {}

  /// Closes the input, and returns the status with which the server ends.
  func end() throws -> Int32 {
    try input.writing.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  // MARK: Documents

  /// Opens a document, and returns its findings.
  func open(_ name: String, _ text: String) throws -> [JSON] {
    let language = name.hasSuffix(".swift") ? "swift" : "lua"
    try notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":"\#(uri(name))","languageId":"\#(language)","version":1,"text":\#(JSON.string(text).text)}}"#
    )
    return try findings()
  }

  /// Changes a document, and returns its findings.
  func change(_ name: String, version: Int, _ changes: String) throws -> [JSON] {
    try notify(
      "textDocument/didChange",
      #"{"textDocument":{"uri":"\#(uri(name))","version":\#(version)},"contentChanges":\#(changes)}"#)
    return try findings()
  }

  private func findings() throws -> [JSON] {
    try notification("textDocument/publishDiagnostics")["diagnostics"]?.items ?? []
  }

  /// The answer to a request about a place of a document.
  func request(_ method: String, _ name: String, line: Int = 0, _ character: Int, more: String = "") throws -> JSON {
    try request(
      method,
      #"{"textDocument":{"uri":"\#(uri(name))"},"position":{"line":\#(line),"character":\#(character)}\#(more)}"#)
  }

  // MARK: Stores

  /// A store of 40 earthquakes.
  static func store(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("quakes.sqlite")
    try makeStore(path, count: 40)
    return path
  }

  /// Makes a store of earthquakes in a file, or in a database on a server.
  static func makeStore(_ path: String, count: Int) throws {
    let engine = try Engine(Engine.Options())
    defer { engine.close() }
    _ = try engine.evaluate(
      model + "use(open(\"\(path)\", { create = true, model = model }))\nlocal count = \(count)\n" + filling,
      name: "=app")
  }

  static let model = """
    model = Model {
      Quake = Entity {
        code = String { unique = true }, magnitude = Double { min = 0, max = 10 }, place = String, depth = Double,
        reports = ToMany "Report" { inverse = "quake" },
      },
      Report = Entity { intensity = Int, quake = ToOne "Quake" { inverse = "reports" } },
    }

    """

  private static let filling = """
    for i = 1, count do
      local q = Quake { code = "us" .. i, magnitude = i % 8, place = i % 3 == 0 and "Chile" or "Japan",
        depth = i % 2 == 0 and i or nil }
      Report { intensity = i % 4, quake = q }
    end
    save()

    """
}

extension JSON {
  subscript(name: String) -> JSON? { if case .object(let members) = self { members[name] } else { nil } }

  var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The line and the characters of a range within a line.
  var marked: String {
    func number(_ end: String, _ name: String) -> String { self["range"]?[end]?[name]?.text ?? "?" }
    return "\(number("start", "line")):\(number("start", "character"))-\(number("end", "character"))"
  }
}
