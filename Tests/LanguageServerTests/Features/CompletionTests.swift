import Foundation
import Modeling
import TestSupport
import Testing

/// What is offered is of the model and the store; of plain Lua and Swift nothing is.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder
  private let client: EditorClient

  init() throws {
    folder = try TemporaryFolder()
    client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
  }

  /// The candidates at the bar in a text.
  private func labels(_ text: String, _ name: String = "a.lua", of client: EditorClient) throws -> [String] {
    let (answer, _) = try completion(text, name, of: client)
    return answer.compactMap { $0["label"]?.string }
  }

  private func completion(_ text: String, _ name: String, of client: EditorClient) throws -> ([JSON], JSON?) {
    let bar = try #require(text.firstIndex(of: "|"))
    let lines = text[..<bar].split(separator: "\n", omittingEmptySubsequences: false)
    _ = try client.open(name, text.replacing("|", with: ""))
    let answer = try client.request(
      "textDocument/completion", name, line: lines.count - 1, lines[lines.count - 1].utf16.count)
    return (answer["items"]?.items ?? [], answer["isIncomplete"])
  }

  @Test(
    arguments: [
      ("Quake:where \"mag|\"", ["magnitude"]), ("Quake:all():sorted \"-pl|\"", ["place"]),
      ("Quake:where \"ANY reports.int|\"", ["intensity"]),
      ("local big = Quake:where(\"depth > 1\") big:sor|", ["sorted"]),
      ("for q in Quake:all():each() do\n  print(q.dep|)\nend", ["depth"]),
      ("for q in Quake:all():each() do print(q.reports[1].int|) end", ["intensity"]),
      ("Quak|", ["Quake"]), ("Quake:where { predicate = \"x\" } Quake { magn|", ["magnitude = "]),
    ])
  func aScriptHasWhatItsValuesAre(text: String, labels expected: [String]) throws {
    #expect(try labels(text, of: client) == expected)
  }

  @Test(arguments: ["pri|", "string.|", "local x = 1 x|", "local Quake = 1 Quak|", "print(\"|\")", "-- Quake.|", "|"])
  func ofPlainLuaNothingIsOffered(text: String) throws {
    #expect(try labels(text, of: client) == [])
  }

  @Test func valuesComeByFrequencyAndReplaceWhatIsTyped() throws {
    let (items, _) = try completion("local s = \"😀\" Quake:where \"place == 'J|\"", "a.lua", of: client)
    #expect(items.map { $0["label"] } == [.string("Japan'")])
    #expect(items.first?["detail"] == .string("27"))
    #expect(items.first?["textEdit"]?["range"]?["start"]?["character"] == .int(38))
    #expect(try labels("Quake:where \"place == |\"", "b.lua", of: client).prefix(2) == ["'Japan'", "'Chile'"])
  }

  @Test func valuesCanBeKeptOut() throws {
    let path = folder.file("quakes.sqlite")
    let other = try EditorClient(["--store", path, "--no-values"], in: folder)
    #expect(try labels("Quake:where \"place == '|\"", of: other) == [])
    #expect(try labels("Quake:where \"pla|\"", "b.lua", of: other) == ["place"])
  }

  private static let request = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = "

  @Test(
    arguments: [
      ("NSPredicate(format: \"magnitude > 5 AND pl|\")", ["place"]),
      ("NSPredicate(format: \"place == \\\"|\\\"\")", ["Japan\\\"", "Chile\\\""]),
      ("NSPredicate(format: \"place == |\")", ["'Japan'", "'Chile'"]),
      ("#Predicate<Quake> { $0.magn| > 5 }", ["magnitude"]),
      ("#Predicate<Quake> { quake in quake.dep| > 5 }", ["depth"]),
      ("#Predicate<Quake> { $0.reports.contains { $0.int| > 5 } }", []),
      ("NSPredicate(value: tru|)", []),
    ])
  func swiftHasThePropertiesOfTheRequestsEntity(text: String, labels expected: [String]) throws {
    #expect(try labels(Self.request + text, "a.swift", of: client) == expected)
  }

  @Test func aKeyOfASortDescriptorIsCompleted() throws {
    let text =
      "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n"
      + "r.sortDescriptors = [NSSortDescriptor(key: \"mag|\", ascending: true)]"
    #expect(try labels(text, "a.swift", of: client) == ["magnitude"])
  }

  @Test func aModelIsEnough() throws {
    try (EditorClient.model + "return model").write(toFile: folder.file("model.lua"), atomically: true, encoding: .utf8)
    let client = try EditorClient(in: folder)
    #expect(try labels("Quake:where \"mag|\"", of: client) == ["magnitude"])
    #expect(try labels("Quake:where \"place == '|\"", "b.lua", of: client) == [])
  }
}
