import Testing

@testable import Page

/// The files that pages load.
@Suite struct PageAssetTests {
  @Test func scriptsAndStyleTakeAtMostSixtyThousandBytes() {
    let sizes = PageAsset.allCases.map(\.text.utf8.count)
    #expect(sizes.reduce(0, +) <= 60_000 && sizes.allSatisfy { $0 > 100 })
  }

  @Test func whatModulesImportIsExportedByAnother() throws {
    var imports = 0
    for asset in PageAsset.allCases {
      for match in asset.text.matches(of: /import (?:\{ ([^}]*) \} from )?"\.\/([^"]*)"/) {
        imports += 1
        let other = try #require(PageAsset(rawValue: String(match.2)))
        for name in (match.1 ?? "").split(separator: ", ") {
          let pattern = try Regex("export (async )?(const|let|function|class) \(name)\\b")
          #expect(other.text.contains(pattern), "\(asset.rawValue) imports \(name)")
        }
      }
    }
    #expect(imports > 6)
  }
}
