import Foundation
import Modeling
import TestSupport
import Testing

/// Neovim, without a screen, shows what the server says.
@Suite struct NeovimTests {
  static let isInstalled = OutsideTool.isInstalled("nvim")

  @Test(.enabled(if: isInstalled, "there is no Neovim here"))
  func aPersonSeesWhatTheServerSays() throws {
    let folder = try TemporaryFolder()
    let environment = [
      "PERILUNE": BuiltProduct.perilune.path, "PERILUNE_STORE": try EditorClient.store(in: folder),
      "PERILUNE_SEEN": folder.file("seen.json"), "HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
    ]
    try Data("local s = \"😀\" print(Quake:where \"magnitud > 6\")\n".utf8)
      .write(to: URL(filePath: folder.file("a.lua")))
    let session = OutsideTool.root.appending(path: "Editors/Neovim/session.lua").path
    _ = try OutsideTool.run(
      ["nvim", "--headless", "-u", "NONE", "-c", "luafile \(session)", "a.lua"], environment, in: folder.url)
    let seen = try JSON.parse(Array(Data(contentsOf: URL(filePath: folder.file("seen.json")))))
    #expect(seen["failure"] == nil, "\(seen.text)")
    // Neovim counts bytes.
    let found = JSON.array([
      .string("Quake has no property 'magnitud'; did you mean 'magnitude'?"), .int(0), .int(36), .int(44),
    ])
    #expect(seen["diagnostics"]?.items == [found])
    #expect(seen["corrected"]?.items == [])
    #expect(seen["completion"]?.items == [.string("magnitude")])
    #expect(seen["hover"]?.string?.contains("5 of 40 match") == true)
    #expect(seen["symbols"]?.items == [.array([.string("magnitude > 6"), .string("Quake")])])
    #expect(seen["renamed"] == .string("local s = \"😀\" print(Quake:where \"strength > 6\")"))
  }
}
