import Modeling
import Queries
import SQLite

/// Conversions after which SQL compares two values as the evaluation in memory does.
extension SQLCompiler {
  /// Both operands converted to one kind; nil if values of these kinds never compare.
  func unified(
    _ left: SQLOperand, _ right: SQLOperand, _ options: ComparisonOptions
  ) throws -> (SQLOperand, SQLOperand)? {
    if left.isNull || right.isNull { return (left, right) }
    switch (left.kind, right.kind) {
    case (.text, .text), (.text, .any), (.any, .text), (.any, .any):
      let (left, right) = unconverted(left, right)
      return options.isPlain ? (left, right) : (folded(left, options), folded(right, options))
    case (.uuid, .text), (.any, .uuid): return (left.kind == .uuid ? left : upper(left), upper(right))
    case (.text, .uuid), (.uuid, .any): return (upper(left), right.kind == .uuid ? right : upper(right))
    case (.data, .text): return fitted(right, to: .data).map { (left, $0) }
    case (.text, .data): return fitted(left, to: .data).map { ($0, right) }
    case (.json, .text), (.json, .number), (.json, .boolean), (.json, .data):
      return fitted(right, to: .transformable).map { (left, $0) }
    case (.text, .json), (.number, .json), (.boolean, .json), (.data, .json):
      return fitted(left, to: .transformable).map { ($0, right) }
    case (.decimal, _), (_, .decimal): return decimals(left, right)
    case (.number, .number), (.number, .boolean), (.boolean, .number): return (left, right)
    case (.any, _), (_, .any): return unconverted(left, right)
    default: return left.kind == right.kind ? (left, right) : nil
    }
  }

  /// Two values, one of them without a declared type, kept as they are. Otherwise a column's affinity would convert the
  /// other value.
  func unconverted(_ left: SQLOperand, _ right: SQLOperand) -> (SQLOperand, SQLOperand) {
    guard left.kind == .any || right.kind == .any, left.constant == nil, right.constant == nil,
      left.entity == nil, right.entity == nil
    else { return (left, right) }
    func hidden(_ operand: SQLOperand) -> SQLOperand {
      var operand = operand
      if operand.kind != .any { operand.sql = "(+\(operand.sql))" }
      return operand
    }
    return (hidden(left), hidden(right))
  }

  /// Two numbers, at least one of them a decimal. A column of numbers is compared with a constant as a number if the
  /// constant fits one, so that the column's index can be used.
  private func decimals(_ left: SQLOperand, _ right: SQLOperand) -> (SQLOperand, SQLOperand)? {
    if left.kind != .decimal, let constant = right.constant, let number = number(constant) { return (left, number) }
    if right.kind != .decimal, let constant = left.constant, let number = number(constant) { return (number, right) }
    guard var left = decimal(left), let right = decimal(right) else { return nil }
    left.sql = "\(left.sql) COLLATE decimal"
    return (left, right)
  }

  /// A constant converted to a type; nil if the operand is not a constant or cannot be converted.
  func fitted(_ operand: SQLOperand, to type: AttributeType) -> SQLOperand? {
    guard let constant = operand.constant else { return nil }
    let value = constant.fitted(to: type)
    // Data that is not text stays data beside JSON and equals no JSON.
    guard value != constant || SQLKind(constant) == .data else { return nil }
    return SQLOperand(sql: SQLFragment(value: value.bindable), kind: SQLKind(type), constant: value)
  }

  /// A list of constants beside JSON as a JSON array; any other side unchanged.
  func fitted(_ side: SQLSide, beside other: SQLSide) -> SQLSide {
    guard case .list(let elements) = side, case .value(let operand) = other, operand.kind == .json else { return side }
    var values: [Value] = []
    for element in elements {
      let plain = fitted(element, beside: other)
      guard case .value(let element) = plain, let value = element.constant else { return side }
      values.append(value)
    }
    let value = Value.list(values).fitted(to: .transformable)
    guard case .json = value else { return side }
    return .value(SQLOperand(sql: SQLFragment(value: value.bindable), kind: .json, constant: value))
  }

  /// A text in upper case, the form in which UUIDs are stored.
  private func upper(_ operand: SQLOperand) -> SQLOperand {
    if case .string(let text)? = operand.constant {
      return SQLOperand(sql: SQLFragment(value: .string(text.uppercased())), kind: .text, constant: operand.constant)
    }
    var operand = operand
    operand.sql = "upper(\(operand.sql))"
    return operand
  }
}
