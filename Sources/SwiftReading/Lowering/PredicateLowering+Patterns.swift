extension PredicateLowering {
  /// The pattern of a whole text that has a match of `pattern` somewhere.
  static func wholePattern(_ pattern: String) -> String {
    var body = pattern[...]
    if body.hasPrefix("\\A(?:"), body.hasSuffix(")\\z"), closesAtEnd(body.dropFirst(2).dropLast(2)) {
      return String(body.dropFirst(5).dropLast(3))
    }
    let isAnchored = body.hasPrefix("^")
    if isAnchored { body = body.dropFirst() }
    let backslashes = body.dropLast().reversed().prefix { $0 == "\\" }.count
    let isEnded = body.hasSuffix("$") && backslashes.isMultiple(of: 2)
    if isEnded { body = body.dropLast() }
    if isAnchored, isEnded, body.hasPrefix("(?:"), closesAtEnd(body) { return String(body.dropFirst(3).dropLast()) }
    // Anchors belong to the alternatives they stand in.
    if body.contains("|"), !(body.hasPrefix("(") && closesAtEnd(body)) { return ".*(?:\(pattern)).*" }
    return (isAnchored ? "" : ".*") + body + (isEnded ? "" : ".*")
  }

  /// Whether the group that opens a pattern is closed by its last character.
  private static func closesAtEnd(_ pattern: Substring) -> Bool {
    var depth = 0
    var isEscaped = false
    var isClass = false
    for (offset, character) in pattern.enumerated() {
      defer { isEscaped = character == "\\" && !isEscaped }
      if isEscaped { continue }
      switch character {
      case "[": isClass = true
      case "]": isClass = false
      case "(" where !isClass: depth += 1
      case ")" where !isClass:
        depth -= 1
        if depth == 0 { return offset == pattern.count - 1 }
      default: break
      }
    }
    return false
  }
}
