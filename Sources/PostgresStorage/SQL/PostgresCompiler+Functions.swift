import Modeling
import Queries

/// Arithmetic and functions of values, where SQL computes the same bits as we do.
///
/// Each has a domain in which it does. Outside of it - where integers overflow, doubles leave their range, a text is not ASCII - the
/// SQL is null, and what the value decides is decided here. A null value stays null.
extension PostgresCompiler {
  func operand(_ function: ExpressionFunction, _ arguments: [Expression], at place: PostgresPlace) -> PostgresOperand? {
    switch function {
    case .add, .subtract, .multiply, .divide, .modulus:
      return arithmetic(function, arguments, at: place)
    case .negate, .abs, .floor, .ceiling, .trunc, .sqrt:
      return rounding(function, arguments, at: place)
    case .year, .month, .day, .hour, .minute, .second:
      return arguments.first.flatMap { operand($0, at: place) }.flatMap { part(of: $0, function) }
    case .lowercase, .uppercase, .canonical, .length:
      return arguments.first.flatMap { operand($0, at: place) }.flatMap { text(of: $0, function) }
    default: return nil
    }
  }

  /// A value that SQL computes where all conditions hold.
  func value(
    _ sql: PostgresSQL, _ type: AttributeType, _ conditions: [PostgresSQL?], size: NumberSize? = nil
  ) -> PostgresOperand {
    let content = PostgresOperand.Content.value(ColumnForm(own: type))
    let known = conditions.compactMap { $0 }
    if known.isEmpty { return PostgresOperand(columns: ["(\(sql))"], content: content, size: size) }
    let domain: PostgresSQL = "(\(known.joined(" AND ")))"
    return PostgresOperand(
      columns: ["(CASE WHEN \(domain) THEN \(sql) END)"], content: content, domain: domain, bare: "(\(sql))", size: size
    )
  }

  // MARK: Dates

  /// A part of a date in UTC. Far from now a double has no microseconds, and the date is read as another one.
  private func part(of date: PostgresOperand, _ function: ExpressionFunction) -> PostgresOperand? {
    guard case .value(let form) = date.content, form.kind == .instant else { return nil }
    let civil: PostgresSQL = "\(date.sql) AT TIME ZONE 'UTC'"
    let near: PostgresSQL = "\(date.sql) >= '1750-01-01 00:00:00+00' AND \(date.sql) < '2200-01-01 00:00:00+00'"
    switch function {
    case .month: return value("to_char(\(civil), 'YYYY-MM')", .string, [date.domain, near])
    case .day: return value("to_char(\(civil), 'YYYY-MM-DD')", .string, [date.domain, near])
    default:
      return value(
        "floor(extract(\(raw: function.rawValue) FROM \(civil)))::bigint", .integer64, [date.domain, near])
    }
  }

  // MARK: Texts

  private func text(of text: PostgresOperand, _ function: ExpressionFunction) -> PostgresOperand? {
    guard case .value(let form) = text.content, form.kind == .text || form.kind == .label, store.keepsUnicode else {
      return nil
    }
    if function == .length { return value("char_length(\(text.sql))::bigint", .integer64, [text.domain]) }
    let name = function == .uppercase ? "upper" : "lower"
    return value(
      "\(raw: name)(\(text.sql) COLLATE \"C\")", .string, [text.domain, Self.isASCII(text.sql)])
  }

  /// Whether a text of UTF-8 has no character of several bytes.
  private static func isASCII(_ text: PostgresSQL) -> PostgresSQL { "octet_length(\(text)) = char_length(\(text))" }

  /// A text without the differences that options ignore, and a constant without them; nil where the constant has no such
  /// form. ASCII letters fold to themselves in lower case and have no marks.
  func folded(
    _ text: PostgresOperand, _ options: ComparisonOptions, _ constant: Value
  ) -> (text: PostgresOperand, constant: Value)? {
    guard case .value(let form) = text.content, form.kind == .text || form.kind == .label, store.keepsUnicode,
      options.applied.isSubset(of: [.caseInsensitive, .diacriticInsensitive])
    else { return nil }
    func folded(_ value: Value) -> Value? {
      switch value {
      case .string(let text):
        let folded = Queries.folded(text, options)
        return folded.isEmpty && !text.isEmpty ? nil : .string(folded)
      case .list(let values):
        let parts = values.compactMap(folded)
        return parts.count == values.count ? .list(parts) : nil
      default: return nil
      }
    }
    guard let constant = folded(constant) else { return nil }
    let isCaseless = options.contains(.caseInsensitive)
    let sql: PostgresSQL = isCaseless ? "lower(\(text.sql) COLLATE \"C\")" : text.sql
    var operand = value(sql, .string, [text.domain, Self.isASCII(text.sql)])
    operand.content = .value(ColumnForm(own: .string))
    return (operand, constant)
  }
}
