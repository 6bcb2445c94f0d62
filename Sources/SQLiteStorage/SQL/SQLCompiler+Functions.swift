import Modeling
import Queries
import SQLite

/// Functions and operators.
///
/// SQLite's own functions are used if their results equal those of the evaluation in memory. All others become
/// `call(name, kinds, ...)`, which runs that evaluation.
extension SQLCompiler {
  /// Translates a call.
  func call(
    _ function: ExpressionFunction, _ arguments: [Queries.Expression], at place: SQLPlace, _ origin: Origin?
  ) throws -> SQLOperand {
    if function.isAggregate { return try aggregateCall(function, arguments, at: place, origin) }
    if function == .entityName, arguments.count == 1 { return try entityName(of: arguments[0], at: place) }
    if function == .now { return try constant(.date(schema.now())) }
    let operands = try arguments.map { try value($0, at: place) }
    if operands.contains(where: \.isNull) { return .nothing }
    let expected = function.isInfix || function.isBinaryCall ? 2 : 1
    guard operands.count == expected else {
      throw PredicateError(
        .wrongArgumentCount(function: function.rawValue, expected: "\(expected)", given: operands.count), at: origin)
    }
    switch function {
    case .year, .month, .day, .hour, .minute, .second, .weekday: return try datePart(function, operands[0], origin)
    case .noindex: return hidden(operands[0])
    case .add, .subtract, .multiply, .negate, .divide:
      if let plain = plainArithmetic(function, operands) { return plain }
    case .length where operands[0].kind == .text && operands[0].isExact:
      return SQLOperand(sql: "length(\(operands[0].sql))", kind: .number, type: .integer64)
    case .length, .power, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement, .leftShift, .rightShift,
      .lowercase, .uppercase, .canonical, .trim, .abs, .floor, .ceiling, .round, .trunc, .sqrt, .ln, .log, .exp, .now,
      .count, .sum, .average, .min, .max, .median, .mode, .stddev, .entityName:
      break
    }
    return try evaluated(function, operands, origin)
  }

  /// The operand with a unary plus, which hides its column from the query planner.
  private func hidden(_ operand: SQLOperand) -> SQLOperand {
    guard operand.constant == nil else { return operand }
    var operand = operand
    operand.sql = "(+\(operand.sql))"
    return operand
  }

  // MARK: Entities

  /// The name of an object's entity, from the discriminator column; NULL if there is no object.
  private func entityName(of expression: Queries.Expression, at place: SQLPlace) throws -> SQLOperand {
    switch expression {
    case .object: return entityName(at: place, isThere: true)
    case .variable(let name, let origin):
      let element = try variable(name, origin)
      return element.value == nil ? entityName(at: element.place, isThere: true) : .nothing
    case .path(let path): return try entityName(atEndOf: path, from: place)
    case .variablePath(let name, let path):
      let element = try variable(name, path.origin)
      return element.value == nil ? try entityName(atEndOf: path, from: element.place) : .nothing
    case .constant(let value), .argument(let value, _):
      return try constant(ExpressionFunction.entityName.evaluate([value]))
    default: return .nothing
    }
  }

  private func entityName(atEndOf path: PropertyPath, from place: SQLPlace) throws -> SQLOperand {
    let resolved = try resolve(path, in: place.entity)
    guard resolved.attribute == nil, !resolved.isToMany else { return .nothing }
    return entityName(at: try walk(resolved.hops, from: place, path: path), isThere: false)
  }

  /// The entity name of a row; `isThere` if the row is not the optional side of an outer join.
  private func entityName(at place: SQLPlace, isThere: Bool) -> SQLOperand {
    func name(_ entity: Entity) -> SQLFragment { SQLFragment(value: .string(entity.name)) }
    guard let column = schema.layout(place.entity).discriminator?.column else {
      let key = keyColumns(place.entity).first.map(place.column)
      let sql =
        isThere || key == nil
        ? name(place.entity) : "CASE WHEN \(key ?? "1") IS NOT NULL THEN \(name(place.entity)) END"
      return SQLOperand(sql: sql, kind: .text, type: .string)
    }
    // Stores in Perilune's own format keep the name itself.
    if place.entity.family.allSatisfy({ schema.layout($0).discriminator?.value == .string($0.name) }) {
      return SQLOperand(sql: place.column(column), kind: .text, type: .string)
    }
    let cases = place.entity.family.compactMap { member -> SQLFragment? in
      schema.layout(member).discriminator.map { "WHEN \(SQLFragment(value: $0.value)) THEN \(name(member))" }
    }
    return SQLOperand(
      sql: "CASE \(place.column(column)) \(cases.joined(separator: " ")) END", kind: .text, type: .string)
  }

  // MARK: Dates

