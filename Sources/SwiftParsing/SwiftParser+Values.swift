internal import Modeling

extension SwiftParser {
  /// Reads a value with all its operators.
  package mutating func value() -> SwiftSyntax { withOwnChain { $0.infix(0) } }

  private enum Level {
    package static let ternary = 1
    package static let disjunction = 2
    package static let conjunction = 3
    package static let comparison = 4
    static let coalescing = 5
    package static let cast = 6
    package static let range = 7
    static let addition = 8
    static let multiplication = 9
  }

  /// The level of an operator between values, and whether it associates to the right.
  private static let levels: [String: Int] = [
    "?": Level.ternary, "||": Level.disjunction, "&&": Level.conjunction, "==": Level.comparison,
    "!=": Level.comparison, "<": Level.comparison, "<=": Level.comparison, ">": Level.comparison,
    ">=": Level.comparison, "===": Level.comparison, "!==": Level.comparison, "??": Level.coalescing,
    "...": Level.range, "..<": Level.range, "+": Level.addition, "-": Level.addition, "&+": Level.addition,
    "&-": Level.addition, "|": Level.addition, "^": Level.addition, "*": Level.multiplication,
    "/": Level.multiplication, "%": Level.multiplication, "&": Level.multiplication, "&*": Level.multiplication,
  ]

  /// Reads operators that bind at least as tight as `minimum`.
  private mutating func infix(_ minimum: Int) -> SwiftSyntax {
    var left = prefix()
    while let (sign, level) = infixOperator, level >= minimum, chain() {
      let start = left.range.lowerBound
      switch level {
      case Level.ternary: left = ternary(left)
      case Level.cast: left = cast(left, sign)
      case Level.disjunction, Level.conjunction: left = joined(left, sign, level)
      case Level.range where !beginsValue(next()):
        advance()
        left = SwiftSyntax(kind: .postfix(left, sign), range: range(from: start))
      default:
        advance()
        let right = nested(otherwise: unreadable) { $0.infix(level == Level.coalescing ? level : level + 1) }
        left = SwiftSyntax(kind: .infix(sign, [left, right]), range: range(from: start))
      }
    }
    return left
  }

  private var unreadable: SwiftSyntax { SwiftSyntax(kind: .unreadable, range: current.range) }

  private var infixOperator: (sign: String, level: Int)? {
    switch current.kind {
    case .sign(let sign):
      // A line that begins with a sign of two meanings is a statement of its own.
      if current.beginsLine, ["-", "&", "..."].contains(sign), !next().range.isEmpty, next().touchesPrevious {
        return nil
      }
      return Self.levels[sign].map { (sign, $0) }
    case .name("as") where !isEscaped(current), .name("is") where !isEscaped(current):
      return (slice(current.range), Level.cast)
    default: return nil
    }
  }

  /// Reads the further terms of a conjunction or disjunction.
  private mutating func joined(_ first: SwiftSyntax, _ sign: String, _ level: Int) -> SwiftSyntax {
    var terms = [first]
    while accept(sign) { terms.append(withOwnChain { $0.infix(level + 1) }) }
    return SwiftSyntax(kind: .infix(sign, terms), range: range(from: first.range.lowerBound))
  }

  private mutating func ternary(_ condition: SwiftSyntax) -> SwiftSyntax {
    advance()
    return nested(otherwise: unreadable) { parser in
      let first = parser.infix(0)
      parser.expect(":")
      let second = parser.infix(Level.ternary)
      return SwiftSyntax(
        kind: .ternary(condition, first, second), range: parser.range(from: condition.range.lowerBound))
    }
  }

  private mutating func cast(_ operand: SwiftSyntax, _ word: String) -> SwiftSyntax {
    advance()
    let mark = word == "as" && (isSign("?") || isSign("!")) ? slice(current.range) : ""
    if !mark.isEmpty { advance() }
    let type = type()
    return SwiftSyntax(kind: .cast(operand, word + mark, type), range: range(from: operand.range.lowerBound))
  }

  /// Whether a value can begin at a token.
  private func beginsValue(_ token: SwiftToken) -> Bool {
    switch token.kind {
    case .name(let name): isEscaped(token) || !["in", "as", "is", "else"].contains(name)
    case .number, .string, .regularExpression, .pound, .attribute: true
    case .sign(let sign): ["(", "[", "-", "!", ".", "\\"].contains(sign) && !(sign == "." && token.touchesPrevious)
    case .end: false
    }
  }

  /// Reads a sign before a value; before a number it belongs to the number.
  private mutating func prefix() -> SwiftSyntax {
    let start = current.range.lowerBound
    if isSign("-"), case .number(let digits) = next().kind, next().touchesPrevious {
      advance()
      return postfix(number(digits, isNegative: true, from: start))
    }
    for sign in ["-", "+", "!", "...", "..<", "~", "&"] where isSign(sign) {
      advance()
      return nested(otherwise: unreadable) { parser in
        let operand = sign.hasPrefix(".") ? parser.infix(Level.addition) : parser.prefix()
        return SwiftSyntax(kind: .prefix(sign, operand), range: parser.range(from: start))
      }
    }
    if acceptWord("try") || acceptWord("await") {
      _ = accept("!") || accept("?")
      return nested(otherwise: unreadable) { $0.infix(0) }
    }
    return postfix(atom())
  }

  package mutating func number(_ digits: String, isNegative: Bool, from start: Int) -> SwiftSyntax {
    let place = current.range
    advance()
    let value = SwiftNumber.value(digits, isNegative: isNegative)
    if value == nil { issues.report(.invalidNumber(digits), at: place) }
    return SwiftSyntax(kind: .literal(value ?? .null), range: range(from: start))
  }
}
