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
      guard arguments.count == 2, let left = number(arguments[0], at: place),
        let right = number(arguments[1], at: place)
      else { return nil }
      return left.isInteger && right.isInteger ? integers(function, left, right) : doubles(function, left, right)
    case .negate, .abs, .floor, .ceiling, .trunc, .sqrt:
      return arguments.first.flatMap { number($0, at: place) }.map { value(of: function, $0) }
    case .year, .month, .day, .hour, .minute, .second:
      return arguments.first.flatMap { operand($0, at: place) }.flatMap { part(of: $0, function) }
    case .lowercase, .uppercase, .canonical, .length:
      return arguments.first.flatMap { operand($0, at: place) }.flatMap { text(of: $0, function) }
    default: return nil
    }
  }

  // MARK: Numbers

  /// An integer of 64 bits or a double, in SQL.
  private struct Number {
    var sql: PostgresSQL
    let isInteger: Bool
    var domain: PostgresSQL?
    /// Whether it is a constant of a size that all operations take.
    var isHandy = false

    /// As a double.
    var double: PostgresSQL { isInteger ? "(\(sql))::double precision" : sql }
  }

  private func number(_ expression: Expression, at place: PostgresPlace) -> Number? {
    switch expression.constantValue {
    case .int(let number)? where abs(Double(number)) < 2_147_483_647:
      return Number(sql: "\(.int(number))::bigint", isInteger: true, isHandy: true)
    case .double(let number)? where number == 0 || abs(number) > 1e-150 && abs(number) < 1e150:
      return Number(sql: "\(.double(number))::double precision", isInteger: false, isHandy: true)
    case .some: return nil
    case nil: break
    }
    guard let operand = operand(expression, at: place), case .value(let form) = operand.content,
      form.kind == .integer || form.kind == .real, operand.sql.segments.count < 100
    else { return nil }
    let sql: PostgresSQL = form.mayHoldNaN ? "NULLIF(\(operand.sql), 'NaN')" : operand.sql
    return Number(
      sql: "(\(sql))::\(raw: form.kind == .integer ? "bigint" : "double precision")", isInteger: form.kind == .integer,
      domain: operand.domain)
  }

  private func integers(_ function: ExpressionFunction, _ left: Number, _ right: Number) -> PostgresOperand {
    // Half of the bits for factors, one bit less than all for terms.
    let bound = function == .multiply ? "2147483647" : "4611686018427387903"
    func fits(_ number: Number) -> PostgresSQL? {
      number.isHandy ? nil : "\(number.sql) BETWEEN -\(raw: bound) AND \(raw: bound)"
    }
    let divisor: PostgresSQL = function == .divide || function == .modulus ? "NULLIF(\(right.sql), 0)" : right.sql
    return value(
      "\(left.sql) \(raw: function.sqlOperator) \(divisor)", .integer64,
      [left.domain, right.domain, fits(left), fits(right)])
  }

  private func doubles(_ function: ExpressionFunction, _ left: Number, _ right: Number) -> PostgresOperand? {
    // The remainder of doubles is not a function of PostgreSQL.
    if function == .modulus { return nil }
    // Nothing overflows between these, and no product becomes 0.
    func fits(_ number: Number) -> PostgresSQL? {
      if number.isHandy { return nil }
      let size: PostgresSQL = "abs(\(number.double))"
      let isSmall: PostgresSQL = "\(size) <= 1e150::double precision"
      if function == .add || function == .subtract { return isSmall }
      return "\(isSmall) AND (\(size) >= 1e-150::double precision OR \(number.double) = 0)"
    }
    let divisor: PostgresSQL = function == .divide ? "NULLIF(\(right.double), 0)" : right.double
    return value(
      "\(left.double) \(raw: function.sqlOperator) \(divisor)", .double,
      [left.domain, right.domain, fits(left), fits(right)])
  }

  private func value(of function: ExpressionFunction, _ number: Number) -> PostgresOperand {
    switch function {
    case .negate, .abs:
      let sign = function == .abs ? "abs" : "-"
      // The least integer has no opposite.
      let fits: PostgresSQL? = number.isInteger ? "\(number.sql) > -9223372036854775808" : nil
      return value("\(raw: sign)(\(number.sql))", number.isInteger ? .integer64 : .double, [number.domain, fits])
    case .sqrt:
      return value(
        "CASE WHEN \(number.double) >= 0 THEN sqrt(\(number.double)) END", .double, [number.domain])
    default:
      if number.isInteger { return value(number.sql, .integer64, [number.domain]) }
      let name = function == .ceiling ? "ceil" : function.rawValue
      return value("\(raw: name)(\(number.sql))", .double, [number.domain])
    }
  }

  /// A value that SQL computes where all conditions hold.
  private func value(_ sql: PostgresSQL, _ type: AttributeType, _ conditions: [PostgresSQL?]) -> PostgresOperand {
    let content = PostgresOperand.Content.value(ColumnForm(own: type))
    let known = conditions.compactMap { $0 }
    if known.isEmpty { return PostgresOperand(columns: ["(\(sql))"], content: content) }
    let domain: PostgresSQL = "(\(known.joined(" AND ")))"
    return PostgresOperand(columns: ["(CASE WHEN \(domain) THEN \(sql) END)"], content: content, domain: domain)
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

extension ExpressionFunction {
  fileprivate var sqlOperator: String { self == .modulus ? "%" : rawValue }
}
