internal import Modeling
internal import Terminal

/// SQL typed where Lua is expected, with its equivalent in Lua.
///
///     select * from quake where magnitude > 5       Quake:where "magnitude > 5"
struct SQLHabit {
  /// The equivalent in Lua.
  let suggestion: String
  private let text: String

  private static let words: Set<String> = [
    "select", "insert", "update", "delete", "create", "drop", "alter", "pragma", "explain", "with", "begin", "commit",
  ]

  /// Whether a text begins like an SQL statement: a keyword followed by another word.
  static func matches(_ text: String) -> Bool {
    let words = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
    guard words.count >= 2, Self.words.contains(words[0].lowercased()), let next = words[1].first else { return false }
    guard next.isLetter || next == "*" || next == "_" || next == "\"" || words[1].hasPrefix("count(") else {
      return false
    }
    return !["and", "or", "then", "do", "end"].contains(words[1])
  }

  init(_ text: String, model: Model?) {
    self.text = String(text.drop(while: \.isWhitespace))
    suggestion = Self.translate(self.text, model)
  }

  var diagnostic: Diagnostic {
    var diagnostic = Diagnostic("this is SQL, and lines are Lua here")
    diagnostic.notes = ["the same here: \(suggestion)", "as SQL: .sql \(text)"]
    return diagnostic
  }

  private static func translate(_ text: String, _ model: Model?) -> String {
    let entities = model?.entities ?? []
    let example = entities.first?.name ?? "Entity"
    let words = text.split { $0.isWhitespace || $0 == ";" || $0 == "," }
    guard words.first?.lowercased() == "select", let from = words.firstIndex(where: { $0.lowercased() == "from" }),
      from + 1 < words.count
    else { return "\(example):all(), \(example):where \"…\"" }
    let table = words[from + 1].lowercased().filter { $0 != "_" && $0 != "\"" }
    let name = entities.first { $0.name.lowercased() == table }?.name ?? example
    let isCount = words[1].lowercased().hasPrefix("count(")
    guard let place = words.first(where: { $0.lowercased() == "where" })?.endIndex else {
      return isCount ? "\(name):count()" : "\(name):all()"
    }
    let condition = text[place...].drop(while: \.isWhitespace).prefix { $0 != ";" && !$0.isNewline }
    let quoted = String(condition).quotedForLua
    return isCount ? "\(name):count(\(quoted))" : "\(name):where(\(quoted))"
  }
}
