import Testing

/// Thousands in the counts of sentences are grouped everywhere: `Quantity.grouped` and `Quantity.count` alone write them.
struct CountInSentenceTests {
  private static var rule: SourceRule {
    SourceRule(
      ["ount) "], #/\\\([A-Za-z_.$ ()]*[cC]ount\) (?:[a-zé]|×)/#)
  }
  /// A number that was grouped in the line before.
  private static let allowed = ["neither because", "return seconds < 0"]

  @Test func countsInSentencesAreGrouped() throws {
    let findings = try ["Shell", "LuaBindings", "Terminal", "SQLiteStorage/Plans", "Stores/Plans"].flatMap { target in
      try Self.rule.findings(in: "Sources/\(target)")
    }.filter { finding in
      !finding.line.contains("Quantity.") && !finding.line.contains("///")
        && !Self.allowed.contains { finding.line.contains($0) }
    }
    #expect(findings.isEmpty, "write Quantity.count or Quantity.grouped: \(findings)")
  }

  @Test func theRuleFindsACountInASentence() {
    #expect(Self.rule.finds(#"  say("\(rows.count) rows")"#))
    #expect(Self.rule.finds(#"  say("\(count) × \(name)")"#))
    #expect(!Self.rule.finds(#"  say("\(Quantity.count(rows.count, "row"))")"#))
  }
}
