import Foundation
import Modeling
import TestSupport
import Testing

/// A text that ends anywhere, as while it is typed, is answered like any other.
@Suite struct CutTextTests {
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
}
