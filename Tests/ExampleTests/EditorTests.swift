import Foundation
import TestSupport
import Testing

/// `perilune lsp` finds what `perilune check` finds, in every example.
@Suite struct EditorTests {
  private struct Finding: Hashable, Decodable {
    var file: String
    var line: Int
    var column: Int?
    var endColumn: Int?
    var kind: String
    var severity: String
    var message: String
  }

  private static let stores: [SampleStore?] = [nil] + SampleStore.allCases

  @Test(arguments: stores)
  func findingsOfExamplesAreThoseOfCheck(store: SampleStore?) throws {
    let folder = try TemporaryFolder()
    let work = folder.url.appending(path: "work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    try store?.copy(to: folder)
    for (index, script) in Documentation.all.scripts.enumerated() where script.store == store {
      try script.source.write(to: work.appending(path: "\(index).lua"), atomically: true, encoding: .utf8)
    }
    // Each example, and each with its names misspelt.
    let wrong = "print(Quake:where(\"magnitud > 5\"), Recipe:where \"titel == 'x'\")\nprintt()\n"
    try wrong.write(to: work.appending(path: "wrong.lua"), atomically: true, encoding: .utf8)
    let swift = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = NSPredicate(format: \"é > a b\")\n"
    try swift.write(to: work.appending(path: "wrong.swift"), atomically: true, encoding: .utf8)
    let options = store.map { ["--store", $0.file] } ?? []
    let checked = try Perilune.run(["check", "--format", "json", "work"] + options, in: folder)
    let expected = try checked.text.split(separator: "\n").map {
      try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
    }
    #expect(expected.count > 1)
    #expect(try Set(findings(in: work, options, folder)) == Set(expected))
  }

  /// What the server publishes for each file of a folder, in bytes from 1 as `check` counts.
  private func findings(in work: URL, _ options: [String], _ folder: TemporaryFolder) throws -> [Finding] {
    let files = try FileManager.default.contentsOfDirectory(atPath: work.path).sorted()
    var messages: [[String: Any]] = [
      [
        "id": 1, "method": "initialize",
        "params": [
          "capabilities": ["general": ["positionEncodings": ["utf-8"]]], "rootUri": work.absoluteString,
        ],
      ]
    ]
    for file in files {
      let url = work.appending(path: file)
      let document: [String: Any] = [
        "uri": url.absoluteString, "languageId": url.pathExtension, "version": 1,
        "text": try String(contentsOf: url, encoding: .utf8),
      ]
      messages.append(["method": "textDocument/didOpen", "params": ["textDocument": document]])
    }
    messages += [["id": 2, "method": "shutdown"], ["method": "exit"]]
    let input = folder.url.appending(path: "messages")
    var bytes = Data()
    for message in messages {
      let body = try JSONSerialization.data(withJSONObject: message.merging(["jsonrpc": "2.0"]) { $1 })
      bytes += Data("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
    try bytes.write(to: input)
    let output = try Perilune.runCommand([Perilune.executable.path, "lsp"] + options, input: input, in: folder)
    #expect(output.status == 0, "\(output.errors)")
    return try output.text.components(separatedBy: "Content-Length: ").flatMap { piece -> [Finding] in
      guard let start = piece.firstIndex(of: "{") else { return [] }
      let message = try JSONSerialization.jsonObject(with: Data(piece[start...].utf8)) as? [String: Any]
      guard let parameters = message?["params"] as? [String: Any], let uri = parameters["uri"] as? String,
        let diagnostics = parameters["diagnostics"] as? [[String: Any]]
      else { return [] }
      return diagnostics.map { Self.finding($0, "work/" + (uri.split(separator: "/").last ?? "")) }
    }
  }

  private static func finding(_ diagnostic: [String: Any], _ file: String) -> Finding {
    let range = diagnostic["range"] as? [String: [String: Int]] ?? [:]
    let severity = ["", "error", "warning", "note"][diagnostic["severity"] as? Int ?? 0]
    return Finding(
      file: file, line: (range["start"]?["line"] ?? 0) + 1, column: (range["start"]?["character"] ?? 0) + 1,
      endColumn: (range["end"]?["character"] ?? 0) + 1, kind: diagnostic["code"] as? String ?? "", severity: severity,
      message: diagnostic["message"] as? String ?? "")
  }
}
