internal import Modeling

/// The levels of values, loosest first.
private let infixLevels: [[String: ExpressionFunction]] = [
  ["|": .bitwiseOr],
  ["^": .bitwiseXor],
  ["&": .bitwiseAnd],
  ["+": .add, "-": .subtract],
  ["*": .multiply, "/": .divide],
  ["**": .power],
]

extension PredicateParser {
  /// Reads a value; a condition in its place is a mistake.
  mutating func value() -> Expression {
    let start = current.range.lowerBound
    switch nested(otherwise: .value(.constant(.null)), { $0.operand() }) {
    case .value(let expression): return expression
    case .condition:
      report(.unexpected(found: "a condition", expected: "a value"), at: origin(from: start))
      return .constant(.null)
    }
  }

  /// Reads one side of a comparison, which may turn out to be a condition in parentheses.
  mutating func operand() -> Parsed { infix(0) }

  /// Reads operators of one level; all associate to the left.
  private mutating func infix(_ level: Int) -> Parsed {
    guard level < infixLevels.count else { return prefix() }
    var parsed = infix(level + 1)
    while case .sign(let sign) = current.kind, let function = infixLevels[level][sign] {
      guard case .value(let left) = parsed else {
        unexpected("AND, OR or the end")
        return parsed
      }
      let start = current.range.lowerBound
      advance()
      let place = origin(from: start)
      guard chain(), case .value(let right) = infix(level + 1) else {
        unexpected("a value")
        return parsed
      }
      parsed = .value(.call(function, left, right, at: place))
    }
    return parsed
  }

  /// Reads `-` before a value; it binds tighter than `**`, and before a number it belongs to the number.
  private mutating func prefix() -> Parsed {
    guard isSign("-") || isSign("+") else { return postfix() }
    let start = current.range.lowerBound
    let isNegative = isSign("-")
    advance()
    if case .number(let digits) = current.kind {
      advance()
      return postfix(.constant(numberValue(digits, isNegative: isNegative) ?? .null))
    }
    return nested(otherwise: .value(.constant(.null))) { parser in
      let place = parser.origin(from: start)
      guard case .value(let operand) = parser.prefix() else {
        parser.unexpected("a value")
        return .value(.constant(.null))
      }
      return .value(isNegative ? .call(.negate, operand, at: place) : operand)
    }
  }

  private mutating func postfix() -> Parsed {
    switch atom() {
    case .value(let expression): return postfix(expression)
    case .condition(let predicate): return .condition(predicate)
    }
  }

  /// Reads the keys and subscripts that follow `expression`.
  private mutating func postfix(_ expression: Expression) -> Parsed {
    var result = expression
    while isSign(".") || isSign("[") {
      guard chain() else { break }
      if isSign("[") {
        result = subscripted(result)
      } else {
        advance()
        result = member(of: result)
      }
    }
    return .value(result)
  }

  private mutating func subscripted(_ expression: Expression) -> Expression {
    advance()
    let subscripts: [String: Subscript] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    let chosen: Subscript
    if let keyword = current.keyword, let named = subscripts[keyword], next().kind == .sign("]") {
      advance()
      chosen = named
    } else {
      chosen = .index(value())
    }
    expect("]")
    return .subscripted(expression, chosen)
  }

  /// Reads what stands after a point: a key, a collection operator or `%K`.
  mutating func member(of expression: Expression) -> Expression {
    let start = current.range.lowerBound
    switch current.kind {
    case .word(let word):
      advance()
      return append(word, isEscaped: false, to: expression, from: start)
    case .escapedKey(let key):
      advance()
      return append(key, isEscaped: true, to: expression, from: start)
    case .collectionOperator(let name):
      advance()
      return collection(name, of: expression, from: start)
    case .placeholder(let specification, let ordinal) where PlaceholderKind(specification) == .keyPath:
      advance()
      return appendKeys(of: ordinal, to: expression, from: start)
    default:
      unexpected("a key")
      recover()
      return expression
    }
  }

  /// Appends one key; `self` after another key changes nothing.
  mutating func append(
    _ key: String, isEscaped: Bool, to expression: Expression, from start: Int
  ) -> Expression {
    if !isEscaped, key.lowercased() == "self" { return expression }
    let place = origin(from: start)
    if let longer = expression.member(key, at: place) { return longer }
    if !issues.contains(where: { $0.fact == .tooDeep }) {
      report(.unsupported("a key of a value that is no object"), at: place)
    }
    return expression
  }

  /// Reads the key after a collection operator; `self` stands for the elements themselves.
  mutating func collection(_ name: String, of expression: Expression, from start: Int) -> Expression {
    guard let function = collectionOperator(name, from: start) else { return expression }
    let result = Expression.collection(function, of: expression, key: nil)
    if function != .count, !isSign(".") { unexpected("a key after \(function.rawValue), or .self") }
    return result
  }

  /// Finds an operator by its name, or reports it.
  mutating func collectionOperator(_ name: String, from start: Int) -> CollectionOperator? {
    let known = CollectionOperator.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    if let known { return known }
    let unsupported = [
      "@unionOfArrays", "@unionOfSets", "@distinctUnionOfArrays", "@distinctUnionOfSets",
    ]
    if unsupported.contains(name) {
      report(.unsupported(name), at: origin(from: start))
    } else {
      let synonyms = ["@average": "@avg", "@mean": "@avg", "@length": "@count", "@size": "@count", "@total": "@sum"]
      let nearest =
        synonyms[name.lowercased()] ?? nearestName(to: name, in: CollectionOperator.allCases.map(\.rawValue))
      report(.unknownFunction(name, nearest: nearest), at: origin(from: start))
    }
    return nil
  }
}
