/// Patterns of LIKE and MATCHES as regular expressions of Swift.
enum SwiftPattern: Hashable {
  case literal(String)
  /// `*`
  case anything
  /// `?`
  case one

  /// The pieces of a LIKE pattern; a backslash takes a character literally.
  static func like(_ pattern: String) -> [SwiftPattern] {
    var pieces: [SwiftPattern] = []
    var text = ""
    func flush() {
      if !text.isEmpty { pieces.append(.literal(text)) }
      text = ""
    }
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*":
        flush()
        if pieces.last != .anything { pieces.append(.anything) }
      case "?":
        flush()
        pieces.append(.one)
      case "\\": if let next = scalars.next() { text.unicodeScalars.append(next) } else { text += "\\" }
      default: text.unicodeScalars.append(scalar)
      }
    }
    flush()
    return pieces
  }

  /// One letter for the kind of piece.
  var shape: String {
    switch self {
    case .literal: "a"
    case .anything: "*"
    case .one: "?"
    }
  }

  /// The piece as a part of a regular expression.
  var regularExpression: String {
    switch self {
    case .literal(let text): Self.regularExpression(escaping: text)
    case .anything: ".*"
    case .one: "."
    }
  }

  /// A regular expression that matches `text` alone.
  static func regularExpression(escaping text: String) -> String {
    var result = ""
    for character in text {
      if #"\^$.|?*+()[]{}/#-"#.contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  /// Whether a pattern means the same in a regex literal, which knows most of ICU's expressions but not all.
  static func isRegexLiteral(_ pattern: String) -> Bool {
    !pattern.contains("\n") && !pattern.contains("\r") && !pattern.contains("/#") && (try? Regex(pattern)) != nil
  }
}
