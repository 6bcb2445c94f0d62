extension SwiftParser {
  /// Reads `{ quake in ... }`.
  package mutating func closure() -> SwiftSyntax {
    let body = braces()
    return SwiftSyntax(kind: .closure(body), range: body.range)
  }

  /// Reads a closure or the branch of an `if`.
  package mutating func braces() -> ClosureSyntax {
    let start = current.range.lowerBound
    let isBeforeBrace = isBeforeBrace
    self.isBeforeBrace = false
    defer { self.isBeforeBrace = isBeforeBrace }
    expect("{")
    var closure = ClosureSyntax(parameters: nil, statements: [], range: range(from: start))
    if hasHeader { closure.parameters = header() }
    closure.statements = statements()
    expect("}")
    closure.range = range(from: start)
    return closure
  }

  /// Whether parameters stand at the beginning of a closure: names and types up to `in`.
  private var hasHeader: Bool {
    if let keyword, ["for", "if", "let", "var", "switch", "guard", "while", "return"].contains(keyword) {
      return false
    }
    let signs: Set<String> = ["(", ")", ",", ":", "->", "?", "!", "[", "]", "<", ">", "."]
    for offset in 0..<60 {
      switch next(offset).kind {
      case .name("in") where !isEscaped(next(offset)): return true
      case .name(let name): if name.hasPrefix("$") { return false }
      case .sign(let sign): if !signs.contains(sign) { return false }
      case .attribute: break
      default: return false
      }
    }
    return false
  }

  /// Reads `(a: Quake, b) -> Bool in`.
  private mutating func header() -> [(name: String, type: TypeSyntax?)] {
    while case .attribute = current.kind { advance() }
    if isSign("[") { skipBrackets() }
    let isInParentheses = accept("(")
    var parameters: [(name: String, type: TypeSyntax?)] = []
    while let name = word, !isWord("in") {
      advance()
      parameters.append((name, accept(":") ? type() : nil))
      guard accept(",") else { break }
    }
    if isInParentheses { expect(")") }
    while current.kind != .end, !isWord("in") { advance() }
    advance()
    return parameters
  }

  /// Reads `if let a = b, c { ... } else { ... }`.
  package mutating func conditional() -> SwiftSyntax {
    nested(otherwise: SwiftSyntax(kind: .unreadable, range: current.range)) { $0.unguardedConditional() }
  }

  private mutating func unguardedConditional() -> SwiftSyntax {
    let start = current.range.lowerBound
    advance()
    let outer = isBeforeBrace
    isBeforeBrace = true
    var conditions: [SwiftConditional.Condition] = []
    repeat { conditions.append(condition()) } while accept(",")
    isBeforeBrace = outer
    var conditional = SwiftConditional(conditions: conditions, then: braces())
    if acceptWord("else") {
      if isWord("if") {
        let inner = self.conditional()
        let statement = SwiftStatement(kind: .value(inner), range: inner.range)
        conditional.otherwise = ClosureSyntax(parameters: nil, statements: [statement], range: inner.range)
      } else {
        conditional.otherwise = braces()
      }
    }
    return SwiftSyntax(kind: .conditional(conditional), range: range(from: start))
  }

  package mutating func condition() -> SwiftConditional.Condition {
    if isWord("case") { return pattern() }
    guard isWord("let") || isWord("var"), case .name(let name) = next().kind else { return .value(value()) }
    let place = next().range
    advance()
    advance()
    if accept(":") { _ = type() }
    let value = accept("=") ? value() : SwiftSyntax(kind: .name(name), range: place)
    return .binding(name, value)
  }

  /// Skips `case .found(let quake) = result`.
  private mutating func pattern() -> SwiftConditional.Condition {
    let start = current.range.lowerBound
    while current.kind != .end, !isSign(","), !isSign("{"), !isWord("else") {
      if isSign("(") || isSign("[") { skipBrackets() } else { advance() }
    }
    return .pattern(range(from: start))
  }
}
