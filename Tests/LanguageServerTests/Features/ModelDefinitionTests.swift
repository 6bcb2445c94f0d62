import Foundation
import Modeling
import TestSupport
import Testing

/// From the name of an entity or a property an editor leads to the line of the model that declares it.
@Suite struct ModelDefinitionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let document = folder.file("App.xcdatamodeld/App.xcdatamodel")
    try FileManager.default.createDirectory(atPath: document, withIntermediateDirectories: true)
    try """
    <model>
      <entity name="Item">
        <attribute name="name" attributeType="String"/>
      </entity>
      <entity name="Book" parentEntity="Item">
        <attribute name="title" attributeType="String"/>
      </entity>
    </model>
    """.write(toFile: document + "/contents", atomically: true, encoding: .utf8)
    try """
    /* 😀 */ extension Shop { var name: String { "" } }
    @Model
    final class Shop { /* 😀 */ @Attribute(.unique) var name = ""
    }
    """.write(toFile: folder.file("Shop.swift"), atomically: true, encoding: .utf8)
    try (EditorClient.model + "return model").write(toFile: folder.file("model.lua"), atomically: true, encoding: .utf8)
  }

  /// The file and the marked part of the definition at the bar in a text.
  private func definition(_ text: String, _ name: String = "a.lua", _ options: [String] = []) throws -> String? {
    let client = try EditorClient(options, in: folder)
    let bar = try #require(text.firstIndex(of: "|"))
    let lines = text[..<bar].split(separator: "\n", omittingEmptySubsequences: false)
    _ = try client.open(name, text.replacing("|", with: ""))
    let answer = try client.request(
      "textDocument/definition", name, line: lines.count - 1, lines[lines.count - 1].utf16.count)
    guard let path = answer["uri"]?.string.flatMap(URL.init)?.path,
      case .int(let line)? = answer["range"]?["start"]?["line"],
      case .int(let start)? = answer["range"]?["start"]?["character"],
      case .int(let end)? = answer["range"]?["end"]?["character"]
    else { return nil }
    let found = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")[Int(line)].utf16
    let marked = String(decoding: Array(found)[Int(start)..<Int(end)], as: UTF16.self)
    return "\((path as NSString).lastPathComponent):\(line + 1) \(marked)"
  }

  @Test(
    arguments: [
      ("print(Quake:where \"magn|itude > 5\")", "model.lua:3 magnitude"),
      ("print(Qua|ke:count())", "model.lua:2 Quake"),
      ("Report:where \"quake.pla|ce == 'x'\"", "model.lua:3 place"),
      ("for q in Quake:all():each() do print(q.repo|rts) end", "model.lua:4 reports"),
    ])
  func ofAScriptItIsInTheModelBesideIt(text: String, place: String) throws {
    #expect(try definition(text) == place)
  }

  @Test(arguments: ["pri|nt(1)", "local Quake = 1 print(Qua|ke)", "print('magn|itude')", "x.magn|itude = 5"])
  func plainLuaHasNone(text: String) throws {
    #expect(try definition(text) == nil)
  }

  private static func request(_ name: String, _ format: String) -> String {
    "let r = NSFetchRequest<\(name)>(entityName: \"\(name)\")\nr.predicate = NSPredicate(format: \"\(format)\")"
  }

  @Test func ofSwiftItIsInTheModelOfTheFolder() throws {
    #expect(
      try definition(Self.request("Book", "tit|le == 'x'"), "a.swift")
        == #"contents:6 <attribute name="title" attributeType="String"/>"#)
    #expect(
      try definition("NSFetchRequest<Book>(entityName: \"Bo|ok\")", "a.swift")
        == #"contents:5 <entity name="Book" parentEntity="Item">"#)
    #expect(try definition(Self.request("Shop", "na|me == 'x'"), "a.swift") == "Shop.swift:3 name")
  }

  @Test func anInheritedPropertyIsDeclaredAboveIt() throws {
    #expect(
      try definition(Self.request("Book", "na|me == 'x'"), "a.swift")
        == #"contents:3 <attribute name="name" attributeType="String"/>"#)
  }

  @Test func theModelOfTheCommandLineCounts() throws {
    try FileManager.default.moveItem(atPath: folder.file("model.lua"), toPath: folder.file("other.lua"))
    #expect(try definition("print(Qua|ke)", "a.lua", ["--model", "other.lua"]) == "other.lua:2 Quake")
  }

  @Test func aStoreHasTheModelThatIsBesideIt() throws {
    let store = try EditorClient.store(in: folder)
    #expect(try definition("print(Qua|ke)", "a.lua", ["--store", store]) == "model.lua:2 Quake")
    try FileManager.default.removeItem(atPath: folder.file("model.lua"))
    #expect(try definition("print(Qua|ke)", "a.lua", ["--store", store]) == nil)
  }
}
