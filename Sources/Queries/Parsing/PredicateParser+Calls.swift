internal import Modeling

extension PredicateParser {
  /// Reads a name and its arguments in parentheses; the current token is the name.
  mutating func call(_ name: String) -> Expression {
    let start = current.range.lowerBound
    advance()
    let place = origin(from: start)
    advance()
    return nested(otherwise: .constant(.null)) { parser in
      switch name.uppercased() {
      case "CAST": return parser.cast()
      case "SUBQUERY": return parser.subquery()
      case "TERNARY": return parser.ternary()
      case "FUNCTION": return parser.selectorCall(at: place)
      case "FETCH", "ANYKEY":
        parser.report(.unsupported(name.uppercased()), at: place)
        _ = parser.callArguments()
        return .constant(.null)
      default:
        return parser.functionCall(name, parser.callArguments(), at: place)
      }
    }
  }

  /// Reads values separated by commas up to the closing parenthesis.
  private mutating func callArguments() -> [Expression] {
    var arguments: [Expression] = []
    if !isSign(")") {
      repeat { arguments.append(value()) } while accept(",")
    }
    expect(")")
    return arguments
  }

  private mutating func functionCall(_ name: String, _ arguments: [Expression], at place: Origin) -> Expression {
    guard let function = ExpressionFunction(named: name) else {
      report(.unknownFunction(name, nearest: Self.nearestFunction(to: name)), at: place)
      return .constant(.null)
    }
    var arguments = arguments
    // count() counts objects, as count(SELF) does.
    if function == .count, arguments.isEmpty { arguments = [.object] }
    guard function.signature.accepts(count: arguments.count) else {
      report(
        .wrongArgumentCount(
          function: name, expected: function.signature.expectedCount, given: arguments.count),
        at: place)
      return .constant(.null)
    }
    if function == .negate, case .int(let number) = arguments[0].constantValue, number != .min {
      return .constant(.int(-number))
    }
    return .function(function.rawValue, arguments, place)
  }

  /// The function meant by a name of another language, or the one spelt most like it.
  private static func nearestFunction(to name: String) -> String? {
    let synonyms = [
      "lower": "lowercase", "lcase": "lowercase", "lowercased": "lowercase", "tolower": "lowercase",
      "upper": "uppercase", "ucase": "uppercase", "uppercased": "uppercase", "toupper": "uppercase",
      "mean": "average", "len": "length", "size": "count", "date": "day", "dayofweek": "weekday", "substr": "trim",
      "maximum": "max", "minimum": "min", "total": "sum", "truncate": "trunc", "int": "trunc",
      "current_timestamp": "now", "today": "now", "strip": "trim", "log10": "log", "if": "TERNARY", "iif": "TERNARY",
    ]
    return synonyms[name.lowercased()]
      ?? nearestName(to: name, in: ExpressionFunction.callableNames + ["CAST", "SUBQUERY", "TERNARY", "FUNCTION"])
  }

  /// Reads the rest of `CAST(value, "NSDate")`; a constant is converted at once.
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
    if !name.isEmpty, CastType(named: name) == nil {
      let nearest = nearestName(to: name, in: CastType.allCases.map(\.rawValue))
      report(.unknownFunction("CAST to \(name)", nearest: nearest), at: origin(from: start))
    }
    expect(")")
    if let value = operand.constantValue, let type = CastType(named: name), let converted = type.convert(value) {
      return .constant(converted)
    }
    return .cast(operand, to: name)
  }

  /// Reads the rest of `SUBQUERY(reports, $r, $r.score > 3)`.
  private mutating func subquery() -> Expression {
    let source = value()
    expect(",")
    guard case .variable(let name) = current.kind else {
      unexpected("a variable such as $x")
      recover()
      while accept(",") { _ = disjunction() }
      expect(")")
      return .constant(.null)
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

  /// Reads the rest of `FUNCTION(receiver, "selector:", arguments)`, which calls a method; a few have a meaning here.
  private mutating func selectorCall(at place: Origin) -> Expression {
    let start = current.range.lowerBound
    var arguments = callArguments()
    guard arguments.count >= 2, case .string(let selector) = arguments[1].constantValue else {
      report(.unexpected(found: "no selector", expected: "FUNCTION(value, \"selector\", …)"), at: origin(from: start))
      return .constant(.null)
    }
    arguments.remove(at: 1)
    switch selector.lowercased() {
    case "timeintervalsincedate:" where arguments.count == 2: return .function("-", arguments, place)
    case "datebyaddingtimeinterval:" where arguments.count == 2: return .function("+", arguments, place)
    default: return functionCall(selector, arguments, at: place)
    }
  }
}
