import Foundation
import Modeling
import TestSupport
import Testing

/// pygls, a client of the protocol in Python that reads each message strictly, understands what the server says.
@Suite struct PyglsTests {
  static let isInstalled = (try? OutsideTool.run(["python3", "-c", "import pygls.lsp.client"]).status) == 0

  @Test(.enabled(if: isInstalled, "there is no pygls here"))
  func aClientUnderstandsWhatTheServerSays() throws {
    let folder = try TemporaryFolder()
    let session = OutsideTool.root.appending(path: "Editors/Python/session.py").path
    let (status, output) = try OutsideTool.run(
      ["python3", session, BuiltProduct.perilune.path, EditorClient.store(in: folder), folder.path])
    try #require(status == 0)
    let seen = try JSON.parse(Array(output))
    let expected = try JSON.parse(
      #"""
      {"server": "perilune", "corrected": [], "completion": ["magnitude"], "renamed": ["strength"],
      "diagnostics": [["Quake has no property 'magnitud'; did you mean 'magnitude'?", 34, 42]],
      "signature": "Entity:where(predicate, ...) -> request", "tokens": [0, 34, 9, 1, 0, 0, 10, 1, 0, 0, 0, 2, 1, 4, 0],
      "lenses": ["Explain", "Show as table", "Swift"], "lens": "perilune.try"}
      """#)
    #expect(seen == expected, "\(seen.text)")
  }
}
