import Foundation
import TestSupport
import Testing

/// Everybody finds the guide for what is to be done, and each link leads somewhere.
@Suite struct GuideTests {
  static let pages: [String] = {
    let docs = (try? FileManager.default.contentsOfDirectory(atPath: Perilune.root.path + "/docs")) ?? []
    return [
      "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "RELEASING.md", "docs/decisions/README.md",
    ]
      + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }()

  /// The text of a page without what is in fences.
  private func text(_ page: String) throws -> String {
    try String(contentsOf: Perilune.root.appending(path: page), encoding: .utf8)
      .replacing(/(?ms)^```.*?^```/, with: "")
  }

  @Test func theListOfGuidesNamesAll() throws {
    let (byTask, readme) = (try text("docs/README.md"), try text("README.md"))
    let guides = Self.pages.filter { $0.hasPrefix("docs/") && !$0.hasSuffix("/README.md") }
    #expect(guides.count > 20)
    for guide in guides {
      #expect(byTask.contains("(\(guide.dropFirst(5)))") || byTask.contains("(\(guide.dropFirst(5))#"), "\(guide)")
      #expect(readme.contains("(\(guide))"), "\(guide)")
    }
  }

  @Test func theListOfDecisionsNamesEachWithItsStateAndTitle() throws {
    let list = try text("docs/decisions/README.md")
    let folder = Perilune.root.path + "/docs/decisions"
    let decisions = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "README.md" }
    #expect(decisions.count > 12)
    for decision in decisions {
      let lines = try text("docs/decisions/\(decision)").split(separator: "\n")
      let isSuperseded = lines.contains { $0.hasPrefix("Superseded by") }
      let row = try #require(
        list.split(separator: "\n").first {
          $0.contains("](\(decision)) |") && $0.hasPrefix("| \(decision.prefix(4)) |")
        }, "\(decision)")
      #expect(row.contains(lines[0].dropFirst(2)) && row.contains("superseded by") == isSuperseded, "\(row)")
    }
  }

  @Test(arguments: pages)
  func eachLinkLeadsSomewhere(page: String) throws {
    let folder = page.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for match in try text(page).matches(of: /\]\(([^)\s]+)\)/) where !match.1.hasPrefix("http") {
      let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? page : folder + parts[0]
      #expect(FileManager.default.fileExists(atPath: Perilune.root.path + "/" + target), "\(page): \(match.1)")
      guard parts.count == 2 else { continue }
      let anchors = try text(target).matches(of: /(?m)^#+ (.*)$/).map { Self.anchor(of: $0.1) }
      #expect(anchors.contains(String(parts[1])), "\(page): \(match.1)")
    }
  }

  /// The anchor that is made of a headline.
  private static func anchor(of headline: Substring) -> String {
    String(headline.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }).replacing(" ", with: "-")
  }

  static let scripts = ["demo", "install", "test", "package", "format", "order"]

  @Test(arguments: scripts)
  func aScriptSaysWhatItTakesAndRefusesTheRest(name: String) throws {
    let folder = try TemporaryFolder()
    func run(_ arguments: String) throws -> Perilune.Output {
      try Perilune.runCommand(["bash", "-c", "'\(Perilune.root.path)/scripts/\(name)' \(arguments)"], in: folder)
    }
    for option in ["--help", "-h"] {
      let help = try run(option)
      #expect(help.status == 0)
      #expect(help.text.hasPrefix("usage: scripts/\(name)") && help.text.count > 60, "\(help.text)")
    }
    for wrong in ["--nothing", "a b c"] {
      let result = try run(wrong)
      #expect(result.status == 64)
      #expect(result.errors.contains("usage: scripts/\(name)"), "\(result.errors)")
    }
  }

  @Test func theReadmeBeginsWithWhatCanBeRun() throws {
    let readme = try text("README.md")
    let beginning = try #require(readme.firstRange(of: "\n- ")).lowerBound
    for script in ["scripts/demo", "scripts/install", "scripts/test"] { #expect(readme[..<beginning].contains(script)) }
  }
}
