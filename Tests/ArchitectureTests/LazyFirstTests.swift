import Foundation
import Testing

/// The first result of a function over the parts of a tree is had by `firstResult`: `lazy.compactMap(f).first` calls `f` three
/// times for each part, and three times as often on each level.
@Suite struct LazyFirstTests {
  @Test func noTreeIsWalkedByLazyCompactMap() throws {
    let sources = Manifest.root.appending(path: "Sources")
    var files = 0
    for target in ["Queries", "SwiftInterchange"] {
      let folder = sources.appending(path: target)
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        files += 1
        #expect(!text.contains("lazy.compactMap"), "\(target)/\(path): use firstResult")
      }
    }
    #expect(files > 100)
  }
}
