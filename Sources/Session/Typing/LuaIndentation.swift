internal import LuaBindings

/// How far the lines of a block are indented: two columns for everything that is open before them.
package enum LuaIndentation {
  private static let openers: Set = ["function", "do", "then", "repeat", "else", "{", "(", "["]
  private static let closers: Set = ["end", "until", "elseif", "else", "}", ")", "]"]

  /// The columns before a line with that text, behind the lines `before` it.
  package static func columns(of line: String, after before: String) -> Int {
    var depth = 0
    for word in words(of: before) {
      if closers.contains(word) { depth = max(depth - 1, 0) }
      if openers.contains(word) { depth += 1 }
    }
    if let first = words(of: line).first, closers.contains(first) { depth -= 1 }
    return 2 * max(depth, 0)
  }

  /// The keywords and signs of a text, those in strings and comments left out.
  private static func words(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return LuaToken.tokens(of: text).compactMap { token in
      switch token.kind {
      case .keyword, .symbol, .name, .number: String(decoding: bytes[token.range], as: UTF8.self)
      case .string, .comment: nil
      }
    }
  }
}
