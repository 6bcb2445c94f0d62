import Foundation
import Modeling
import TestSupport
import Testing

/// A text that ends anywhere, as while it is typed, is answered like any other.
@Suite(.seeded) struct CutTextTests {
  private static let samples = [
    (
      "a.lua",
      "local s = \"😀\" for q in Quake:where(\"ANY reports.intensity > 2 AND place == 'é'\", 5):each() do "
        + "print(q.reports[1].quake.place, [[x]]) Quake { place = \"\\u{E9}\", magnitude = 1 } end -- x"
    ),
    (
      "a.swift",
      "let s = \"😀\"; let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n"
        + "r.predicate = NSPredicate(format: \"place == \\\"é\\\" AND %K > %f\", \"magnitude\", least)\n"
        + "r.predicate = #Predicate<Quake> { quake in quake.place == \"x\" && quake.reports.contains { $0.intensity > 2 } }"
    ),
  ]

  @Test(arguments: samples)
  func everyPlaceOfEveryBeginningIsAnswered(name: String, text: String) throws {
    let folder = try TemporaryFolder()
    let client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
    _ = try client.open(name, text)
    for (version, cut) in (Array(text.indices) + [text.endIndex]).enumerated() {
      let beginning = String(text[..<cut])
      _ = try client.change(name, version: version + 2, #"[{"text":\#(JSON.string(beginning).text)}]"#)
      let lines = beginning.split(separator: "\n", omittingEmptySubsequences: false)
      let (line, end) = (lines.count - 1, lines.last?.utf16.count ?? 0)
      #expect(try client.request("textDocument/completion", name, line: line, end)["items"] != nil)
      for method in ["hover", "prepareRename"] {
        #expect(try client.request("textDocument/\(method)", name, line: line, end)["code"] == nil)
        #expect(try client.request("textDocument/\(method)", name, line: line, end / 2)["code"] == nil)
      }
      let place = #"{"line":\#(line),"character":\#(end)}"#
      let actions = try client.request(
        "textDocument/codeAction",
        #"{"textDocument":{"uri":"\#(client.uri(name))"},"range":{"start":\#(place),"end":\#(place)},"context":{"diagnostics":[]}}"#
      )
      if case .array = actions {} else { Issue.record("\(beginning): \(actions.text)") }
    }
  }

  /// Beginnings of texts with pieces of others in them are checked, and each finding stands within its document.
  @Test func noTextEndsTheCheck() throws {
    var random = SplitMix(seed: 46)
    let folder = try TemporaryFolder()
    let client = try EditorClient(
      ["--store", EditorClient.store(in: folder)], in: folder,
      capabilities: #"{"general":{"positionEncodings":["utf-8"]}}"#)
    for (name, _) in Self.samples { _ = try client.open(name, "") }
    for round in 0..<(Effort.isLong ? 40_000 : 400) {
      let (name, text) = Self.samples[round % 2]
      var bytes = Array(text.utf8.prefix(random.below(text.utf8.count + 1)))
      for _ in 0..<random.below(4) {
        let other = Array(random.pick(Self.samples).1.utf8)
        let piece = other[random.below(other.count)...].prefix(random.below(30))
        bytes.replaceSubrange(random.below(bytes.count + 1)..<bytes.count, with: piece + bytes.suffix(random.below(20)))
      }
      let mixed = String(decoding: bytes, as: UTF8.self)
      let findings = try client.change(name, version: round, #"[{"text":\#(JSON.string(mixed).text)}]"#)
      let lines = mixed.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for finding in findings {
        for end in ["start", "end"] {
          guard case .int(let line)? = finding["range"]?[end]?["line"], line < lines.count,
            case .int(let character)? = finding["range"]?[end]?["character"], character <= lines[Int(line)].count
          else {
            Issue.record("\(finding.text) is not in \(mixed)")
            continue
          }
        }
      }
    }
  }
}
