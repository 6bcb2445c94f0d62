import Foundation
import Testing

/// Comments and documentation are held to words that do not mark sentences which must be read twice.
@Suite struct WordsTests {
  /// Words that mark such sentences.
  struct Mark: CustomTestStringConvertible {
    /// Why, and what to write instead.
    var reason: String
    /// Letters of which a line must hold some to match the expression.
    var letters: [String]
    var pattern: String
    var testDescription: String { letters.joined(separator: ", ") }

    func expression() throws -> Regex<AnyRegexOutput> { try Regex(pattern).wordBoundaryKind(.simple) }
  }

  /// To add one, rewrite all that it finds.
  static let marks = [
    Mark(
      reason: "names no subject: say which connection, program or user",
      letters: ["nobody", "Nobody", "nybody", "omebody"], pattern: #"(?i)(?:^|[^"\w])(?:no|any|some)body\b"#),
    Mark(
      reason: "leaves the subject open: say any, each, or regardless of",
      letters: ["hoever", "hatever"], pattern: #"(?i)\b(?:who|what)ever\b"#),
    Mark(
      reason: "has no subject: changes are reported, observers are notified, messages are shown",
      letters: [" told"], pattern: #"(?:^|[^"\w])(?:is|are|was|were|be|been|being) told\b(?! apart)"#),
    Mark(
      reason: "may mean three things: a step is undone, a save is reverted, a transaction is rolled back",
      letters: ["taken back", "take back", "takes back", "Takes back"],
      pattern: #"(?:(?:is|are|was|were|be|been) taken|[Tt]akes?) back\b"#),
    Mark(
      reason: "is long for notes, counts or records", letters: ["ake note", "akes note"], pattern: #"akes? note\b"#),
    Mark(reason: "is handwritten SQL", letters: ["SQL by hand"], pattern: #"SQL by hand\b"#),
    Mark(
      reason: "answers a question that nothing asked: a function returns", letters: ["; answers "],
      pattern: #"; answers "#),
    Mark(
      reason: "names no subject: say observers, followers or users", letters: ["hose who "], pattern: #"hose who "#),
    Mark(reason: "is empty, or without a value", letters: [" of nothing"], pattern: #" of nothing\b"#),
  ]

  /// The texts that people read: the comments of Swift files, and the pages of the documentation.
  static let texts: [SourceText] = {
    let swift = ["Sources", "Tests"].flatMap { folder in
      ((try? SourceText.all(in: folder)) ?? []).map { SourceText(path: "\(folder)/\($0.path)", text: $0.text) }
    }
    let pages = ((try? SourceText.all(in: "docs", ending: ".md")) ?? []).map {
      SourceText(path: "docs/\($0.path)", text: $0.text)
    }
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md"].compactMap { path in
      (try? String(contentsOf: Manifest.root.appending(path: path), encoding: .utf8)).map {
        SourceText(path: path, text: $0)
      }
    }
    return swift.filter { !$0.path.hasSuffix("/WordsTests.swift") } + pages + others
  }()

  /// The part of a line that people read: all of a page's, the comment of a Swift file's.
  static func prose(_ line: Substring, of path: String) -> Substring {
    guard path.hasSuffix(".swift") else { return line }
    guard let comment = line.firstRange(of: "// ") else { return "" }
    return line[comment.upperBound...]
  }

  @Test(arguments: marks) func noSentenceHasTheWord(mark: Mark) throws {
    let expression = try mark.expression()
    for text in Self.texts {
      for (number, line) in text.lines(holding: mark.letters) {
        guard let found = Self.prose(line, of: text.path).firstMatch(of: expression) else { continue }
        Issue.record("\(text.path):\(number): \"\(line[found.range])\" \(mark.reason)")
      }
    }
  }

  @Test func theMarksFindWhatTheyAreThereFor() throws {
    let expressions = try Self.marks.map { try $0.expression() }
    let sentences = [
      "  /// Whoever writes, the row is read again.", "// Nobody reads it.", "/// The observers that are told.",
      "/// A save can be taken back.", "/// Takes note of a row.", "/// Runs SQL by hand.",
      "/// Adds a row; answers its key.",
      "/// Wakes those who listen.", "/// A sum of nothing.",
    ]
    for sentence in sentences {
      let prose = Self.prose(sentence[...], of: "A.swift")
      #expect(expressions.contains { prose.firstMatch(of: $0) != nil }, "\(sentence)")
    }
    for sentence in ["/// Texts are told apart by their bytes.", "let note = \"nobody\"", "/// The store answers it."] {
      let prose = Self.prose(sentence[...], of: "A.swift")
      #expect(!expressions.contains { prose.firstMatch(of: $0) != nil }, "\(sentence)")
    }
  }
}
