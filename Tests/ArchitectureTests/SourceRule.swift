import Foundation
import Glibc

/// What no line of the package's files may hold: an expression, and words of which a line must hold one to match it.
///
/// The words are looked for in bytes. A debug build takes about a millisecond to try an expression on a line, which is minutes
/// for all lines.
struct SourceRule {
  /// A line that a rule finds: its file below the folder, its number from 1, and what it says.
  struct Finding: CustomStringConvertible {
    var path: String
    var number: Int
    var line: String
    var description: String { "\(path):\(number): \(line.prefix(120))" }
  }

  private let words: [String]
  private let matches: (Substring) -> Bool

  init(_ words: [String], _ expression: some RegexComponent) {
    self.words = words
    // By default, `url.path` would be one word.
    let expression = expression.regex.wordBoundaryKind(.simple)
    matches = { $0.firstMatch(of: expression) != nil }
  }

  /// Whether the rule finds a line.
  func finds(_ line: some StringProtocol) -> Bool { words.contains { line.contains($0) } && matches(Substring(line)) }

  /// The lines of a folder's Swift files that the rule finds, by path.
  func findings(in folder: String, where isMeant: (_ path: String) -> Bool = { _ in true }) throws -> [Finding] {
    try SourceText.all(in: folder).filter { isMeant($0.path) }.flatMap { file in
      file.lines(holding: words).filter { matches($0.line) }.map {
        Finding(path: file.path, number: $0.number, line: String($0.line))
      }
    }
  }
}

/// A file of source or documentation: its path below the folder that was asked for, and its text.
struct SourceText {
  let path: String
  let text: String

  /// The Swift files of a folder of the package, or those with another ending, by path.
  static func all(in folder: String, ending: String = ".swift") throws -> [SourceText] {
    let root = Manifest.root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(ending) }.sorted().map {
      SourceText(path: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  /// The lines that hold one of the words, with their numbers from 1.
  func lines(holding words: [String]) -> [(number: Int, line: Substring)] {
    guard words.contains(where: isHeld) else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter { _, line in
      words.contains { line.contains($0) }
    }.map { ($0.offset + 1, $0.element) }
  }

  private func isHeld(_ word: String) -> Bool {
    text.withCString { strstr($0, word) != nil }
  }
}
