import Modeling
import Queries
import SQLite

/// The comparisons <, <=, > and >=.
extension SQLCompiler {
  /// Two values compared by one of SQL's operators.
  func ordered(
    _ left: SQLOperand, _ sign: String, _ right: SQLOperand, _ comparison: Comparison
  ) throws -> SQLCondition {
    if let sql = localized(left, sign, right, comparison.options) { return SQLCondition(sql) }
    if let archived = archiveComparison(left, sign, right) { return archived }
    guard let (left, right) = try unified(left, right, comparison.options) else { return .neither }
    if let range = try range(left, sign, right, comparison) { return range }
    if let kept = keptComparison(left, sign, right) { return kept }
    let condition = SQLCondition("\(left.sql) \(raw: sign) \(right.sql)")
    if sign == "=" {
      let bounds = (left.kept?.bounds(sign, right) ?? []) + (right.kept?.bounds(sign, left) ?? [])
      if !bounds.isEmpty { return .all(bounds + [condition]) }
      return lowered(left, right, comparison.options).map { .all([$0, condition]) } ?? condition
    }
    let mirrored = sign == "<>" ? sign : mirror(sign)
    // Values without a declared type are ordered by storage class in memory, too.
    let isTyped = left.kind != .any && right.kind != .any
    let bounds = (left.kept?.bounds(sign, right) ?? []) + (right.kept?.bounds(mirrored, left) ?? [])
    return .all(bounds + [condition] + (isTyped ? guards(left, sign) + guards(right, mirrored) : []))
  }

  func between(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    guard case .list(let bounds) = right, bounds.count == 2 else {
      throw unsupported(.betweenWithoutBounds, at: comparison.origin)
    }
    let value = try single(left, comparison)
    let (low, high) = (try single(bounds[0], comparison), try single(bounds[1], comparison))
    if isNegated {
      return .any([try ordered(value, "<", low, comparison), try ordered(value, ">", high, comparison)])
    }
    return .all([try ordered(value, ">=", low, comparison), try ordered(value, "<=", high, comparison)])
  }

  /// Texts in the order of the option `l`; nil without that option.
  private func localized(
    _ left: SQLOperand, _ sign: String, _ right: SQLOperand, _ options: ComparisonOptions
  ) -> SQLFragment? {
    guard sign != "=", sign != "<>", options.contains(.localeSensitive),
      [.text, .any].contains(left.kind), [.text, .any].contains(right.kind)
    else { return nil }
    let ordered: SQLFragment =
      "text_compare(\(left.sql), \(right.sql), '\(raw: options.letters)') \(raw: sign) 0"
    let areTexts = [left, right].filter { $0.kind == .any }.map(\.isText).joined(separator: " AND ")
    if areTexts.isEmpty { return ordered }
    let (left, right) = unconverted(left, right)
    return "CASE WHEN \(areTexts) THEN \(ordered) ELSE \(left.sql) \(raw: sign) \(right.sql) END"
  }

  /// Conditions that exclude values that do not fit the column's type. SQLite orders numbers before text before blobs;
  /// the evaluation in memory does not compare values of different types.
  private func guards(_ operand: SQLOperand, _ sign: String) -> [SQLCondition] {
    guard !operand.isExact, operand.constant == nil else { return [] }
    let isOpenAbove = sign.hasPrefix(">") || sign == "<>"
    let isOpenBelow = sign.hasPrefix("<")
    switch operand.kind {
    case .number, .boolean, .date: return isOpenAbove ? [SQLCondition("\(operand.sql) < ''")] : []
    case .text:
      let above = isOpenAbove ? [SQLCondition("\(operand.sql) < x''")] : []
      return above + (isOpenBelow ? [SQLCondition("\(operand.sql) >= ''")] : [])
    case .data: return isOpenBelow ? [SQLCondition("\(operand.sql) >= x''")] : []
    default: return []
    }
  }
}

extension Comparator {
  /// The comparator that is true where this one is false.
  var opposite: Comparator {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: self
    }
  }
}
