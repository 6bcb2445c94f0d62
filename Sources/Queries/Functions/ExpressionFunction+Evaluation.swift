public import Modeling

extension ExpressionFunction {
  /// The value of the function for these arguments; nil for nil, and for arguments that it does not accept.
  ///
  ///     ExpressionFunction.month.evaluate([.date(t)])     // .string("2024-01")
  ///
  /// Aggregates take their elements as one list or as several values, and skip nil. The other rules are documented at
  /// each group of functions. Storage's SQL functions call this, too.
  public func evaluate(_ arguments: [Value]) -> Value {
    switch self {
    case .count, .sum, .average, .min, .max, .median, .mode, .stddev:
      return aggregate(arguments.flatMap { if case .list(let elements) = $0 { elements } else { [$0] } })
    case .now: return .date(.now)
    case .noindex: return arguments.first ?? .null
    case .entityName:
      // The entity as far as the object's ID gives it; `PredicateCompiler` asks the object itself.
      guard case .object(let id)? = arguments.first else { return .null }
      return .string(id.entity.name)
    case .add, .subtract, .multiply, .divide, .modulus, .power:
      guard arguments.count == 2 else { return .null }
      return arithmetic(arguments[0], arguments[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
      guard arguments.count == 2 else { return .null }
      return bitwise(arguments[0], arguments[1])
    case .year, .month, .day, .hour, .minute, .second, .weekday: return arguments.first.map(datePart) ?? .null
    case .lowercase, .uppercase, .canonical, .length, .trim: return arguments.first.map(text) ?? .null
    case .negate, .onesComplement, .abs, .floor, .ceiling, .round, .trunc, .sqrt, .ln, .log, .exp:
      return arguments.first.map(number) ?? .null
    }
  }

  // MARK: Dates

  /// A part of a date in UTC, fractions of a second truncated; nil outside the years 1 to 9999.
  private func datePart(_ value: Value) -> Value {
    guard case .date(let date) = value else { return .null }
    let second = Timestamp(date.seconds.rounded(.down))
    guard let parts = second.components else { return .null }
    switch self {
    case .year: return .int(Int64(parts.year))
    case .month: return .string(second.monthText)
    case .day: return .string(second.dayText)
    case .hour: return .int(Int64(parts.hour))
    case .minute: return .int(Int64(parts.minute))
    case .second: return .int(Int64(parts.second))
    default: return .int(Int64(parts.weekday))
    }
  }

  // MARK: Text

  /// A function of text; lengths count Unicode scalars, as SQLite does.
  private func text(_ value: Value) -> Value {
    guard let text = value.text else { return .null }
    switch self {
    case .lowercase: return .string(text.lowercased())
    case .uppercase: return .string(text.uppercased())
    case .canonical: return .string(folded(text, .folding))
    case .length: return .int(Int64(text.unicodeScalars.count))
    default:
      let scalars = text.unicodeScalars
      let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
      guard let first = scalars.firstIndex(where: { !isSpace($0) }),
        let last = scalars.lastIndex(where: { !isSpace($0) })
      else { return .string("") }
      return .string(String(scalars[first...last]))
    }
  }
}

extension Value {
  /// The value for text operators; nil if it is not a text.
  var text: String? {
    switch self {
    case .string(let text), .url(let text): text
    case .uuid(let uuid): uuid.canonicalText
    default: nil
    }
  }
}
