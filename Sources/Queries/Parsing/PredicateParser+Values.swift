internal import Modeling

/// The levels of values, loosest first.
private let infixLevels: [[String: ExpressionFunction]] = (1...6).map { level in
  let functions = ExpressionFunction.allCases.filter { $0.precedence == level }
  return Dictionary(uniqueKeysWithValues: functions.map { ($0.rawValue, $0) })
}

extension PredicateParser {
  /// Reads a value; a condition in its place is an error.
  mutating func value() -> Expression {
    let start = current.range.lowerBound
    switch nested(otherwise: .value(.hole), { $0.operand() }) {
    case .value(let expression): return expression
    case .condition(let predicate):
      report(.unexpected(found: "a condition", expected: "a value"), at: origin(from: start))
      return .ternary(predicate, .hole, .hole)
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
      let (place, leftHeight) = (origin(from: start), height)
      guard case .value(let right) = infix(level + 1) else {
        unexpected("a value")
        return parsed
      }
      guard deepen(beside: leftHeight) else { return .value(.hole) }
      parsed = .value(.call(function, left, right, at: place))
    }
    return parsed
  }

  /// Reads `-` before a value; it binds tighter than `**`, and before a number it is part of the number.
  private mutating func prefix() -> Parsed {
    guard isSign("-") || isSign("+") else { return postfix() }
    let start = current.range.lowerBound
    let isNegative = isSign("-")
    advance()
    if case .number(let digits) = current.kind {
      advance()
      startValue()
      return postfix(numberValue(digits, isNegative: isNegative).map(Expression.constant) ?? .hole)
    }
    return nested(otherwise: .value(.hole)) { parser in
      let place = parser.origin(from: start)
      guard case .value(let operand) = parser.prefix() else {
        parser.unexpected("a value")
        return .value(.hole)
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
    var steps = 0
    // The keys of the entity in a CAST follow operators and subscripts.
    var entity = castEntity
    castEntity = nil
    while isSign(".") || isSign("[") {
      steps += 1
      guard steps <= Self.heightLimit else {
        giveUp()
        return .value(.hole)
      }
      if isSign("[") {
        result = subscripted(result)
      } else {
        advance()
        let isKey = if case .collectionOperator = current.kind { false } else { true }
        result = member(of: result, in: entity)
        if isKey { entity = nil }
      }
    }
    if let entity { unexpected("a key of \(entity)") }
    return .value(result)
  }

  private mutating func subscripted(_ expression: Expression) -> Expression {
    advance()
    let subscripts: [String: Subscript] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    let chosen: Subscript
    let sourceHeight = height
    if let keyword = current.keyword, let named = subscripts[keyword], next().kind == .sign("]") {
      advance()
      chosen = named
    } else {
      chosen = .index(value())
    }
    expect("]")
    return deepen(beside: sourceHeight) ? .subscripted(expression, chosen) : .hole
  }
}
