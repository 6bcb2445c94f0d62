import Modeling
import Queries

// Expression functions as functions of SQLite's own.
extension DerivedCompiler {
  /// The call in SQL; nil if SQLite has no such built-in function.
  mutating func call(
    _ function: ExpressionFunction, _ operands: [Operand]
  ) throws(DerivationError.Obstacle) -> Operand? {
    guard let first = operands.first else { return nil }
    let last = operands[operands.count - 1]
    switch function {
    case .year, .month, .day, .hour, .minute, .second, .weekday:
      guard first.type == .date else { throw DerivationError.Obstacle.needsDate(function: function.rawValue) }
      return datePart(function, first.sql)
    case .lowercase: return ("lower(\(first.sql))", .string)
    case .uppercase: return ("upper(\(first.sql))", .string)
    case .canonical:
      result.hasSubquery = true
      return (CanonicalText.sql(first.sql), .string)
    case .trim: return ("trim(\(first.sql), char(9, 10, 11, 12, 13, 32))", .string)
    case .length: return ("length(\(first.sql))", .integer64)
    case .add where first.type == .string || last.type == .string: return ("(\(first.sql) || \(last.sql))", .string)
    case .add, .subtract, .multiply, .divide, .modulus, .negate, .abs, .round, .floor, .ceiling, .trunc:
      guard !operands.contains(where: { $0.type == .decimal }) else {
        throw DerivationError.Obstacle.decimals
      }
      return arithmetic(function, operands)
    case .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement, .leftShift, .rightShift, .sqrt, .ln, .log, .exp,
      .now, .count, .sum, .average, .min, .max, .median, .mode, .stddev, .noindex, .entityName:
      return nil
    }
  }

  private func arithmetic(_ function: ExpressionFunction, _ operands: [Operand]) -> Operand {
    let (first, last) = (operands[0], operands[operands.count - 1])
    let isReal = operands.contains { $0.type == .double || $0.type == .float }
    let type = operands.contains { $0.type == .date } ? AttributeType.date : isReal ? .double : .integer64
    switch function {
    case .negate: return ("(-\(first.sql))", type)
    case .abs: return ("abs(\(first.sql))", type)
    case .round: return ("round(\(first.sql))", type)
    case .trunc: return ("CAST(\(first.sql) AS INTEGER)", type)
    case .floor: return ("(CAST(\(first.sql) AS INTEGER) - (\(first.sql) < CAST(\(first.sql) AS INTEGER)))", type)
    case .ceiling: return ("(CAST(\(first.sql) AS INTEGER) + (\(first.sql) > CAST(\(first.sql) AS INTEGER)))", type)
    case .modulus: return ("(\(first.sql) % \(last.sql))", type)
    default: return ("(\(first.sql) \(function.rawValue) \(last.sql))", type)
    }
  }

  /// The same as in requests. strftime rounds to milliseconds, which would put the last half millisecond of a day into
  /// the next day.
  private func datePart(_ function: ExpressionFunction, _ date: String) -> Operand {
    let formats: [ExpressionFunction: String] = [
      .year: "%Y", .month: "%Y-%m", .day: "%Y-%m-%d", .hour: "%H", .minute: "%M", .second: "%S", .weekday: "%w",
    ]
    let floor = "CAST(\(date) AS INTEGER) - (\(date) < CAST(\(date) AS INTEGER))"
    let part = "strftime('\(formats[function] ?? "")', \(floor), 'unixepoch')"
    switch function {
    case .month, .day: return (part, .string)
    case .weekday: return ("(CAST(\(part) AS INTEGER) + 1)", .integer64)
    default: return ("CAST(\(part) AS INTEGER)", .integer64)
    }
  }
}
