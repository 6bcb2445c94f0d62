public import Modeling

/// An argument for a placeholder of a format string.
///
///     try Predicate.parse("magnitude >= %@ AND %K == %@", arguments: [5, "place", "Chile"])
public enum PredicateArgument: Hashable, Sendable {
  /// A constant for `%@`, a number for `%d` and similar, a key path as text for `%K`.
  case value(Value)
  /// An expression, which replaces `%@` unchanged.
  case expression(Expression)

  /// The name of the argument's kind in messages.
  var kindName: String {
    switch self {
    case .value(let value): value.kindName
    case .expression: "expression"
    }
  }
}

extension PredicateArgument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// A text, or a key path for `%K`.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  /// A number with fraction.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  /// Nil; `== %@` with it means `== nil`.
  public init(nilLiteral: ()) { self = .value(.null) }
}

/// The kind of argument that a placeholder takes, by its last letter.
enum PlaceholderKind {
  case object
  case keyPath
  case integer
  case double
  case character
  case string

  init?(_ specification: String) {
    switch specification.last {
    case "@": self = .object
    case "K": self = .keyPath
    case "d", "D", "i", "u", "U", "x", "X", "o", "O", "p": self = .integer
    case "f", "F", "e", "E", "g", "G", "a", "A": self = .double
    case "c", "C": self = .character
    case "s", "S": self = .string
    default: return nil
    }
  }

  /// The constant for `value`; nil if the placeholder does not accept it.
  func constant(from value: Value) -> Value? {
    switch (self, value) {
    case (.object, _): value
    case (.integer, .int), (.character, .int): value
    case (.integer, .bool(let flag)): .int(flag ? 1 : 0)
    case (.integer, .double(let number)), (.character, .double(let number)): Int64(exactly: number).map(Value.int)
    case (.double, .int(let number)): .double(Double(number))
    case (.double, .double): value
    case (.double, .decimal(let number)): Double("\(number)").map(Value.double)
    case (.character, .string(let text)): text.count == 1 ? value : nil
    case (.string, .string): value
    default: nil
    }
  }
}
