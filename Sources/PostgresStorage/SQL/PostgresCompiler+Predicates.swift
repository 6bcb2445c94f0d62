import Modeling
import Queries

extension PostgresCompiler {
  /// The condition under which a predicate is true for a row, or false if `isNegated`; nil if SQL cannot express it.
  func condition(_ predicate: Predicate, at place: PostgresPlace, isNegated: Bool = false) -> PostgresCondition? {
    switch predicate {
    case .constant(let value): return value != isNegated ? .yes : .no
    case .and(let parts):
      let conditions = parts.map { condition($0, at: place, isNegated: isNegated) }
      return isNegated ? .any(conditions) : .all(conditions)
    case .or(let parts):
      let conditions = parts.map { condition($0, at: place, isNegated: isNegated) }
      return isNegated ? .all(conditions) : .any(conditions)
    case .not(let part): return condition(part, at: place, isNegated: !isNegated)
    case .comparison(let comparison): return condition(comparison, at: place, isNegated: isNegated)
    case .expression(let expression):
      guard let operand = operand(expression, at: place), case .value(let form) = operand.content,
        form.kind == .boolean
      else { return nil }
      return .exact("\(operand.sql) = \(raw: isNegated ? "FALSE" : "TRUE")")
    }
  }

  private func condition(
    _ comparison: Comparison, at place: PostgresPlace, isNegated: Bool
  ) -> PostgresCondition? {
    if comparison.modifier != .direct { return quantified(comparison, at: place, isNegated: isNegated) }
    if let left = operand(comparison.left, at: place) {
      return condition(left, comparison, comparison.right, at: place, isNegated: isNegated)
    }
    // A constant on the left is the same comparison from the other side.
    guard comparison.left.constantValue != nil, let mirrored = comparison.comparator.mirrored,
      let right = operand(comparison.right, at: place)
    else { return nil }
    var comparison = comparison
    comparison.comparator = mirrored
    return condition(right, comparison, comparison.left, at: place, isNegated: isNegated)
  }

  func condition(
    _ left: PostgresOperand, _ comparison: Comparison, _ right: Expression, at place: PostgresPlace, isNegated: Bool
  ) -> PostgresCondition? {
    if !comparison.options.isPlain, let constant = right.constantValue,
      let folded = folded(left, comparison.options, constant)
    {
      var plain = comparison
      plain.options = []
      return condition(folded.text, plain, .constant(folded.constant), at: place, isNegated: isNegated)
    }
    let test = PostgresComparison(left.withinDomain, comparison, isNegated: isNegated, store)
    if let list = right.listElements {
      let values = list.compactMap(\.constantValue)
      return values.count == list.count ? test.list(values)?.within(left.domain) : nil
    }
    if let constant = right.constantValue {
      if case .list(let values) = constant { return test.list(values)?.within(left.domain) }
      return test.constant(constant)?.within(left.domain)
    }
    guard let other = operand(right, at: place) else { return nil }
    return test.operand(other.withinDomain)?.within(left.domain).within(other.domain)
  }

  /// ANY: an element exists for which it is true. NONE: no such element exists. ALL: no element exists for which it is not
  /// true.
  private func quantified(
    _ comparison: Comparison, at place: PostgresPlace, isNegated: Bool
  ) -> PostgresCondition? {
    guard let found = elements(comparison.left, at: place) else {
      return quantifiedApart(comparison, at: place, isNegated: isNegated)
    }
    guard let test = elementTest(comparison, found.place, found.rest, outside: place) else { return nil }
    // CONTAINS over elements looks for a text in each, which is what the test does.
    let isAll = comparison.modifier == .all
    let exists = (comparison.modifier == .any) != isNegated
    guard test.isExact || exists && !isAll else { return nil }
    let tested: PostgresSQL = isAll ? "(\(test.sql)) IS NOT TRUE" : test.sql
    let select: PostgresSQL =
      "EXISTS (SELECT 1 FROM \(found.place.source.sql) WHERE \((found.conditions + [tested]).joined(" AND ")))"
    let sql = exists ? select : "NOT \(select)"
    return PostgresCondition(sql: sql, exactness: test.isExact ? .always : .never)
  }
}

extension PostgresCompiler {
  /// The condition that a comparison is true for the value to which a path leads from an element; its right side starts
  /// outside.
  func elementTest(
    _ comparison: Comparison, _ element: PostgresPlace, _ rest: PropertyPath?, outside: PostgresPlace? = nil
  ) -> PostgresCondition? {
    var direct = comparison
    direct.modifier = .direct
    if let rest {
      // The evaluator decides whether an element counts whose path ends on the way.
      guard let resolved = try? rest.resolve(in: element.entity),
        resolved.hops.count <= (resolved.attribute == nil ? 1 : 0)
          || comparison.modifier != .all && comparison.right.constantValue != .null
      else { return nil }
    }
    return (rest.map { operand($0, at: element) } ?? operand(.object, at: element)).flatMap {
      condition($0, direct, comparison.right, at: outside ?? element, isNegated: false)
    }
  }
}

extension Comparator {
  /// The operator with its sides exchanged; nil where only one side can be a list or pattern.
  fileprivate var mirrored: Comparator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}
