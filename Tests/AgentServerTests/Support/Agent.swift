import Foundation
import LuaBindings
public import Modeling
import Stores
import TestSupport
import Testing

/// A client of a server: it sends lines and reads the answers.
struct Agent {
  let folder: TemporaryFolder
  /// The file or address of the store.
  let store: String
  var writes = false
  /// More options of the command.
  var options: [String] = []

  /// A client for a store of earthquakes with reports.
  init(writes: Bool = false) throws {
    folder = try TemporaryFolder()
    store = folder.file("quakes.sqlite")
    self.writes = writes
    try run("use(open(\"\(store)\", { create = true, model = model, history = true }))\n" + Self.filling)
  }

  /// A client for a store that is there.
  init(store: String, in folder: TemporaryFolder) { (self.store, self.folder) = (store, folder) }

  /// Runs Lua outside the server, as the app that owns the store does.
  func run(_ script: String) throws {
    let engine = try Engine(Engine.Options())
    defer { engine.close() }
    _ = try engine.evaluate(Self.model + script, name: "=app")
  }

  /// Sends lines and returns the answers.
  func answers(to lines: [String], endsWithNewline: Bool = true) throws -> [JSON] {
    let text = lines.joined(separator: "\n") + (endsWithNewline ? "\n" : "")
    let (input, output) = (folder.url.appending(path: "\(UUID()).in"), folder.url.appending(path: "\(UUID()).out"))
    try Data(text.utf8).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["timeout", "60", BuiltProduct.perilune.path, "mcp"] + options + (writes ? ["--write"] : []) + [store]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(BuiltProduct.measurement) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try String(decoding: Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map {
      try JSON.parse(String($0))
    }
  }

  /// Calls tools, one after the other, in the revision without a handshake.
  func call(_ calls: [(tool: String, arguments: JSON)]) throws -> [ToolResult] {
    let lines = calls.enumerated().map { number, call in
      Self.request(
        number, "tools/call", ["name": .string(call.tool), "arguments": call.arguments]
      ).text
    }
    let answers = try answers(to: lines)
    try #require(answers.count == calls.count)
    return answers.map(ToolResult.init)
  }

  /// Calls a tool.
  func call(_ tool: String, _ arguments: [String: JSON] = [:]) throws -> ToolResult {
    try #require(try call([(tool, .object(arguments))]).first)
  }

  /// A request in the revision without a handshake.
  static func request(_ id: Int, _ method: String, _ parameters: [String: JSON] = [:]) -> JSON {
    var parameters = parameters
    parameters["_meta"] = .object([
      "io.modelcontextprotocol/protocolVersion": .string("2026-07-28"),
      "io.modelcontextprotocol/clientCapabilities": .object([:]),
      "io.modelcontextprotocol/clientInfo": .object(["name": .string("tester"), "version": .string("1")]),
    ])
    return .object([
      "jsonrpc": .string("2.0"), "id": .int(Int64(id)), "method": .string(method), "params": .object(parameters),
    ])
  }

  static let model = """
    local model = Model {
      Quake = Entity {
        code = String { unique = true, preserveAfterDeletion = true },
        magnitude = Double { min = 0, max = 10, indexed = true },
        place = String, time = Date, depth = Double, photo = Data, token = String,
        tokenLength = Derived { type = Int, "length(token)" },
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
      },
      Report = Entity { text = String, intensity = Int, quake = ToOne "Quake" { inverse = "reports" } },
    }

    """

  static let filling = """
    for i = 1, 120 do
      local q = Quake { code = "us" .. i, magnitude = i % 8 + 0.5, place = i % 3 == 0 and "Chile" or "Japan",
        time = Date "2026-01-01" + i * 3600, depth = i % 2 == 0 and i or nil, token = "secret-" .. i }
      for n = 1, i % 4 do Report { text = "felt " .. n, intensity = n, quake = q } end
    end
    save()

    """
}

/// The result of a call.
struct ToolResult {
  let json: JSON

  init(_ answer: JSON) { json = answer["result"] ?? answer }

  var isError: Bool { json["isError"] != .bool(false) }
  /// What the client is to read.
  var text: String {
    guard case .array(let content)? = json["content"] else { return json.text }
    return content.map { if case .string(let text)? = $0["text"] { text } else { "" } }.joined(separator: "\n")
  }
  /// The answer as a value.
  var value: JSON { json["structuredContent"] ?? .null }
  subscript(name: String) -> JSON? { value[name] }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension JSON {
  subscript(name: String) -> JSON? { if case .object(let members) = self { members[name] } else { nil } }

  var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  var string: String? { if case .string(let text) = self { text } else { nil } }
}
