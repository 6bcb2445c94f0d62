import Foundation
import Testing

/// Foundation's functions that take the names of files apart end the process for some names.
struct FileNameTests {
  private static var forbidden: some RegexComponent {
    #/\b(lastPathComponent|deletingLastPathComponent|appendingPathComponent|pathExtension|deletingPathExtension|appendingPathExtension|pathComponents|standardizingPath|expandingTildeInPath|resolvingSymlinksInPath|standardizedFileURL|abbreviatingWithTildeInPath)\b|\bas NSString\b|URL\((fileURLWithPath|filePath):/#
  }

  @Test func onlyOurOwnFileTakesNamesApart() throws {
    let root = Manifest.root.appending(path: "Sources")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(line.firstMatch(of: Self.forbidden) == nil, "\(path):\(number + 1): use FilePath (Modeling)")
      }
    }
  }

  @Test func theRuleFindsFoundation() {
    #expect("(path as NSString).deletingLastPathComponent".contains(Self.forbidden))
    #expect("URL(filePath: path).resolvingSymlinksInPath().path".contains(Self.forbidden))
    #expect(!"FilePath.folder(of: path)".contains(Self.forbidden))
  }
}
