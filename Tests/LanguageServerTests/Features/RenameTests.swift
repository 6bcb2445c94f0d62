import Foundation
import Modeling
import TestSupport
import Testing

/// A property is renamed wherever scripts, their model and texts of predicates name it, and nowhere else.
@Suite struct RenameTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try (EditorClient.model + "return model").write(toFile: folder.file("model.lua"), atomically: true, encoding: .utf8)
  }

  private static let script = """
    for q in Quake:where("magnitude > 6 AND place == 'magnitude'"):sorted("-magnitude", "place"):each() do
      print("magnitude", q.magnitude, q.reports[1].quake.magnitude, x.magnitude)
      q.magnitude = 5
    end
    Quake { magnitude = 1, place = "magnitude" }
    Report:where "quake.magnitude > 5 AND SUBQUERY(quake.reports, $r, $r.quake.magnitude > 1).@count > 0"
    """

  /// What renaming the property at a place leaves of the files, by their names.
  private func renamed(
    _ client: EditorClient, _ name: String, line: Int, _ character: Int, to newName: String, _ texts: [String: String]
  ) throws -> [String: String] {
    let answer = try client.request(
      "textDocument/rename", name, line: line, character, more: #","newName":"\#(newName)""#)
    var result: [String: String] = [:]
    for (name, text) in texts {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf16) }
      for edit in (answer["changes"]?[client.uri(name)]?.items ?? []).reversed() {
        guard case .int(let line)? = edit["range"]?["start"]?["line"],
          case .int(let start)? = edit["range"]?["start"]?["character"],
          case .int(let end)? = edit["range"]?["end"]?["character"]
        else { continue }
        lines[Int(line)].replaceSubrange(Int(start)..<Int(end), with: (edit["newText"]?.string ?? "").utf16)
      }
      result[name] = lines.map { String(decoding: $0, as: UTF16.self) }.joined(separator: "\n")
    }
    return result
  }

  @Test func scriptsAndTheirModelNameItOtherwise() throws {
    let model = EditorClient.model + "return model"
    let client = try EditorClient(in: folder)
    try Self.script.write(toFile: folder.file("closed.lua"), atomically: true, encoding: .utf8)
    _ = try client.open("a.lua", Self.script)
    let after = try renamed(
      client, "a.lua", line: 0, 24, to: "strength",
      ["a.lua": Self.script, "closed.lua": Self.script, "model.lua": model])
    let expected = """
      for q in Quake:where("strength > 6 AND place == 'magnitude'"):sorted("-strength", "place"):each() do
        print("magnitude", q.strength, q.reports[1].quake.strength, x.magnitude)
        q.strength = 5
      end
      Quake { strength = 1, place = "magnitude" }
      Report:where "quake.strength > 5 AND SUBQUERY(quake.reports, $r, $r.quake.strength > 1).@count > 0"
      """
    #expect(after["a.lua"] == expected)
    #expect(after["closed.lua"] == expected)
    #expect(after["model.lua"] == model.replacing("magnitude = Double", with: "strength = Double"))
  }

  @Test func aRelationshipIsRenamedAsAnInverse() throws {
    let model = EditorClient.model + "return model"
    let client = try EditorClient(in: folder)
    let script = "local r = Report:first().quake Quake:where \"ANY reports.quake.place == 'x'\""
    _ = try client.open("a.lua", script)
    let after = try renamed(client, "a.lua", line: 0, 27, to: "event", ["a.lua": script, "model.lua": model])
    #expect(after["a.lua"] == "local r = Report:first().event Quake:where \"ANY reports.event.place == 'x'\"")
    #expect(
      after["model.lua"]
        == model.replacing("quake = ToOne", with: "event = ToOne").replacing(
          "inverse = \"quake\"", with: "inverse = \"event\""))
  }

  @Test func textsInSwiftNameItOtherwise() throws {
    let client = try EditorClient(["--model", folder.file("model.lua")], in: folder)
    let swift = """
      let r = NSFetchRequest<Quake>(entityName: "Quake")
      r.predicate = NSPredicate(format: "magnitude > 5 AND ANY reports.quake.magnitude > %f", magnitude)
      r.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: true)]
      """
    _ = try client.open("a.swift", swift)
    let after = try renamed(client, "a.swift", line: 1, 40, to: "strength", ["a.swift": swift])
    #expect(
      after["a.swift"]
        == swift.replacing("\"magnitude", with: "\"strength").replacing("quake.magnitude", with: "quake.strength"))
  }

  @Test(arguments: [("place", "has a property 'place' already"), ("a b", "is not a name"), ("end", "is not a name")])
  func aNameThatThePropertyCannotHaveIsRefused(name: String, part: String) throws {
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", Self.script)
    let error = try client.request("textDocument/rename", "a.lua", line: 0, 24, more: #","newName":"\#(name)""#)
    #expect(error["code"] == .int(-32803))
    #expect(error["message"]?.string?.contains(part) == true)
  }

  @Test func theNameIsShownBeforeItIsChanged() throws {
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", Self.script)
    let prepared = try client.request("textDocument/prepareRename", "a.lua", line: 0, 24)
    #expect(prepared["placeholder"] == .string("magnitude"))
    #expect(prepared.marked == "0:22-31")
    #expect(try client.request("textDocument/prepareRename", "a.lua", line: 1, 12) == .null)
  }

  @Test(arguments: [true, false]) func referencesAreThePlacesThatAreRenamed(withDeclaration: Bool) throws {
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", Self.script)
    let places = try client.request(
      "textDocument/references", "a.lua", line: 0, 24, more: #","context":{"includeDeclaration":\#(withDeclaration)}"#)
    let found = places.items.map { "\($0["uri"]?.string?.split(separator: "/").last ?? "") \($0.marked)" }
    let declared = withDeclaration ? ["model.lua 2:37-46"] : []
    #expect(
      found == [
        "a.lua 0:22-31", "a.lua 0:72-81", "a.lua 1:23-32", "a.lua 1:53-62", "a.lua 2:4-13", "a.lua 4:8-17",
        "a.lua 5:20-29", "a.lua 5:75-84",
      ] + declared, "\(found)")
  }
}
