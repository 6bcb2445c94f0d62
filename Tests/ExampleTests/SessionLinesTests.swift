import Foundation
import TestSupport
import Testing

/// A session without a terminal prints what the documentation shows.
struct SessionLinesTests {
  private static let program = BuiltProduct.perilune.deletingLastPathComponent().appending(path: "SessionLines")

  /// The events of requests, in order.
  private func events(_ requests: [[String: Any]], in folder: TemporaryFolder) throws -> [[String: Any]] {
    let input = folder.url.appending(path: "requests.ndjson")
    let lines = try requests.enumerated().map { index, request in
      String(
        decoding: try JSONSerialization.data(withJSONObject: request.merging(["id": index]) { $1 }), as: UTF8.self)
    }
    try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
    let output = try Perilune.runCommand([Self.program.path], input: input, in: folder)
    #expect(output.status == 0, "\(output.errors)")
    return try output.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// The text that events show: printed, written or as a value.
  private func text(_ events: [[String: Any]]) -> String {
    events.compactMap { event in
      let isShown =
        event["event"] as? String == "value"
        || event["event"] as? String == "stream" && event["name"] as? String == "output"
      return isShown ? event["text"] as? String : nil
    }.joined()
  }

  @Test(arguments: Documentation.all.scripts)
  func scriptsPrintWhatIsShown(script: Documentation.Script) throws {
    let folder = try TemporaryFolder()
    try script.source.write(toFile: folder.file("example.lua"), atomically: true, encoding: .utf8)
    try script.store?.copy(to: folder)
    var requests: [[String: Any]] = [["do": "run", "path": "example.lua"]]
    if let store = script.store { requests.insert(["do": "open", "path": store.file], at: 0) }
    let events = try events(requests, in: folder)
    let ends = events.filter { $0["event"] as? String == "end" }
    #expect(ends.map { $0["status"] as? Int } == requests.map { _ in 0 }, "\(script.place): \(events.suffix(3))")
    if let expected = script.expected {
      #expect(visibleLines(text(events)) == visibleLines(expected), "\(script.place)")
    }
  }

  @Test func blocksAreEvaluatedCompletedAndInspected() throws {
    let folder = try TemporaryFolder()
    let events = try events(
      [
        ["do": "evaluate", "text": "1 + 1"], ["do": "evaluate", "text": "io.write('a', 1) print('b')"],
        ["do": "evaluate", "text": "local x = nil + 1"], ["do": "complete", "text": "stri", "offset": 4],
        ["do": "inspect", "text": "save()", "offset": 2], ["do": "isComplete", "text": "for i = 1, 2 do"],
        ["do": "evaluate", "text": ".predicate"], ["do": "evaluate", "text": ".mode json"],
      ], in: folder)
    func of(_ id: Int) -> [[String: Any]] { events.filter { $0["id"] as? Int == id } }
    #expect(text(of(0)) == "2\n")
    #expect(text(of(1)) == "a1b\n")
    #expect(of(2).first?["event"] as? String == "diagnostic" && of(2).first?["line"] as? Int == 1)
    #expect((of(3).last?["candidates"] as? [String]) == ["string"])
    #expect((of(4).last?["lines"] as? [String])?.first?.hasPrefix("save(") == true)
    #expect(of(5).last?["isComplete"] as? Bool == false)
    #expect(of(6).first?["message"] as? String == ".predicate needs a terminal")
    #expect(of(7).last?["status"] as? Int == 0)
  }

  @Test func whatIsNoRequestIsRefusedAndTheNextIsTaken() throws {
    let folder = try TemporaryFolder()
    let input = folder.url.appending(path: "requests.ndjson")
    try "rubbish\n[1]\n{\"id\":7,\"do\":\"evaluate\",\"text\":\"1\"}\n".write(
      to: input, atomically: true, encoding: .utf8)
    let output = try Perilune.runCommand([Self.program.path], input: input, in: folder)
    let lines = output.text.split(separator: "\n")
    #expect(output.status == 0 && lines.count == 4, "\(lines)")
    #expect(lines.prefix(2).allSatisfy { $0.contains("\"status\":65") })
    #expect(lines.last?.contains("\"id\":7") == true)
  }
}
