internal import Modeling

/// Prints trees in the format language with as few parentheses as possible.
///
/// The printed text parses to an equal tree, if the parser can produce the tree: nested conjunctions are flat, lists of
/// constants are constants, CASTs of constants are evaluated.
struct FormatPrinter {
  /// The notation of dates.
  enum Dates {
    /// `CAST(727633572.0, "NSDate")`, which Apple's parser accepts, too.
    case reference
    /// `CAST("2024-01-22T16:26:12Z", "NSDate")`, which people can read.
    case iso8601
  }

  var dates = Dates.reference

  // MARK: Conditions

  /// Prints a condition; in parentheses if `level` binds tighter.
  func text(_ predicate: Predicate, within level: Int = 0) -> String {
    switch predicate {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .or(let terms): return joined(terms, " OR ", own: 1, empty: "FALSEPREDICATE", within: level)
    case .and(let terms): return joined(terms, " AND ", own: 2, empty: "TRUEPREDICATE", within: level)
    case .not(let inner): return "NOT " + text(inner, within: 3)
    case .comparison(let comparison): return text(comparison)
    case .expression(let expression): return operand(expression) + " == YES"
    }
  }

  private func joined(
    _ terms: [Predicate], _ separator: String, own: Int, empty: String, within level: Int
  ) -> String {
    guard terms.count > 1 else { return terms.first.map { text($0, within: level) } ?? empty }
    let body = terms.map { text($0, within: own + 1) }.joined(separator: separator)
    return level > own ? "(\(body))" : body
  }

  private func text(_ comparison: Comparison) -> String {
    let modifier = comparison.modifier == .direct ? "" : comparison.modifier.rawValue + " "
    return "\(modifier)\(operand(comparison.left)) \(comparison.comparator.rawValue)\(text(comparison.options)) "
      + operand(comparison.right)
  }

  func text(_ options: ComparisonOptions) -> String {
    guard !options.isEmpty else { return "" }
    let letters: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    return "[" + letters.filter { options.contains($0.0) }.map(\.1).joined() + "]"
  }

  private func operand(_ expression: Expression) -> String { text(expression, within: 0) }

  // MARK: Values

  /// Prints an expression. Levels: 1 `|`, 2 `^`, 3 `&`, 4 `+ -`, 5 `* /`, 6 `**`, 7 a sign, 8 anything that a point can
  /// follow.
  func text(_ expression: Expression, within level: Int = 0) -> String {
    switch expression {
    case .constant(let value), .argument(let value, _):
      let isSigned = level > 7 && text(value).hasPrefix("-")
      return isSigned ? "(\(text(value)))" : text(value)
    case .object: return "SELF"
    case .path(let path): return text(path)
    case .variable(let name, _): return "$\(name)"
    case .variablePath(let name, let path): return path.text(from: "$\(name)", Self.key)
    case .aggregate(let elements): return "{" + list(elements) + "}"
    case .function(let function, let arguments, _): return call(function, arguments, within: level)
    case .collection(let function, let source, let key):
      return text(function, source, key)
    case .subscripted(let source, let position): return "\(text(source, within: 8))[\(text(position))]"
    case .subquery(let source, let variable, let predicate):
      return "SUBQUERY(\(text(source)), $\(variable), \(text(predicate)))"
    case .ternary(let predicate, let first, let second):
      return "TERNARY(\(text(predicate)), \(text(first)), \(text(second)))"
    case .cast(let operand, let type): return "CAST(\(text(operand)), \(quoted(type.rawValue)))"
    }
  }

  /// `items.@sum.price`; with a cast, which comes before the operator: `CAST(items, "Toy").@sum.age`.
  private func text(_ function: CollectionOperator, _ source: Expression, _ key: PropertyPath?) -> String {
    guard var key else {
      return "\(text(source, within: 8)).\(function.rawValue)" + (function == .count ? "" : ".self")
    }
    var elements = text(source, within: 8)
    if let entity = key.components.first?.entity {
      elements = "CAST(\(text(source)), \(quoted(entity)))"
      key.components[0].entity = nil
    }
    return key.text(from: "\(elements).\(function.rawValue)", Self.key)
  }

  private func text(_ position: Subscript) -> String {
    switch position {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .index(let expression): text(expression)
    }
  }

  private func list(_ elements: [Expression]) -> String { elements.map { text($0) }.joined(separator: ", ") }

  private func call(_ function: ExpressionFunction, _ arguments: [Expression], within level: Int) -> String {
    if function == .negate, arguments.count == 1 {
      // `-(5)`: without parentheses the sign would become part of the number.
      let operand = text(arguments[0], within: 7)
      let startsWithDigit = operand.utf8.first?.isDigit == true || arguments[0].constantValue != nil
      let body = startsWithDigit ? "-(\(operand))" : "-\(operand)"
      return level > 7 ? "(\(body))" : body
    }
    let name = function.rawValue
    guard arguments.count == 2, let own = function.precedence else { return "\(name)(\(list(arguments)))" }
    let body = "\(text(arguments[0], within: own)) \(name) \(text(arguments[1], within: own + 1))"
    return level > own ? "(\(body))" : body
  }

  // MARK: Keys

  /// Prints keys with `#` if they are reserved words, and quoted if they are not words.
  func text(_ path: PropertyPath) -> String { path.text(Self.key) }

  /// A key as the lexer can read it back.
  static func key(_ name: String) -> String {
    if reservedWords.contains(name.uppercased()) { return "#" + name }
    var lexer = Lexer(name)
    let kinds = lexer.tokenize().map(\.kind)
    return kinds == [.word(name), .end] && lexer.issues.isEmpty ? name : "#" + quoted(name)
  }
}

extension FormatPrinter {
  private func quoted(_ text: String) -> String { Self.quoted(text) }
}

extension Predicate {
  /// The predicate in the format language: canonical spelling, minimal parentheses, readable by NSPredicate.
  ///
  ///     try Predicate.parse("a=1 && (b>2 or c<>nil)").format     // a == 1 AND (b > 2 OR c != nil)
  public var format: String { FormatPrinter().text(self) }
}

extension Expression {
  /// The expression in the format language.
  public var format: String { FormatPrinter().text(self) }
}

extension Predicate: CustomStringConvertible {
  /// The predicate in the format language with readable dates; it can be parsed here, but not by Apple.
  public var description: String { FormatPrinter(dates: .iso8601).text(self) }
}

extension Expression: CustomStringConvertible {
  /// The expression in the format language with readable dates.
  public var description: String { FormatPrinter(dates: .iso8601).text(self) }
}