  /// A part of a date in UTC. It uses only `strftime`, so that the expression can be stored in the file's schema.
  private func datePart(_ function: ExpressionFunction, _ operand: SQLOperand, _ origin: Origin?) throws -> SQLOperand {
    guard operand.kind == .date || operand.kind == .any else {
      throw PredicateError(
        .wrongOperand(function: function.rawValue, expected: "Date", found: operand.kind.name), at: origin)
    }
    let date = operand.sql
    // strftime rounds to milliseconds, which would put the last half millisecond of a day into the next day.
    let whole: SQLFragment = "CAST(\(date) AS INTEGER) - (\(date) < CAST(\(date) AS INTEGER))"
    // strftime accepts the year 0 and negative years.
    let floor: SQLFragment =
      "CASE WHEN \(date) >= \(raw: String(Calendar.start)) AND \(date) < \(raw: String(Calendar.end)) THEN \(whole) END"
    let isText = function == .month || function == .day
    let part: SQLFragment = "strftime('\(raw: function.dateFormat)', \(floor), 'unixepoch')"
    let sql: SQLFragment =
      isText ? part : function == .weekday ? "(CAST(\(part) AS INTEGER) + 1)" : "CAST(\(part) AS INTEGER)"
    var result = SQLOperand(sql: sql, kind: isText ? .text : .number, type: isText ? .string : .integer64)
    if operand.kind == .date, operand.isExact || operand.kept?.isDateText == true {
      result.datePart = DatePart(function: function, sql: date, kept: operand.kept)
    }
    return result
  }

  // MARK: Arithmetic

  /// Arithmetic on integers, doubles and dates; nil if SQLite's arithmetic differs from ours: for decimals and for
  /// columns without a declared type.
  private func plainArithmetic(_ function: ExpressionFunction, _ operands: [SQLOperand]) -> SQLOperand? {
    let isPlain = operands.allSatisfy {
      ($0.kind == .number || $0.kind == .boolean || $0.kind == .date) && $0.isExact
    }
    let dates = operands.count { $0.kind == .date }
    guard isPlain, dates == 0 || function == .add || function == .subtract else { return nil }
    let sql: SQLFragment =
      function == .negate
      ? "(-\(operands[0].sql))" : "(\(operands[0].sql) \(raw: function.rawValue) \(operands[1].sql))"
    return SQLOperand(sql: sql, kind: dates == 1 ? .date : .number)
  }

  /// A function call that runs the evaluation in memory.
  private func evaluated(
    _ function: ExpressionFunction, _ operands: [SQLOperand], _ origin: Origin?
  ) throws -> SQLOperand {
    if isBuiltInOnly { throw unsupported(.derived(function.rawValue), at: origin) }
    let kinds = operands.map(\.kind.letter).joined()
    let list = operands.map(\.sql).joined(separator: ", ")
    let kind = function.resultKind(operands.map(\.kind))
    return SQLOperand(
      sql: "call('\(raw: function.rawValue)', '\(raw: kinds)', \(list))", kind: kind)
  }
}

/// The first second of the year 1 and the first second after the year 9999: only dates between them have parts.
enum Calendar {
  static let start = -62_135_596_800
  static let end = 253_402_300_800
}

extension ExpressionFunction {
  /// The format with which `strftime` returns a part of a date.
  fileprivate var dateFormat: String {
    switch self {
    case .year: "%Y"
    case .month: "%Y-%m"
    case .day: "%Y-%m-%d"
    case .hour: "%H"
    case .minute: "%M"
    case .second: "%S"
    default: "%w"
    }
  }

  fileprivate var isBinaryCall: Bool { self == .modulus || self == .leftShift || self == .rightShift }

  /// The kind of the function's result for operands of these kinds.
  func resultKind(_ operands: [SQLKind]) -> SQLKind {
    switch self {
    case .lowercase, .uppercase, .canonical, .trim, .month, .day, .entityName: .text
    case .now: .date
    case .min, .max, .mode, .noindex: operands.first ?? .any
    case .add, .subtract, .multiply, .divide, .modulus, .negate, .abs, .floor, .ceiling, .round, .trunc, .sum, .average,
      .median:
      operands.contains(.date) ? .date : operands.contains(.decimal) ? .decimal : .number
    case .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .onesComplement, .leftShift, .rightShift, .year, .hour, .minute,
      .second, .weekday, .length, .sqrt, .ln, .log, .exp, .count, .stddev:
      .number
    }
  }
}

extension SQLKind {
  /// The letter for the kind in the arguments of SQL functions.
  var letter: String {
    switch self {
    case .null, .any: "a"
    case .boolean: "b"
    case .number: "n"
    case .decimal: "m"
    case .text: "s"
    case .date: "d"
    case .uuid: "u"
    case .data: "x"
    case .json: "j"
    }
  }

  /// Returns the kind for a letter.
  init(letter: UInt8) {
    let all: [SQLKind] = [.boolean, .number, .decimal, .text, .date, .uuid, .data, .json]
    self = all.first { $0.letter.utf8.first == letter } ?? .any
  }

  /// The kind's name in messages.
  var name: String {
    switch self {
    case .null: "nil"
    case .boolean: "Bool"
    case .number: "number"
    case .decimal: "Decimal"
    case .text: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    case .json: "JSON"
    case .any: "any value"
    }
  }
}
