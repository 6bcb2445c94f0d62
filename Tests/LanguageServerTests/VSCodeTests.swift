import Foundation
import Modeling
import TestSupport
import Testing

/// The extension for Visual Studio Code shows what the server says: Node runs it over a stub of the editor's interface.
@Suite struct VSCodeTests {
  private static let folder = OutsideTool.root.appending(path: "Editors/VSCode")

  static let hasNode = OutsideTool.isInstalled("node")
  static let hasPython = OutsideTool.isInstalled("python3")

  /// What a person sees, by the names of `Editors/VSCode/tests/session.js`.
  private static let expected = #"""
    {
      "messages": ["Quake has no property 'magnitud'; did you mean 'magnitude'?"], "severities": [0],
      "marked": ["magnitud"], "action": ["Write magnitude", "quickfix", true, "magnitude"], "left": [],
      "completion": [["magnitude", 9, "magni"]],
      "hover": ["`Quake.magnitude: Double` min 0.0, max 10.0",
        "`0.0` × 5 · `1.0` × 5 · `2.0` × 5 · `3.0` × 5 · `4.0` × 5 · `5.0` × 5 · …",
        "Quake: 5 of 40 match, 35 do not", "Plan: reads all of Quake"],
      "symbols": [["magnitude > 6", "Quake"]], "prepared": ["magnitude", "magnitude"], "renamed": ["strength"],
      "refused": "There is no property of a model to rename.", "definition": null, "references": ["magnitude"], "folds": [],
      "signature": ["Entity:where(predicate, ...) -> request", [13, 22]], "hints": ["→ n of n"],
      "lenses": [null, "Explain", "Show as table", "Swift"], "count": "n of n match, n do not",
      "said": ["information: Quake: ",
        "document: ┌──────┬──",
        "information: NSPredi"],
      "terminal": [true, ["STORE"], ["😀"]],
      "swift": ["'HASPREFIX' is not an operator; did you mean 'BEGINSWITH'?"], "plain": null,
      "afterRestart": ["Quake has no property 'magnixtude'; did you mean 'magnitude'?"],
      "cleared": 0, "providers": []
    }
    """#

  @Test(.enabled(if: hasNode, "there is no Node here"))
  func aPersonSeesWhatTheServerSays() throws {
    let folder = try TemporaryFolder()
    let store = try EditorClient.store(in: folder)
    let session = Self.folder.appending(path: "tests/session.js").path
    let (status, output) = try OutsideTool.run(["node", session, BuiltProduct.perilune.path, store, folder.path])
    try #require(status == 0)
    let seen = try JSON.parse(Array(output))
    guard case .object(let expected) = try JSON.parse(Array(Self.expected.replacing("STORE", with: store).utf8)) else {
      return
    }
    for (name, value) in expected { #expect(seen[name] == value, "\(name)") }
    let shown = try #require(seen["shown"]?.items.first?.string)
    #expect(shown.hasPrefix("information: Quake: 5 of 40 match, 35 do not\nperilune '"))
    let missing = try #require(seen["missing"]?.items.first?.string)
    #expect(missing.contains("there is no program '\(folder.path)/nothing'"), "\(missing)")
  }

  @Test(.enabled(if: hasPython, "there is no Python here"))
  func theExtensionIsAFileWithAllThatItNeeds() throws {
    let scratch = try TemporaryFolder()
    let (file, unpacked) = (scratch.file("perilune.vsix"), scratch.file("unpacked"))
    let script = OutsideTool.root.appending(path: "scripts/packaging/vsix.py").path
    #expect(try OutsideTool.run(["python3", script, "1.2.3", file]).status == 0)
    #expect(try OutsideTool.run(["python3", "-m", "zipfile", "-e", file, unpacked]).status == 0)
    func text(_ name: String) throws -> String { try String(contentsOfFile: unpacked + "/" + name, encoding: .utf8) }
    #expect(try text("extension/package.json").contains("\"version\": \"1.2.3\""))
    #expect(try text("extension.vsixmanifest").contains("Id=\"perilune\" Version=\"1.2.3\""))
    for name in try FileManager.default.contentsOfDirectory(atPath: unpacked + "/extension") where name.hasSuffix(".js")
    {
      for match in try text("extension/" + name).matches(of: /require\('\.\/(\w+)'\)/) {
        #expect(FileManager.default.fileExists(atPath: unpacked + "/extension/\(match.1).js"), "\(name)")
      }
    }
    let again = scratch.file("again.vsix")
    #expect(try OutsideTool.run(["python3", script, "1.2.3", again]).status == 0)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(contentsOf: URL(filePath: again)))
  }
}
