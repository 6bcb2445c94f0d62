internal import Modeling
internal import Presentation

/// SQL typed where Lua is expected, with its equivalent in Lua.
///
///     select * from quake where magnitude > 5       Quake:where "magnitude > 5"
///     update quake set place = 'x' where felt = 1   Quake:where("felt = 1"):update({ place = "x" })
package struct SQLHabit {
  /// The equivalent in Lua; nil if there is none, or if it has another answer.
  let suggestion: String?
  private let text: String

  private static let words: Set<String> = [
    "select", "insert", "update", "delete", "create", "drop", "alter", "pragma", "explain", "with", "begin", "commit",
    "show", "describe", "desc", "truncate", "vacuum",
  ]

  private static let wordsOfOthers: Set<String> = ["show", "describe", "desc", "truncate"]

  /// Whether a text begins like an SQL statement: a keyword followed by another word.
  package static func matches(_ text: String) -> Bool {
    let words = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
    guard words.count >= 2, Self.words.contains(words[0].lowercased()), let next = words[1].first else { return false }
    guard next.isLetter || next == "*" || next == "_" || next == "\"" || words[1].hasPrefix("count(") else {
      return false
    }
    return !["and", "or", "then", "do", "end"].contains(words[1])
  }

  init(_ text: String, _ comparison: SQLComparison) {
    self.text = text.trimmingSpace
    let translation = SQLTranslation(self.text, comparison.engine)
    let outcome = translation?.check.map { comparison.verdict(on: $0) }
    suggestion = outcome == .different ? nil : translation?.lua
  }

  var diagnostic: Diagnostic {
    var diagnostic = Diagnostic("this is SQL, and lines are Lua here")
    // Other databases understand it, SQLite does not.
    let isOfOthers = Self.wordsOfOthers.contains(text.prefix { $0.isLetter }.lowercased())
    diagnostic.notes = isOfOthers && suggestion != nil ? [] : ["as SQL: .sql \(text)"]
    diagnostic.notes.insert(suggestion.map { "the same here: \($0)" } ?? "requests for it: docs/sql.md", at: 0)
    return diagnostic
  }
}
