internal import Modeling
internal import RelationalStorage

/// The words, names and literals of a statement of SQL, read one by one.
struct SQLReader {
  private let text: String
  private var rest: ArraySlice<SQLToken>

  /// A literal, as SQL means it.
  enum Literal: Equatable {
    case null
    case bool(Bool)
    /// A number, as it is written.
    case number(String)
    case text(String)
  }

  /// Reads a text; nil if it ends within a quoted text.
  init?(_ text: String) {
    guard let tokens = SQLToken.tokens(of: text) else { return nil }
    (self.text, rest) = (text, tokens[...])
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The text between this reader and a later one.
  func text(to end: SQLReader) -> String {
    let place = end.rest.first?.start ?? text.endIndex
    return String(text[(rest.first?.start ?? text.endIndex)..<place]).trimmingSpace
  }

  /// Takes the words if they come next.
  mutating func takes(_ words: String...) -> Bool {
    guard rest.prefix(words.count).map(\.keyword) == words else { return false }
    rest = rest.dropFirst(words.count)
    return true
  }

  mutating func takes(sign: String) -> Bool {
    guard rest.first?.isSign(sign) == true else { return false }
    rest.removeFirst()
    return true
  }

  /// The next name, unless it is a word that ends a list or an expression.
  mutating func name() -> String? {
    guard let token = rest.first, token.isName, !Self.reserved.contains(token.keyword) else { return nil }
    rest.removeFirst()
    return token.text
  }

  /// The next sign of a comparison.
  mutating func comparison() -> String? {
    let signs = String(rest.prefix(2).prefix { $0.kind == .sign }.map(\.text).joined())
    guard let sign = ["<>", "!=", "<=", ">=", "==", "=", "<", ">"].first(where: { signs.hasPrefix($0) }) else {
      return nil
    }
    rest = rest.dropFirst(sign.count)
    return sign
  }

  /// The next literal; nil for anything else.
  mutating func literal() -> Literal? {
    if takes("NULL") { return .null }
    if takes("TRUE") { return .bool(true) }
    if takes("FALSE") { return .bool(false) }
    let before = rest
    let sign = takes(sign: "-") ? "-" : ""
    guard let token = rest.popFirst() else { return nil }
    if token.kind == .constant, text[token.start] != "'" {
      if let number = number(token) { return .number(sign + number) }
    } else if sign.isEmpty, token.kind == .constant || token.kind == .quotedName && text[token.start] == "\"" {
      return .text(quoted(token))
    }
    rest = before
    return nil
  }

  /// `5`, `5.25`, `1e3`: numbers of several tokens.
  private mutating func number(_ first: SQLToken) -> String? {
    var number = first.text
    if rest.first?.isSign(".") == true, let digits = rest.dropFirst().first, digits.kind == .constant {
      rest = rest.dropFirst(2)
      number += "." + digits.text
    }
    return Double(number) == nil ? nil : number
  }

  /// A text with the doubled quotes in it.
  private mutating func quoted(_ first: SQLToken) -> String {
    let quote = text[first.start]
    var (content, end) = (first.text, text.index(first.start, offsetBy: first.text.count + 2))
    while let next = rest.first, next.start == end, text[next.start] == quote {
      content += String(quote) + next.text
      end = text.index(next.start, offsetBy: next.text.count + 2)
      rest.removeFirst()
    }
    return content
  }

  private static let reserved: Set = [
    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "AND", "OR", "NOT", "IS", "IN", "LIKE",
    "ILIKE",
    "BETWEEN", "AS", "BY", "SET", "VALUES", "DISTINCT", "CASE", "NULL", "TRUE", "FALSE", "EXISTS", "CAST",
  ]
}
