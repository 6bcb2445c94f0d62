/// A statement of SQL, and where its clauses stand.
struct SQLClauses {
  let text: String
  let tokens: [SQLToken]
  /// The token that says what the statement does, behind `WITH ... AS (...)`.
  let verb: Int

  private static let starters: Set = ["SET", "FROM", "WHERE", "RETURNING", "ORDER", "LIMIT"]

  init(_ text: String) {
    self.text = text
    tokens = SQLToken.tokens(of: text) ?? []
    let verbs = Self.outermost(tokens).lazy.filter { [tokens] in ["DELETE", "UPDATE"].contains(tokens[$0].keyword) }
    verb = tokens.first?.keyword == "WITH" ? verbs.first ?? 0 : 0
  }

  /// The text before the verb, with the blank behind it.
  var with: String { verb == 0 ? "" : text(0..<verb) + " " }

  /// The text of some tokens, without the blanks behind.
  func text(_ range: Range<Int>) -> String {
    guard let first = range.first else { return "" }
    let end = range.upperBound < tokens.count ? tokens[range.upperBound].start : text.endIndex
    let part = text[tokens[first].start..<end]
    return String(part[...(part.lastIndex { !$0.isWhitespace } ?? part.startIndex)])
  }

  /// The clause that begins with a word, at or behind a token, up to the next one.
  func clause(_ word: String, from start: Int) -> Range<Int>? {
    let places = Self.outermost(tokens).filter { $0 >= start }
    guard let first = places.first(where: { tokens[$0].keyword == word }) else { return nil }
    return first..<(places.first { $0 > first && Self.starters.contains(tokens[$0].keyword) } ?? tokens.count)
  }

  /// The tokens outside of parentheses.
  private static func outermost(_ tokens: [SQLToken]) -> [Int] {
    var depth = 0
    return tokens.indices.filter { index in
      if tokens[index].isSign(")") { depth -= 1 }
      defer { if tokens[index].isSign("(") { depth += 1 } }
      return depth == 0
    }
  }

  /// The text of a statement whose parameters - `?`, `?2`, `:name` - all have numbers, and how many arguments it takes.
  ///
  /// A part of the statement then takes the same arguments as the whole.
  static func numbered(_ tokens: ArraySlice<SQLToken>, in text: Substring) -> (String, count: Int) {
    var result = ""
    var names: [String: Int] = [:]
    var count = 0
    var rest = tokens
    while let token = rest.popFirst() {
      let isNamed = token.isSign(":") || token.isSign("@") || token.keyword.hasPrefix("$")
      guard token.isSign("?") || isNamed else {
        result += text[token.start..<(rest.first?.start ?? text.endIndex)]
        continue
      }
      var name = token.text
      if token.kind == .sign, let next = rest.first, next.start == text.index(after: token.start),
        SQLToken.isPart(text[next.start])
      {
        name += next.text
        rest.removeFirst()
      }
      let number = names[name] ?? Int(name.dropFirst()) ?? count + 1
      if isNamed { names[name] = number }
      count = max(count, number)
      result += "?\(number) "
    }
    return (result, count)
  }

  /// How many arguments a text takes whose parameters have numbers.
  static func parameterCount(of text: String) -> Int {
    let tokens = SQLToken.tokens(of: text) ?? []
    return zip(tokens, tokens.dropFirst()).lazy.filter { $0.0.isSign("?") }.compactMap { Int($0.1.text) }.max() ?? 0
  }
}
