import Modeling
import TestSupport
import Testing

/// Help says what only a model and a store know.
@Suite struct HoverTests {
  private let folder: TemporaryFolder
  private let client: EditorClient

  init() throws {
    folder = try TemporaryFolder()
    client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
  }

  /// The help at the bar in a text.
  private func help(_ text: String, _ name: String = "a.lua") throws -> String? {
    let bar = try #require(text.firstIndex(of: "|"))
    let lines = text[..<bar].split(separator: "\n", omittingEmptySubsequences: false)
    _ = try client.open(name, text.replacing("|", with: ""))
    let answer = try client.request(
      "textDocument/hover", name, line: lines.count - 1, lines[lines.count - 1].utf16.count)
    return answer["contents"]?["value"]?.string
  }

  @Test func aPropertyHasItsTypeItsRulesAndItsValues() throws {
    let text = try #require(try help("Quake:where \"plac|e == 'x' AND magnitude > 1\""))
    #expect(text.contains("`Quake.place: String`"))
    #expect(text.contains("`\"Japan\"` × 27 · `\"Chile\"` × 13"))
    #expect(try help("Quake:where \"magn|itude > 6\"", "b.lua")?.contains("min 0.0, max 10.0") == true)
  }

  @Test(
    arguments: [
      ("Quake:where \"depth |> 20\"", "Quake: 10 of 40 match, 10 do not, 20 are neither"),
      ("Quake:where \"NOT (depth |> 20)\"", "Quake: 10 of 40 match, 10 do not, 20 are neither"),
      ("print(1, Quake:where \"magnitude |> 6\")", "Quake: 5 of 40 match, 35 do not"),
      ("local r = Quake:all() r:where \"magnitude |> 6\"", "Quake: 5 of 40 match, 35 do not"),
    ])
  func aPredicateHasItsCounts(text: String, sentence: String) throws {
    #expect(try help(text)?.contains(sentence) == true)
  }

  @Test func aPredicateWithArgumentsIsNotCounted() throws {
    #expect(try help("Quake:where(\"magnitude |> %@\", 5)") == nil)
  }

  @Test func aPredicateHasItsPlan() throws {
    #expect(try help("Quake:where \"magnitude |> 6\"")?.contains("Plan: reads all of Quake") == true)
    let plan = try #require(try help("Quake:where \"code |== 'us1'\"", "b.lua"))
    #expect(plan.contains("Plan: finds Quake by") && plan.contains("index"), "\(plan)")
  }

  @Test(
    arguments: [
      ("for q in Quake:all():each() do print(q.dep|th) end", "`Quake.depth: Double`"),
      ("print(Qua|ke)", "Quake.magnitude"),
      ("Quake:whe|re \"magnitude > 5\"", "`Entity:where("), ("sav|e()", "`save("),
    ])
  func aNameOfTheEngineIsExplained(text: String, part: String) throws {
    #expect(try help(text)?.contains(part) == true)
  }

  @Test(arguments: [
    "pri|nt(1)", "local x = 1 print(|x)", "string.for|mat('x')", "local Quake = 1 print(Qu|ake)", "x.whe|re()",
  ])
  func ofPlainLuaNothingIsSaid(text: String) throws {
    #expect(try help(text) == nil)
  }

  @Test(
    arguments: [
      ("NSPredicate(format: \"depth |> 20\")", "10 of 40 match"),
      ("NSPredicate(format: \"dep|th > %f\", least)", "`Quake.depth: Double`"),
      ("#Predicate<Quake> { $0.magn|itude > 6 }", "NSPredicate: `magnitude > 6`"),
      ("#Predicate<Quake> { $0.magn|itude > 6 }", "5 of 40 match"),
      ("#Expression<Quake, Double> { $0.magn|itude * 2 }", "NSExpression: `magnitude * 2`"),
    ])
  func swiftHasTheSame(text: String, part: String) throws {
    let request = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = "
    #expect(try help(request + text, "a.swift")?.contains(part) == true)
  }
}
