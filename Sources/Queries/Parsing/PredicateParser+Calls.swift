internal import Modeling

extension PredicateParser {
  /// Reads a name and its arguments in parentheses; the current token is the name.
  mutating func call(_ name: String) -> Expression {
    let start = current.range.lowerBound
    advance()
    let place = origin(from: start)
    advance()
    return nested(otherwise: .hole) { parser in
      switch name.uppercased() {
      case "CAST", "CASTOBJECT:TOTYPE:": return parser.cast()
      case "SUBQUERY": return parser.subquery()
      case "TERNARY": return parser.ternary()
      case "FUNCTION": return parser.selectorCall(at: place)
      case "FETCH":
        parser.report(.noMeaning("FETCH", .useSubquery), at: place)
        return parser.skippedArguments()
      case "OBJECTFROM:WITHINDEX:": return parser.elementCall(at: place)
      default:
        let arguments = parser.callArguments()
        return parser.refused(name, arguments, at: place) ?? parser.functionCall(name, arguments, at: place)
      }
    }
  }

  /// Reports a call that the language has but that has no meaning here; returns nil for any other.
  mutating func refused(_ name: String, _ arguments: [Expression], at place: Origin) -> Expression? {
    guard let remedy = SelectorMeaning.refused[name.lowercased()] else { return nil }
    report(.noMeaning(name, remedy), at: place)
    return .hole(keeping: arguments)
  }

  /// Skips the arguments of an unknown call, up to its closing parenthesis.
  private mutating func skippedArguments() -> Expression {
    recover()
    while accept(",") { recover() }
    expect(")")
    return .hole
  }

  /// Reads the rest of `objectFrom:withIndex:(reports, 0)`, as Foundation writes `reports[0]`.
  private mutating func elementCall(at place: Origin) -> Expression {
    let source = value()
    let sourceHeight = height
    expect(",")
    let positions: [String: Subscript] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    var position: Subscript
    if let keyword = current.keyword, let named = positions[keyword], next().kind == .sign(")") {
      advance()
      position = named
    } else {
      position = .index(value())
    }
    expect(")")
    return deepen(beside: sourceHeight) ? .subscripted(source, position) : .hole
  }

  /// Reads values separated by commas up to the closing parenthesis.
  mutating func callArguments() -> [Expression] {
    var arguments: [Expression] = []
    if !isSign(")") {
      repeat { arguments.append(value()) } while accept(",")
    }
    expect(")")
    return arguments
  }

  mutating func functionCall(_ name: String, _ arguments: [Expression], at place: Origin) -> Expression {
    guard let function = ExpressionFunction(named: name) else {
      report(.unknownFunction(name, nearest: Self.nearestFunction(to: name)), at: place)
      return .hole(keeping: arguments)
    }
    var arguments = arguments
    // count() counts objects, as count(SELF) does.
    if function == .count, arguments.isEmpty { arguments = [.object] }
    guard function.signature.accepts(count: arguments.count) else {
      report(
        .wrongArgumentCount(
          function: name, expected: function.signature.expectedCount, given: arguments.count),
        at: place)
      return .hole(keeping: arguments)
    }
    if function == .negate, case .int(let number) = arguments[0].constantValue, number != .min {
      return .constant(.int(-number))
    }
    return .function(function, arguments, place)
  }

  /// The function that a name of another language means, or else the most similar one.
  static func nearestFunction(to name: String) -> String? {
    let synonyms = [
      "lower": "lowercase", "lcase": "lowercase", "lowercased": "lowercase", "tolower": "lowercase",
      "upper": "uppercase", "ucase": "uppercase", "uppercased": "uppercase", "toupper": "uppercase",
      "mean": "average", "len": "length", "size": "count", "date": "day", "dayofweek": "weekday", "substr": "trim",
      "maximum": "max", "minimum": "min", "total": "sum", "truncate": "trunc", "int": "trunc",
      "current_timestamp": "now", "today": "now", "strip": "trim", "contains": "CONTAINS", "startswith": "BEGINSWITH",
      "hasprefix": "BEGINSWITH", "endswith": "ENDSWITH", "hassuffix": "ENDSWITH", "like": "LIKE", "between": "BETWEEN",
      "isnull": "== nil", "coalesce": "TERNARY", "ifnull": "TERNARY", "distinct": "@distinctUnionOfObjects",
      "log10": "log", "if": "TERNARY", "iif": "TERNARY",
    ]
    return synonyms[name.lowercased()]
      ?? nearestName(to: name, in: ExpressionFunction.callableNames + ["CAST", "SUBQUERY", "TERNARY", "FUNCTION"])
  }

  /// Reads the rest of `CAST(value, "NSDate")`; a constant is converted at once. If a key follows, the CAST names the
  /// entity that has the key: `CAST(owner, "Business").vatNumber`.
  private mutating func cast() -> Expression {
    let operand = value()
    expect(",")
    let start = current.range.lowerBound
    var name = ""
    switch current.kind {
    case .string(let text), .word(let text):
      name = text
      advance()
    default: unexpected("a type such as \"NSDate\"")
    }
    let place = origin(from: start)
    expect(")")
    let type = CastType(named: name)
    if !name.isEmpty, hasKeyOfEntity(orOf: type) {
      castEntity = name
      return operand
    }
    guard let type else {
      if !name.isEmpty { reportUnknownType(name, of: operand, at: place) }
      return .hole(keeping: [operand])
    }
    if let value = operand.constantValue, let converted = type.convert(value) {
      return .constant(converted)
    }
    return .cast(operand, to: type)
  }

  /// Whether a key of an object follows a CAST; values have no keys, but those of some types have elements.
  private func hasKeyOfEntity(orOf type: CastType?) -> Bool {
    guard isSign(".") else { return isSign("[") && type == nil }
    if case .collectionOperator = next().kind { return type == nil }
    return true
  }

  private mutating func reportUnknownType(_ name: String, of operand: Expression, at place: Origin) {
    let nearest = nearestName(to: name, in: CastType.allCases.map(\.rawValue))
    if nearest != nil || name.hasPrefix("NS") {
      return report(.unknownFunction("CAST to \(name)", nearest: nearest), at: place)
    }
    let (object, entity) = (operand.description, FormatPrinter.quoted(name))
    report(
      .noMeaning(
        "CAST to \(name) without a key behind it",
        .write("CAST(\(object), \(entity)).key, or entityName(\(object)) == \(entity)")),
      at: place)
  }

  /// Reads the rest of `SUBQUERY(reports, $r, $r.score > 3)`.
  private mutating func subquery() -> Expression {
    let source = value()
    expect(",")
    guard case .variable(let name) = current.kind else {
      unexpected("a variable such as $x")
      // The rest is about elements without a name.
      _ = skippedArguments()
      return .hole(keeping: [source])
    }
    advance()
    expect(",")
    let predicate = condition(disjunction())
    expect(")")
    return .subquery(source, variable: name, predicate)
  }

  /// Reads the rest of `TERNARY(condition, value, value)`.
  private mutating func ternary() -> Expression {
    let predicate = condition(disjunction())
    expect(",")
    let first = value()
    expect(",")
    let second = value()
    expect(")")
    return .ternary(predicate, first, second)
  }
}
