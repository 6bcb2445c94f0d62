internal import Foundation
internal import Modeling

// Integers stay integers and divide as integers, as in SQLite and in NSExpression; a result that does not fit in 64
// bits becomes a double. A decimal with any number gives a decimal. A division by zero is nil, and so is an operation
// on anything other than numbers. The difference of two dates is in seconds; a date and a number give a date that
// many seconds later.

extension ExpressionFunction {
  /// `+ - * / **` and the modulus.
  func arithmetic(_ left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.null, _), (_, .null): return .null
    case (.date, _), (_, .date): return dateArithmetic(left, right)
    case (.bool(let flag), _): return arithmetic(.int(flag ? 1 : 0), right)
    case (_, .bool(let flag)): return arithmetic(left, .int(flag ? 1 : 0))
    default: break
    }
    if self == .power { return power(left, right) }
    switch (left, right) {
    case (.int(let left), .int(let right)): return integers(left, right)
    case (.decimal, _), (_, .decimal):
      guard let left = left.decimalValue, let right = right.decimalValue else { return .null }
      return decimals(left, right)
    default:
      guard let left = left.doubleValue, let right = right.doubleValue else { return .null }
      return doubles(left, right)
    }
  }

  private func dateArithmetic(_ left: Value, _ right: Value) -> Value {
    switch (self, left, right) {
    case (.subtract, .date(let left), .date(let right)): return .double(left.seconds - right.seconds)
    case (.add, .date(let date), let seconds), (.add, let seconds, .date(let date)):
      return seconds.doubleValue.map { .date(Timestamp(date.seconds + $0)) } ?? .null
    case (.subtract, .date(let date), let seconds):
      return seconds.doubleValue.map { .date(Timestamp(date.seconds - $0)) } ?? .null
    default: return .null
    }
  }

  /// Always a double, as SQLite's `pow` is.
  private func power(_ left: Value, _ right: Value) -> Value {
    guard let left = left.doubleValue, let right = right.doubleValue else { return .null }
    return Self.double(pow(left, right))
  }

  private func integers(_ left: Int64, _ right: Int64) -> Value {
    let result: (partialValue: Int64, overflow: Bool)
    switch self {
    case .add: result = left.addingReportingOverflow(right)
    case .subtract: result = left.subtractingReportingOverflow(right)
    case .multiply: result = left.multipliedReportingOverflow(by: right)
    case .divide:
      if right == 0 { return .null }
      result = left.dividedReportingOverflow(by: right)
    default:
      if right == 0 { return .null }
      return .int(right == -1 ? 0 : left % right)
    }
    return result.overflow ? doubles(Double(left), Double(right)) : .int(result.partialValue)
  }

  private func doubles(_ left: Double, _ right: Double) -> Value {
    switch self {
    case .add: return Self.double(left + right)
    case .subtract: return Self.double(left - right)
    case .multiply: return Self.double(left * right)
    case .divide: return right == 0 ? .null : Self.double(left / right)
    default: return right == 0 ? .null : Self.double(fmod(left, right))
    }
  }

  private func decimals(_ left: Decimal, _ right: Decimal) -> Value {
    switch self {
    case .add: return Self.decimal(left + right)
    case .subtract: return Self.decimal(left - right)
    case .multiply: return Self.decimal(left * right)
    case .divide: return right == 0 ? .null : Self.decimal(left / right)
    default: return right == 0 ? .null : Self.decimal(left - Self.rounded(left / right, .trunc) * right)
    }
  }

  /// `& | ^` and shifts, on integers; fractions are cut off as SQLite does.
  func bitwise(_ left: Value, _ right: Value) -> Value {
    guard let left = Self.bits(left), let right = Self.bits(right) else { return .null }
    switch self {
    case .bitwiseAnd: return .int(left & right)
    case .bitwiseOr: return .int(left | right)
    case .bitwiseXor: return .int(left ^ right)
    case .leftShift: return .int(left << right)
    default: return .int(left >> right)
    }
  }

  private static func bits(_ value: Value) -> Int64? {
    guard case .int(let bits)? = CastType.integer.convert(value), value.isNumber else { return nil }
    return bits
  }

  // MARK: One number

  /// Signs, roundings, roots and logarithms. Rounding keeps the type, halves go away from zero; the result outside a
  /// function's domain is nil.
  func number(_ value: Value) -> Value {
    switch (self, value) {
    case (.onesComplement, _): return Self.bits(value).map { .int(~$0) } ?? .null
    case (_, .bool(let flag)): return number(.int(flag ? 1 : 0))
    case (.negate, .int(let number)): return ExpressionFunction.subtract.arithmetic(.int(0), .int(number))
    case (.abs, .int(let number)): return number < 0 ? ExpressionFunction.negate.number(value) : value
    case (.floor, .int), (.ceiling, .int), (.round, .int), (.trunc, .int): return value
    case (.negate, .decimal(let number)): return Self.decimal(-number)
    case (.abs, .decimal(let number)): return Self.decimal(number < 0 ? -number : number)
    case (.floor, .decimal(let number)), (.ceiling, .decimal(let number)), (.round, .decimal(let number)),
      (.trunc, .decimal(let number)):
      return Self.decimal(Self.rounded(number, self))
    default: return value.doubleValue.map { real($0) } ?? .null
    }
  }

  private func real(_ number: Double) -> Value {
    switch self {
    case .negate: Self.double(-number)
    case .abs: Self.double(Swift.abs(number))
    case .floor: Self.double(number.rounded(.down))
    case .ceiling: Self.double(number.rounded(.up))
    case .round: Self.double(number.rounded(.toNearestOrAwayFromZero))
    case .trunc: Self.double(number.rounded(.towardZero))
    case .sqrt: number < 0 ? .null : Self.double(number.squareRoot())
    case .ln: number <= 0 ? .null : Self.double(Foundation.log(number))
    case .log: number <= 0 ? .null : Self.double(Foundation.log10(number))
    case .exp: Self.double(Foundation.exp(number))
    default: .null
    }
  }

  static func rounded(_ number: Decimal, _ function: ExpressionFunction) -> Decimal {
    let mode: NSDecimalNumber.RoundingMode =
      switch function {
      case .floor: .down
      case .ceiling: .up
      case .trunc: number < 0 ? .up : .down
      default: .plain
      }
    var (source, result) = (number, Decimal())
    NSDecimalRound(&result, &source, 0, mode)
    return result
  }

  /// Returns nil for NaN, as SQLite does.
  static func double(_ number: Double) -> Value { number.isNaN ? .null : .double(number) }

  /// A decimal with no more digits than its text can be read back with: a quotient may have one more.
  static func decimal(_ number: Decimal) -> Value {
    if number.isNaN { return .null }
    if Decimal(exactly: number.canonicalText) != nil { return .decimal(number) }
    var (source, result) = (number, Decimal())
    NSDecimalRound(&result, &source, -number.exponent - 1, .plain)
    return .decimal(result)
  }
}

extension Value {
  /// Whether arithmetic accepts it.
  var isNumber: Bool {
    switch self {
    case .bool, .int, .double, .decimal: true
    default: false
    }
  }
}
