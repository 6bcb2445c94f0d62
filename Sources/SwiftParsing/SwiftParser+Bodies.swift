extension SwiftParser {
  // MARK: Statements that are skipped

  /// Skips a statement that is not read; the names in it show what it may change.
  package mutating func skipped(_ word: String, from start: Int) -> SwiftStatement {
    let first = index
    advance()
    while current.kind != .end, !isSign("}"), !isSign(";"), !current.beginsLine {
      if isSign("{") || isSign("(") || isSign("[") { skipBrackets() } else { advance() }
    }
    var statement = SwiftStatement(kind: .other(word), range: range(from: start))
    statement.names = names(from: first)
    return statement
  }

  /// The names from a token that was read to the current one.
  private func names(from first: Int) -> Set<String> {
    var names: Set<String> = []
    for offset in first - index..<0 {
      switch next(offset).kind {
      case .name(let name), .pound(let name): names.insert(name)
      default: break
      }
    }
    return names
  }

  // MARK: Statements with braces

  /// Reads `guard let limit, limit > 0 else { return nil }`.
  mutating func guarded(from start: Int) -> SwiftStatement {
    advance()
    let outer = isBeforeBrace
    isBeforeBrace = true
    var conditions: [SwiftConditional.Condition] = []
    repeat { conditions.append(condition()) } while accept(",")
    isBeforeBrace = outer
    let empty = ClosureSyntax(parameters: nil, statements: [], range: range(from: start))
    var conditional = SwiftConditional(conditions: conditions, then: empty, isGuard: true)
    if acceptWord("else") { conditional.otherwise = braces() } else { unexpected("else") }
    let value = SwiftSyntax(kind: .conditional(conditional), range: range(from: start))
    return SwiftStatement(kind: .value(value), range: value.range)
  }

  /// Reads `do { ... } catch { ... }`: its statements, and the `catch` clauses as one statement that is skipped.
  package mutating func block(from start: Int) -> [SwiftStatement] {
    advance()
    let head = SwiftStatement(kind: .other("do"), range: range(from: start))
    var statements = [head] + braces().statements
    while isWord("catch") { statements.append(skippedCatch()) }
    return statements
  }

  private mutating func skippedCatch() -> SwiftStatement {
    let (first, start) = (index, current.range.lowerBound)
    while current.kind != .end, !isSign("{"), !isSign("}") { advance() }
    if isSign("{") { skipBrackets() }
    var statement = SwiftStatement(kind: .other("catch"), range: range(from: start))
    statement.names = names(from: first)
    return statement
  }

  // MARK: Parameters

  /// Reads `(since date: Date, _ limit: Int = 10)` as declarations without a value.
  package mutating func parameters() -> [SwiftStatement] {
    let first = index
    skipBrackets()
    let end = index
    rewind(to: first)
    var parameters: [SwiftStatement] = []
    advance()
    while index < end - 1 {
      while case .attribute = current.kind { advance() }
      let start = current.range.lowerBound
      guard let label = word else { break }
      advance()
      var declaration = SwiftDeclaration(name: label)
      if let name = word {
        declaration.name = name
        advance()
      }
      declaration.label = label
      if accept(":") { declaration.type = type() }
      parameters.append(SwiftStatement(kind: .declaration(declaration), range: range(from: start)))
      // A default is a value that a call may replace.
      while index < end - 1, !isSign(",") {
        if isSign("(") || isSign("[") || isSign("{") { skipBrackets() } else { advance() }
      }
      if index < end - 1 { advance() }
    }
    rewind(to: end)
    return parameters
  }
}
