import Foundation
import Synchronization
import TestSupport
import Testing

/// Random tests and temporary folders come from TestSupport, so that each failure can be repeated and nothing is left behind.
@Suite struct RandomTestTests {
  /// What a test would have to write for numbers, folders or an effort of its own, and what there is instead.
  private static var rules: [(rule: SourceRule, instead: String)] {
    [
      (SourceRule(["RandomNumberGenerator"], /RandomNumberGenerator\s*\{/), "SplitMix"),
      (SourceRule(["SystemRandomNumberGenerator"], /SystemRandomNumberGenerator/), "SplitMix"),
      (
        SourceRule(
          ["0x9E37_79B9", "6_364_136_223", "state"],
          /0x9E37_79B9_7F4A_7C15|6_364_136_223_846_793_005|\^= ?state (?:<<|>>)/),
        "SplitMix"
      ),
      (
        SourceRule(
          [".random()", ".shuffled()", ".randomElement()"], /(?:[A-Z]\w*\.random|\.shuffled|\.randomElement)\(\)/),
        "SplitMix"
      ),
      (SourceRule([".random(in: "], /[A-Z]\w*\.random\(in: [^()&]*\)/), "SplitMix"),
      (
        SourceRule(
          ["temporaryDirectory", "NSTemporaryDirectory", "mkdtemp", "mkstemp"],
          /temporaryDirectory|NSTemporaryDirectory|mkdtemp|mkstemp/),
        "TemporaryFolder"
      ),
      (SourceRule(["\"PERILUNE_"], /"PERILUNE_(?:LONG_TESTS|SEED)"/), "Effort or Seed"),
    ]
  }

  private func isFound(_ line: String) -> Bool { Self.rules.contains { $0.rule.finds(line) } }

  @Test func noTestDeclaresAGeneratorOrATemporaryFolderOfItsOwn() throws {
    let own = [
      "TestSupport/", "ArchitectureTests/RandomTestTests.swift", "ArchitectureTests/OutsideWorldTests.swift",
    ]
    for (rule, instead) in Self.rules {
      let findings = try rule.findings(in: "Tests") { path in !own.contains(where: path.hasPrefix) }
      #expect(findings.isEmpty, "use \(instead) of TestSupport: \(findings)")
    }
  }

  @Test(arguments: [
    "struct Numbers: RandomNumberGenerator {", "var random = SystemRandomNumberGenerator()", "list.shuffled()",
    "let seed = UInt64.random(in: 0...UInt64.max)", "let url = FileManager.default.temporaryDirectory",
    "    state ^= state << 13", "NSTemporaryDirectory() + name",
  ])
  func theRuleFinds(line: String) { #expect(isFound(line)) }

  @Test(arguments: [
    "Int.random(in: 0..<items.count, using: &random)", "var random: any RandomNumberGenerator",
    "list.shuffled(using: &random)",
    "let folder = try TemporaryFolder()",
  ])
  func theRuleLeaves(line: String) { #expect(!isFound(line)) }

  @Test func noProductDependsOnWhatOnlyTestsShare() throws {
    let targets = try Manifest().targets
    #expect(
      !targets.contains { $0.name.hasSuffix("TestSupport") || $0.dependencies.contains { $0.hasSuffix("TestSupport") } }
    )
  }

  /// What the failures in `body` say.
  private func failures(in body: @Sendable () async throws -> Void) async throws -> String {
    let told = Mutex("")
    let collecting = IssueHandlingTrait.compactMapIssues { issue in
      told.withLock { $0 += issue.comments.map(\.rawValue).joined(separator: " ") }
      return nil
    }
    try await collecting.provideScope(for: try #require(Test.current), testCase: nil, performing: body)
    return told.withLock { $0 }
  }

  @Test func aFailureTellsItsSeeds() async throws {
    let test = try #require(Test.current)
    let said = try await failures {
      try await SeededTrait().provideScope(for: test, testCase: nil) {
        var random = SplitMix(seed: 7)
        _ = random.next()
        Issue.record("wrong")
      }
    }
    #expect(said.contains("wrong") && said.contains("seed 7 under PERILUNE_SEED="), "\(said)")
  }

  @Test func aRandomTestWithoutTheTraitFails() async throws {
    let said = try await failures { _ = SplitMix(seed: 7) }
    #expect(said.contains("needs the trait .seeded"), "\(said)")
  }
}
