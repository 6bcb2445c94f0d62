internal import LuaBindings
internal import Modeling

// Predicates that are written as Lua, operators of other languages.
extension LuaMistake {
  /// The methods whose first argument is a predicate.
  static let takesPredicate: Set = [
    "where", "count", "first", "exists", "batchDelete", "batchUpdate", "counts", "check",
  ]

  /// `Quake:where(magnitude > 5)`
  func predicateWithoutQuotes() -> Explanation? {
    guard
      isSyntax || message.hasPrefix("attempt to compare") || message.contains("expected a predicate")
        || message.contains("nil value (global '")
    else { return nil }
    for index in tokens.indices where text(index) == ":" && Self.takesPredicate.contains(text(index + 1)) {
      let isInParentheses = text(index + 2) == "("
      let first = index + (isInParentheses ? 3 : 2)
      guard beginsPredicate(first) else { continue }
      let end = isInParentheses ? closingToken(index + 2) ?? tokens.count : tokens.count
      // Arguments follow the predicate.
      let comma = (first..<end).first { text($0) == "," } ?? end
      guard comma > first else { continue }
      let predicate = text(from: first, through: comma - 1).replacing("\"", with: "'").replacing("~=", with: "!=")
      let rest = comma < end ? text(from: comma, through: end - 1) : ""
      let call = "(\"\(predicate)\"\(rest))"
      let last = min(end, tokens.count - 1)
      return Explanation(
        message: "a predicate is a text, in quotes", note: "write \(line(replacing: index + 2...last, with: call))")
    }
    return nil
  }

  /// Whether a comparison that begins here has the name of a property where Lua has none.
  private func beginsPredicate(_ first: Int) -> Bool {
    guard tokens.indices.contains(first) else { return false }
    let word = text(first)
    if ["not", "NOT", "ANY", "ALL", "NONE", "("].contains(word) { return beginsPredicate(first + 1) }
    return tokens[first].kind == .name && isProperty(word) && !isKnown(word) && text(first + 1) != ":"
  }

  /// `x != 5`, `n += 1`, `a && b`
  func foreignOperator() -> Explanation? {
    guard isSyntax else { return nil }
    for index in tokens.indices.dropLast() where tokens[index].kind == .symbol {
      let isAdjacent = tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
      let pair = isAdjacent ? text(index) + text(index + 1) : text(index)
      switch pair {
      case "!=", "!==": return Explanation(message: "Lua writes ~= for 'not equal'", note: replacing(index, 2, "~="))
      case "&&": return Explanation(message: "Lua writes and, not &&", note: replacing(index, 2, "and"))
      case "||": return Explanation(message: "Lua writes or, not ||", note: replacing(index, 2, "or"))
      case "===": return Explanation(message: "Lua writes == for 'equal'", note: replacing(index, 2, "=="))
      case "+=", "-=", "*=", "/=":
        guard index > 0 else { return nil }
        let target = text(index - 1)
        let sign = String(pair.prefix(1))
        return Explanation(
          message: "Lua has no \(pair)", note: replacing(index, 2, "= \(target) \(sign)"))
      case "++", "--":
        guard index > 0 else { return nil }
        return Explanation(message: "Lua has no \(pair)", note: replacing(index, 2, "= \(text(index - 1)) + 1"))
      case "=":
        guard message.hasPrefix("'then' expected near '='") || message.hasPrefix("'do' expected near '='") else {
          continue
        }
        return Explanation(message: "= sets a value; == compares", note: replacing(index, 1, "=="))
      case "!": return Explanation(message: "Lua writes not, not !", note: replacing(index, 1, "not "))
      default: continue
      }
    }
    return nil
  }

  private func replacing(_ index: Int, _ count: Int, _ text: String) -> String {
    "write \(line(replacing: index...index + count - 1, with: text))"
  }

  /// `"magnitude: " + 5`
  func joinedTexts() -> Explanation? {
    guard message.contains("attempt to add a 'string'") || message.contains("with a 'string'"),
      message.hasPrefix("attempt to add"), let plus = tokens.indices.first(where: { text($0) == "+" })
    else { return nil }
    return Explanation(message: "+ adds numbers; .. joins texts", note: replacing(plus, 1, ".."))
  }
}
