import Foundation
import Modeling
import Queries
import SQLite

/// Values: constants, attributes, functions, CASE and CAST.
extension SQLCompiler {
  /// Translates an expression with a single value.
  func value(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLOperand {
    if let key = partials?.key(expression) { return key }
    switch expression {
    case .constant(let value), .argument(let value, _): return try constant(value)
    case .path(let path):
      return try value(of: path, from: place)
    case .variablePath(let name, let path):
      let element = try variable(name, path.origin)
      return element.value == nil ? try value(of: path, from: element.place) : .nothing
    case .variable(let name, let origin):
      if let value = try variable(name, origin).value { return value }
      return try objectValue(expression, at: place)
    case .object: return try objectValue(expression, at: place)
    case .function(let function, let arguments, let origin):
      return try call(function, arguments, at: place, origin)
    case .collection(let function, let elements, let key): return try aggregate(function, elements, key, at: place)
    case .subscripted(let elements, let index): return try element(index, of: elements, at: place)
    case .ternary(let predicate, let yes, let no): return try choice(predicate, yes, no, at: place)
    case .cast(let operand, let type): return try cast(value(operand, at: place), to: type)
    case .aggregate: throw unsupported(.listAsValue)
    case .subquery: throw unsupported(.subqueryAsValue)
    }
  }

  /// A constant as a parameter.
  func constant(_ value: Value) throws -> SQLOperand {
    switch value {
    case .null: return .null
    case .object(let id):
      let values = schema.keyValues(id.entity, id.key)
      let key = values.count == 1 ? values[0] : RowKey.encode(values).map(Value.data) ?? .null
      return SQLOperand(sql: SQLFragment(value: key), kind: .any, constant: key)
    case .list: throw unsupported(.listAsValue)
    default:
      return SQLOperand(sql: SQLFragment(value: value.bindable), kind: SQLKind(value) ?? .any, constant: value)
    }
  }

  private func objectValue(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLOperand {
    guard let object = try object(expression, at: place) else { return .nothing }
    return SQLOperand(
      sql: Self.singleValue(object.columns), kind: .any, isExact: false, entity: object.entity)
  }

  /// TERNARY. A condition that is neither true nor false chooses the same branch as false.
  private func choice(
    _ predicate: Queries.Predicate, _ yes: Queries.Expression, _ no: Queries.Expression, at place: SQLPlace
  ) throws -> SQLOperand {
    let condition = try condition(predicate, at: place)
    let (yes, no) = (try value(yes, at: place), try value(no, at: place))
    let kinds = Set([yes.kind, no.kind]).subtracting([.null])
    var (first, second) = (yes, no)
    if kinds == [.number, .decimal], let one = decimal(yes), let other = decimal(no) { (first, second) = (one, other) }
    let kind = kinds.count == 1 ? kinds.first ?? .null : first.kind == second.kind ? first.kind : .any
    func chosen(_ first: SQLFragment, _ second: SQLFragment) -> SQLFragment {
      "CASE WHEN \(condition.sql) THEN \(first) ELSE \(second) END"
    }
    var result = SQLOperand(
      sql: chosen(first.sql, second.sql), kind: kind, isExact: yes.isExact && no.isExact)
    if let entity = yes.array?.entity ?? no.array?.entity {
      let (one, other) = (yes.array ?? JSONArray(yes, entity), no.array ?? JSONArray(no, entity))
      result.array = JSONArray(
        entity: entity, isArray: chosen(one.isArray, other.isArray), document: chosen(one.text, other.text))
      result.text = chosen(yes.text ?? yes.sql, no.text ?? no.sql)
    }
    return result
  }

  private func cast(_ operand: SQLOperand, to type: CastType) -> SQLOperand {
    let kind = type == .number || type == .double ? SQLKind.number : SQLKind(type.attributeType)
    return SQLOperand(
      sql: "convert_value('\(raw: type.rawValue)', '\(raw: operand.kind.letter)', \(operand.sql))", kind: kind,
      type: type.attributeType)
  }

  // MARK: Numbers and decimals

  /// A number as decimal text; nil if the operand is not a number.
  func decimal(_ operand: SQLOperand) -> SQLOperand? {
    if operand.kind == .decimal || operand.isNull { return operand }
    guard operand.kind.isNumeric || operand.kind == .any else { return nil }
    if let constant = operand.constant, let text = constant.decimalText {
      return SQLOperand(sql: SQLFragment(value: .string(text)), kind: .decimal, constant: constant)
    }
    return SQLOperand(sql: "decimal_text(\(operand.sql))", kind: .decimal)
  }

  /// A decimal constant as a number of SQLite; nil if no such number equals it.
  func number(_ constant: Value) -> SQLOperand? {
    guard case .decimal(let decimal) = constant else { return nil }
    let text = decimal.canonicalText
    let number: Value
    if let integer = Int64(text) {
      number = .int(integer)
    } else {
      guard let double = Double(text), Value.double(double).decimal == decimal else { return nil }
      number = .double(double)
    }
    return SQLOperand(sql: SQLFragment(value: number), kind: .number, constant: number)
  }
}

extension Value {
  /// The value in a form that SQLite can bind: JSON as text.
  var bindable: Value {
    if case .json(let json) = self { .string(json.text) } else { self }
  }
}
