internal import Modeling

extension PredicateParser {
  /// Reads the smallest things: literals, keys, variables, placeholders, brackets and calls.
  mutating func atom() -> Parsed {
    let start = current.range.lowerBound
    switch current.kind {
    case .string(let text): return constant(.string(text))
    case .number(let digits): return constant(numberValue(digits, isNegative: false) ?? .null)
    case .variable(let name): return variable(name)
    case .placeholder(let specification, let ordinal):
      advance()
      return .value(argument(specification, ordinal, from: start))
    case .escapedKey(let key):
      advance()
      return .value(.path(PropertyPath([key], origin: origin(from: start))))
    case .collectionOperator(let name): return .value(legacyCollection(name))
    case .word(let word): return self.word(word)
    case .sign("("): return parenthesis()
    case .sign("{"): return .value(aggregate(closing: "}"))
    case .sign("["):
      unexpected("a value; lists are written { }")
      return .value(aggregate(closing: "]"))
    default:
      unexpected("a value")
      // A comparison without its left side goes on at its operator.
      let stops = [")", "}", "]", ",", "&&", "||", "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]
      if case .sign(let sign) = current.kind, !stops.contains(sign) { recover() }
      return .value(.constant(.null))
    }
  }

  private mutating func constant(_ value: Value) -> Parsed {
    advance()
    return .value(.constant(value))
  }

  private mutating func variable(_ name: String) -> Parsed {
    let start = current.range.lowerBound
    advance()
    let place = origin(from: start)
    if isSign(":=") {
      report(.unsupported(":="), at: Origin(text: text, range: current.range))
      advance()
      return .value(value())
    }
    return .value(.variable(name, place))
  }

  private mutating func parenthesis() -> Parsed {
    advance()
    let inner = nested(otherwise: Parsed.value(.constant(.null))) { $0.disjunction() }
    if case .value = inner, isSign(",") {
      // `IN (1, 2)`, as SQL writes it.
      unexpected("); lists are written { }")
      while accept(",") { _ = value() }
    }
    expect(")")
    return inner
  }

  /// Reads a list; one of constants alone is itself a constant.
  private mutating func aggregate(closing sign: String) -> Expression {
    advance()
    var elements: [Expression] = []
    if !isSign(sign) {
      repeat { elements.append(value()) } while accept(",")
    }
    expect(sign)
    return Expression.list(elements)
  }

  /// Reads a word: a keyword that is a value, a call, or a key.
  private mutating func word(_ word: String) -> Parsed {
    let start = current.range.lowerBound
    let keyword = word.uppercased()
    switch keyword {
    case "TRUE", "YES": return constant(.bool(true))
    case "FALSE", "NO": return constant(.bool(false))
    case "NIL", "NULL": return constant(.null)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      advance()
      return .condition(.constant(keyword == "TRUEPREDICATE"))
    case "SELF":
      advance()
      return .value(.object)
    default: break
    }
    if next().kind == .sign("(") { return .value(call(word)) }
    if reservedWords.contains(keyword) {
      unexpected("a value; the key \(word) is written #\(word)")
      if !["AND", "OR"].contains(keyword) { advance() }
      return .value(.constant(.null))
    }
    advance()
    return .value(.path(PropertyPath([word], origin: origin(from: start))))
  }

  /// Reads `@sum.items.price`, the older spelling of `items.@sum.price`; the postfix level reads on with the key.
  private mutating func legacyCollection(_ name: String) -> Expression {
    let start = current.range.lowerBound
    advance()
    guard let function = collectionOperator(name, from: start), accept(".") else {
      unexpected("a key after \(name)")
      return .constant(.null)
    }
    var source = member(of: .object)
    while function == .count, accept(".") { source = member(of: source) }
    return .collection(function, of: source, key: nil)
  }

  // MARK: Arguments

  private mutating func argument(_ specification: String, _ ordinal: Int, from start: Int) -> Expression {
    guard ordinal < arguments.count, let kind = PlaceholderKind(specification) else { return .constant(.null) }
    if kind == .keyPath { return appendKeys(of: ordinal, to: .object, from: start) }
    switch arguments[ordinal] {
    case .expression(let expression): return expression
    case .value(let value):
      if let constant = kind.constant(from: value) { return .argument(constant) }
    }
    report(
      .wrongArgument(placeholder: "%" + specification, found: arguments[ordinal].kindName), at: origin(from: start))
    return .constant(.null)
  }

  /// Appends the keys of a dotted text given for `%K`, which may hold collection operators: `reports.@count`.
  mutating func appendKeys(of ordinal: Int, to expression: Expression, from start: Int) -> Expression {
    guard ordinal < arguments.count else { return expression }
    guard case .value(.string(let text)) = arguments[ordinal], !text.isEmpty else {
      report(.wrongArgument(placeholder: "%K", found: arguments[ordinal].kindName), at: origin(from: start))
      return expression
    }
    var result = expression
    for component in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      if component.hasPrefix("@") {
        guard let function = collectionOperator(component, from: start) else { return result }
        result = .collection(function, of: result, key: nil)
      } else {
        result = append(component, isEscaped: false, to: result, from: start)
      }
    }
    return result
  }
}

extension Expression {
  /// A list of `elements`: a constant where they all are.
  static func list(_ elements: [Expression]) -> Expression {
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return .aggregate(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }
}
