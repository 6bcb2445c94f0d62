import Modeling
import Queries

/// An integer of 64 bits or a double, in SQL.
private struct Number {
  var sql: PostgresSQL
  /// The same within the domain.
  var bare: PostgresSQL
  let isInteger: Bool
  var domain: PostgresSQL?
  /// Nil for a double of any size.
  var size: NumberSize?
  /// Whether it is a constant of a size that all operations of integers take.
  var isHandy = false

  /// As a double.
  var double: PostgresSQL { isInteger ? "(\(bare))::double precision" : bare }

  /// The condition that its size is between one over 10 to a power and that power, or 0.
  func isWithin(_ power: Int) -> PostgresSQL {
    let number: PostgresSQL = isInteger ? "(\(sql))::double precision" : sql
    let size: PostgresSQL = "abs(\(number))"
    let least: PostgresSQL = "(\(size) >= 1e-\(raw: "\(power)")::double precision OR \(number) = 0)"
    return "\(size) <= 1e\(raw: "\(power)")::double precision AND \(least)"
  }
}

/// Arithmetic, where SQL computes the same bits as we do.
extension PostgresCompiler {
  func arithmetic(
    _ function: ExpressionFunction, _ arguments: [Expression], at place: PostgresPlace
  ) -> PostgresOperand? {
    guard arguments.count == 2, let left = number(arguments[0], at: place), let right = number(arguments[1], at: place)
    else { return nil }
    return left.isInteger && right.isInteger ? integers(function, left, right) : doubles(function, left, right)
  }

  private func number(_ expression: Expression, at place: PostgresPlace) -> Number? {
    switch expression.constantValue {
    case .int(let number)? where abs(Double(number)) < 2_147_483_647:
      let sql: PostgresSQL = "\(.int(number))::bigint"
      return Number(sql: sql, bare: sql, isInteger: true, size: NumberSize(of: Double(number)), isHandy: true)
    case .double(let number)? where number == 0 || abs(number) > 1e-150 && abs(number) < 1e150:
      let sql: PostgresSQL = "\(.double(number))::double precision"
      return Number(sql: sql, bare: sql, isInteger: false, size: NumberSize(of: number))
    case .some: return nil
    case nil: break
    }
    guard let operand = operand(expression, at: place), case .value(let form) = operand.content,
      form.kind == .integer || form.kind == .real, operand.sql.segments.count < 100
    else { return nil }
    let isInteger = form.kind == .integer
    func cast(_ sql: PostgresSQL) -> PostgresSQL {
      let value: PostgresSQL = form.mayHoldNaN ? "NULLIF(\(sql), 'NaN')" : sql
      return "(\(value))::\(raw: isInteger ? "bigint" : "double precision")"
    }
    return Number(
      sql: cast(operand.sql), bare: cast(operand.bare ?? operand.sql), isInteger: isInteger, domain: operand.domain,
      size: isInteger ? .integer : operand.size)
  }

  private func integers(_ function: ExpressionFunction, _ left: Number, _ right: Number) -> PostgresOperand {
    // Half of the bits for factors, one bit less than all for terms.
    let bound = function == .multiply ? "2147483647" : "4611686018427387903"
    func fits(_ number: Number) -> PostgresSQL? {
      number.isHandy ? nil : "\(number.sql) BETWEEN -\(raw: bound) AND \(raw: bound)"
    }
    let divisor: PostgresSQL = function == .divide || function == .modulus ? "NULLIF(\(right.bare), 0)" : right.bare
    return value(
      "\(left.bare) \(raw: function.sqlOperator) \(divisor)", .integer64,
      [left.domain, right.domain, fits(left), fits(right)])
  }

  /// Doubles of any size are first kept to one with which many operations stay in the range of doubles; where that is not
  /// enough, both numbers are kept to one with which this operation does.
  private func doubles(_ function: ExpressionFunction, _ left: Number, _ right: Number) -> PostgresOperand? {
    // The remainder of doubles is not a function of PostgreSQL.
    if function == .modulus { return nil }
    func result(_ left: NumberSize, _ right: NumberSize) -> NumberSize {
      switch function {
      case .multiply: left * right
      case .divide: left / right
      default: left + right
      }
    }
    func kept(_ number: Number) -> NumberSize { number.size ?? NumberSize(-75, 75) }
    var fits = [left, right].map { $0.size == nil ? $0.isWithin(75) : nil }
    var size = result(kept(left), kept(right))
    if !size.isNormal {
      fits = [left.isWithin(150), right.isWithin(150)]
      size = result(NumberSize(-150, 150), NumberSize(-150, 150))
    }
    let divisor: PostgresSQL = function == .divide ? "NULLIF(\(right.double), 0)" : right.double
    return value(
      "\(left.double) \(raw: function.sqlOperator) \(divisor)", .double, [left.domain, right.domain] + fits, size: size)
  }

  /// A function of one number.
  func rounding(
    _ function: ExpressionFunction, _ arguments: [Expression], at place: PostgresPlace
  ) -> PostgresOperand? {
    guard let number = arguments.first.flatMap({ number($0, at: place) }) else { return nil }
    switch function {
    case .negate, .abs:
      let sign = function == .abs ? "abs" : "-"
      // The least integer has no opposite.
      let fits: PostgresSQL? = number.isInteger ? "\(number.sql) > -9223372036854775808" : nil
      return value(
        "\(raw: sign)(\(number.bare))", number.isInteger ? .integer64 : .double, [number.domain, fits],
        size: number.size)
    case .sqrt:
      return value(
        "CASE WHEN \(number.double) >= 0 THEN sqrt(\(number.double)) END", .double, [number.domain],
        size: number.size?.squareRoot)
    default:
      if number.isInteger { return value(number.bare, .integer64, [number.domain]) }
      let name = function == .ceiling ? "ceil" : function.rawValue
      return value("\(raw: name)(\(number.bare))", .double, [number.domain], size: number.size?.rounded)
    }
  }
}

extension ExpressionFunction {
  fileprivate var sqlOperator: String { self == .modulus ? "%" : rawValue }
}
