import Foundation
import Testing

/// Each type that docs/glossary.md names exists, and each word is explained once.
@Suite struct GlossaryTests {
  /// A row of the glossary's tables.
  struct Entry: CustomTestStringConvertible {
    var word: String
    var types: [String]
    var testDescription: String { word }
  }

  static let entries: [Entry] = {
    let page = (try? String(contentsOf: Manifest.root.appending(path: "docs/glossary.md"), encoding: .utf8)) ?? ""
    return page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 6, !cells[1].hasPrefix("---"), cells[1] != " word " else { return nil }
      return Entry(
        word: cells[1].trimmingCharacters(in: .whitespaces), types: cells[4].matches(of: /`(\w+)`/).map { String($0.1) }
      )
    }
  }()

  /// The names of all types under Sources.
  static let types: Set<String> = {
    let files = (try? SourceText.all(in: "Sources")) ?? []
    return Set(
      files.flatMap { $0.text.matches(of: /\b(?:class|struct|enum|protocol|actor|typealias) (\w+)/) }.map {
        String($0.1)
      })
  }()

  @Test(arguments: entries) func everyTypeOfAWordExists(entry: Entry) {
    for type in entry.types { #expect(Self.types.contains(type), "\(entry.word) names \(type), which is no type") }
  }

  @Test func eachWordIsExplainedOnce() {
    let words = Self.entries.flatMap { $0.word.split(separator: ", ") }
    #expect(words.count > 60)
    #expect(Set(words).count == words.count)
  }
}
