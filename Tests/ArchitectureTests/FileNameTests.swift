import Testing

/// Foundation's functions that take the names of files apart end the process for some names.
struct FileNameTests {
  private static let words = [
    "lastPathComponent", "deletingLastPathComponent", "appendingPathComponent", "pathExtension",
    "deletingPathExtension",
    "appendingPathExtension", "pathComponents", "standardizingPath", "expandingTildeInPath", "resolvingSymlinksInPath",
    "standardizedFileURL", "abbreviatingWithTildeInPath", "as NSString", "URL(fileURLWithPath:", "URL(filePath:",
  ]
  private static var rule: SourceRule {
    SourceRule(
      words,
      #/\b(lastPathComponent|deletingLastPathComponent|appendingPathComponent|pathExtension|deletingPathExtension|appendingPathExtension|pathComponents|standardizingPath|expandingTildeInPath|resolvingSymlinksInPath|standardizedFileURL|abbreviatingWithTildeInPath)\b|\bas NSString\b|URL\((fileURLWithPath|filePath):/#
    )
  }

  @Test func onlyOurOwnFileTakesNamesApart() throws {
    let findings = try Self.rule.findings(in: "Sources")
    #expect(findings.isEmpty, "use FilePath (Modeling): \(findings)")
  }

  @Test(arguments: words) func theRuleFindsFoundation(word: String) {
    #expect(Self.rule.finds("let name = [path.\(word) path)].first"))
  }

  @Test func theRuleLeavesOurOwn() { #expect(!Self.rule.finds("FilePath.folder(of: path)")) }
}
