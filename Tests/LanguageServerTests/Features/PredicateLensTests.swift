import Foundation
import Modeling
import TestSupport
import Testing

/// Above a predicate stand its count and what can be done with it; behind it stands the count alone where a person wants it.
@Suite struct PredicateLensTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try EditorClient.store(in: folder)
  }

  private func lenses(_ client: EditorClient, _ name: String, _ text: String) throws -> [JSON] {
    _ = try client.open(name, text)
    return try client.request("textDocument/codeLens", #"{"textDocument":{"uri":"\#(client.uri(name))"}}"#).items
  }

  private func titles(_ lenses: [JSON]) -> [String] { lenses.map { $0["command"]?["title"]?.string ?? "-" } }

  private static let script = "local s = \"😀\" print(Quake:where \"magnitude > 6\":sorted \"-depth\")"

  @Test func aPredicateOfAScriptHasItsCountAndCommands() throws {
    let client = try EditorClient(["--store", store], in: folder)
    let found = try lenses(client, "a.lua", Self.script)
    #expect(titles(found) == ["-", "Explain", "Show as table", "Swift"])
    #expect(found.map(\.marked) == Array(repeating: "0:34-47", count: 4))
    let resolved = try client.request("codeLens/resolve", found[0].text)
    #expect(titles([resolved]) == ["5 of 40 match, 35 do not"])
    #expect(resolved["command"]?["command"] == .string("perilune.try"))
  }

  @Test func aPredicateInSwiftHasTheSame() throws {
    let client = try EditorClient(["--store", store], in: folder)
    let text = "let p = #Predicate<Quake> { $0.magnitude > 6 }\nlet q = NSPredicate(format: \"magnitude > %f\", least)"
    let found = try lenses(client, "a.swift", text)
    #expect(titles(found) == ["-", "Explain", "Show as table"])
    #expect(titles([try client.request("codeLens/resolve", found[0].text)]) == ["5 of 40 match, 35 do not"])
  }

  @Test(
    arguments: [
      ("Quake:where(\"magnitude > %@\", 5)", true), ("Quake:where \"magnitud > 6\"", true),
      ("Quake:sorted \"depth\"", true),
      ("print(\"magnitude > 6\")", true), ("Quake:where \"magnitude > 6\"", false),
    ])
  func whatCannotBeCountedHasNone(text: String, hasStore: Bool) throws {
    try (EditorClient.model + "return model").write(toFile: folder.file("model.lua"), atomically: true, encoding: .utf8)
    let client = try EditorClient(hasStore ? ["--store", store] : [], in: folder)
    #expect(try lenses(client, "a.lua", text) == [])
  }

  @Test func aLensWhosePredicateHasGoneHasNoCount() throws {
    let client = try EditorClient(["--store", store], in: folder)
    let found = try lenses(client, "a.lua", Self.script)
    _ = try client.change("a.lua", version: 2, #"[{"text":"print(1)"}]"#)
    #expect(titles([try client.request("codeLens/resolve", found[0].text)]) == ["Try it in Perilune"])
    let command = try #require(found[1]["command"])
    #expect(
      try client.request("workspace/executeCommand", command.text)["message"]?.string?.hasPrefix(
        "there is no predicate")
        == true)
  }

  @Test func commandsSayTexts() throws {
    let client = try EditorClient(["--store", store], in: folder)
    let said = try lenses(client, "a.lua", Self.script).dropFirst().map { lens in
      try client.request("workspace/executeCommand", lens["command"]?.text ?? "").string ?? ""
    }
    #expect(said[0] == "Quake: reads all of Quake")
    #expect(said[1].split(separator: "\n").count == 10 && said[1].contains("us39"), "\(said[1])")
    #expect(said[2].hasPrefix("NSPredicate(format: \"magnitude > 6\")\n#Predicate<Quake> {"), "\(said[2])")
    #expect(try client.notification("window/showMessage")["message"]?.string == said[0])
  }

  @Test func aTableIsNotShownWhereValuesAreNot() throws {
    let client = try EditorClient(["--store", store, "--no-values"], in: folder)
    let found = try lenses(client, "a.lua", Self.script)
    #expect(titles(found) == ["-", "Explain", "Swift"])
    let command = found[1]["command"]?.text.replacing("perilune.explain", with: "perilune.showTable") ?? ""
    #expect(try client.request("workspace/executeCommand", command)["code"] == .int(-32803))
  }

  // MARK: Hints

  private func hints(_ options: [String], lines: ClosedRange<Int>) throws -> [String] {
    let client = try EditorClient(["--store", store] + options, in: folder)
    _ = try client.open("a.lua", "Quake:where \"magnitude > 6\"\nQuake:where \"NOT (depth > 20)\"\nprint \"x\"")
    let answer = try client.request(
      "textDocument/inlayHint",
      """
      {"textDocument":{"uri":"\(client.uri("a.lua"))"},"range":{"start":{"line":\(lines.lowerBound),"character":0},
      "end":{"line":\(lines.upperBound),"character":99}}}
      """)
    return answer.items.map { "\($0["position"]?["line"]?.text ?? "") \($0["label"]?.string ?? "")" }
  }

  @Test func aCountStandsBehindEachPredicateOfTheSeenPart() throws {
    #expect(try hints(["--counts"], lines: 0...2).first == "0 → 5 of 40")
    #expect(try hints(["--counts"], lines: 1...1) == ["1 → 10 of 40"])
  }

  @Test func noCountStandsThereUnlessAPersonWantsIt() throws {
    #expect(try hints([], lines: 0...2) == [])
  }
}
