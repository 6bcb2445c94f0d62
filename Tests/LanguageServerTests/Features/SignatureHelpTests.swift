import Modeling
import TestSupport
import Testing

/// Within a call an editor shows how it goes on.
@Suite struct SignatureHelpTests {
  private let folder: TemporaryFolder
  private let client: EditorClient

  init() throws {
    folder = try TemporaryFolder()
    client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
  }

  private static let request = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = "

  /// The active signature at the bar in a text: the marked parameter of it in brackets, and what is said of that.
  private func signature(_ text: String, _ name: String = "a.lua") throws -> String? {
    let bar = try #require(text.firstIndex(of: "|"))
    let lines = text[..<bar].split(separator: "\n", omittingEmptySubsequences: false)
    _ = try client.open(name, text.replacing("|", with: ""))
    let answer = try client.request(
      "textDocument/signatureHelp", name, line: lines.count - 1, lines[lines.count - 1].utf16.count)
    guard case .int(let active)? = answer["activeSignature"], case .int(let parameter)? = answer["activeParameter"],
      let signature = answer["signatures"]?.items[Int(active)]
    else { return nil }
    let parameters = signature["parameters"]?.items ?? []
    var label = Array((signature["label"]?.string ?? "").utf16)
    guard parameters.indices.contains(Int(parameter)) else { return String(decoding: label, as: UTF16.self) }
    let ends = parameters[Int(parameter)]["label"]?.items.map(\.text).compactMap(Int.init) ?? []
    label.insert(contentsOf: "]".utf16, at: ends[1])
    label.insert(contentsOf: "[".utf16, at: ends[0])
    let said = parameters[Int(parameter)]["documentation"]?["value"]?.string.map { ": \($0)" } ?? ""
    return String(decoding: label, as: UTF16.self) + said
  }

  @Test(
    arguments: [
      ("print(Quake:where(|))", "Entity:where([predicate], ...) -> request"),
      ("Quake:where \"magn|itude > 5\"", "Entity:where([predicate], ...) -> request"),
      ("Quake:all():sorted(\"-magnitude\", |)", "request:sorted(keyPath, [...]) -> request"),
      ("save(|", "save([[{ author = , dryRun = }]])"),
      ("open(\"a\", { |", "open(path [, [{ create = , model = , readOnly = , durable = }]]) -> store"),
      ("ToMany \"Report\" { |", "ToMany \"Entity\" [{ inverse = ... }]"),
    ])
  func ofAFunctionTheParameterIsMarked(text: String, expected: String) throws {
    #expect(try signature(text) == expected)
  }

  @Test(arguments: [
    "print(|)", "local save = 1 save(|)", "function save(|", "string.format(|)", "Quake|", "x = |", "-- save(|",
    "local s = 'save(|'",
  ])
  func ofPlainLuaNothingIsSaid(text: String) throws {
    #expect(try signature(text) == nil)
  }

  @Test(
    arguments: [
      (
        "Quake:where(\"place == '😀' AND magnitude > %@ AND place IN %@\", 5, |)",
        "place == '😀' AND magnitude > %@ AND place IN [%@]: a list for `Quake.place: String`"
      ),
      ("Quake:where(\"%K > 5\", |)", "[%K] > 5: a key path of Quake"),
      ("Quake:where(\"%K > %@\", 'depth', |)", "%K > [%@]"),
      ("Quake:where(\"reports.@count > %@\", |)", "reports.@count > [%@]: for `reports.@count`"),
    ])
  func ofAFormatItIsSaidWhatAnArgumentIsFor(text: String, expected: String) throws {
    #expect(try signature(text) == expected)
  }

  @Test(
    arguments: [
      (
        "\"magnitude > %f AND place == %@\", least, |)",
        "magnitude > %f AND place == [%@]: for `Quake.place: String`"
      ),
      (
        "\"magnitude > %f AND place == %@\", lea|st)",
        "magnitude > [%f] AND place == %@: for `Quake.magnitude: Double`"
      ),
      ("\"%K == %@\", #keyPath(Quake.place), |)", "%K == [%@]: for `Quake.place: String`"),
      ("\"place == \\(name) AND depth > %f\", |)", "place == %@ AND depth > [%f]: for `Quake.depth: Double`"),
    ])
  func swiftHasTheSame(text: String, expected: String) throws {
    #expect(try signature(Self.request + "NSPredicate(format: " + text, "a.swift") == expected)
  }

  @Test func inAPredicateItIsSaidHowItsFunctionsAreCalled() throws {
    #expect(try signature("Quake:where \"CAST(place, |) > 4\"")?.hasPrefix("CAST(a, ['type'])") == true)
    #expect(try signature(Self.request + "NSPredicate(format: \"(abs(|) > 4)\")", "a.swift") == "abs([number])")
    #expect(try signature(Self.request + "NSPredicate(format: \"(|magnitude > 4)\")", "a.swift") == nil)
  }
}
