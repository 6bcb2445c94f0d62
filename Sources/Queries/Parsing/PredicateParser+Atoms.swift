internal import Modeling

extension PredicateParser {
  /// Reads the smallest parts: literals, keys, variables, placeholders, brackets and calls.
  mutating func atom() -> Parsed {
    startValue()
    let start = current.range.lowerBound
    switch current.kind {
    case .string(let text): return constant(.string(text))
    case .number(let digits): return number(digits)
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
      // A comparison without its left side continues at its operator.
      let stops = [")", "}", "]", ",", "&&", "||", "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]
      if case .sign(let sign) = current.kind, !stops.contains(sign) { recover() }
      return .value(.hole)
    }
  }

  private mutating func constant(_ value: Value) -> Parsed {
    advance()
    return .value(.constant(value))
  }

  private mutating func number(_ digits: String) -> Parsed {
    advance()
    return .value(numberValue(digits, isNegative: false).map(Expression.constant) ?? .hole)
  }

  private mutating func variable(_ name: String) -> Parsed {
    let start = current.range.lowerBound
    advance()
    let place = origin(from: start)
    if isSign(":=") {
      report(.noMeaning(":=", .bindVariables), at: Origin(text: text, range: current.range))
      advance()
      let given = value()
      // An assignment is not a comparison that lacks its operator.
      markReported()
      return .value(.hole(keeping: [given]))
    }
    return .value(.variable(name, place))
  }

  private mutating func parenthesis() -> Parsed {
    advance()
    var inner = nested(otherwise: Parsed.value(.hole)) { $0.disjunction() }
    if case .value(let first) = inner, isSign(",") {
      // `IN (1, 2)`, as in SQL.
      unexpected("); lists are written { }")
      var elements = [first]
      while accept(",") { elements.append(value()) }
      inner = .value(Expression.list(elements))
    }
    expect(")")
    return inner
  }

  /// Reads a list; a list of constants only is itself a constant.
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
      if keyword == "ANYKEY" {
        report(.noMeaning("ANYKEY", .nameTheKey), at: Origin(text: text, range: current.range))
      } else {
        unexpected("a value; the key \(word) is written #\(word)")
      }
      if !["AND", "OR"].contains(keyword) { advance() }
      return .value(.hole)
    }
    advance()
    return .value(.path(PropertyPath([word], origin: origin(from: start))))
  }

  // MARK: Arguments

  private mutating func argument(_ specification: String, _ ordinal: Int, from start: Int) -> Expression {
    guard ordinal < arguments.count, let kind = PlaceholderKind(specification) else { return .hole }
    if kind == .keyPath { return appendKeys(of: ordinal, to: .object, from: start) }
    switch arguments[ordinal] {
    case .expression(let expression): return expression
    case .value(let value):
      if let constant = kind.constant(from: value) { return .argument(constant) }
    }
    report(
      .wrongArgument(placeholder: "%" + specification, found: arguments[ordinal].kindName), at: origin(from: start))
    return .hole
  }
}
