import Modeling
import Queries

/// Predicates as conditions, with ANY, ALL and NONE.
extension SQLCompiler {
  /// The condition under which a row is selected, or its opposite if `isNegated`.
  ///
  /// NOT is moved down to the comparisons, as three-valued logic allows. Then only "true" and "not true" matter to the
  /// result, and one more condition can exclude a value of the wrong storage class.
  func condition(_ predicate: Queries.Predicate, at place: SQLPlace, isNegated: Bool = false) throws -> SQLCondition {
    switch predicate {
    case .constant(let value): return value != isNegated ? .yes : .no
    case .and(let parts):
      let conditions = try parts.map { try condition($0, at: place, isNegated: isNegated) }
      return isNegated ? .any(conditions) : .all(conditions)
    case .or(let parts):
      let conditions = try parts.map { try condition($0, at: place, isNegated: isNegated) }
      return isNegated ? .all(conditions) : .any(conditions)
    case .not(let part): return try condition(part, at: place, isNegated: !isNegated)
    case .comparison(let comparison): return try condition(comparison, at: place, isNegated: isNegated)
    case .expression(let expression): return try truth(of: expression, at: place, isNegated: isNegated)
    }
  }

  /// An expression used as a condition: a Boolean attribute or function.
  private func truth(of expression: Queries.Expression, at place: SQLPlace, isNegated: Bool) throws -> SQLCondition {
    let operand = try value(expression, at: place)
    switch operand.kind {
    case .null: return .neither
    case .boolean where operand.isExact && operand.constant == nil:
      return SQLCondition("\(operand.sql) = \(raw: isNegated ? "0" : "1")")
    case .boolean, .number, .any:
      let condition = SQLCondition(operand.sql, .atom)
      return isNegated ? condition.negated : condition
    default: throw unsupported(.conditionWithoutTruth)
    }
  }

  private func condition(_ comparison: Comparison, at place: SQLPlace, isNegated: Bool) throws -> SQLCondition {
    guard comparison.modifier != .direct else {
      let sides = (try side(comparison.left, at: place), try side(comparison.right, at: place))
      return try test(sides.0, comparison, sides.1, isNegated: isNegated)
    }
    if comparison.left.writtenElements != nil {
      if case .list(let elements) = try side(comparison.left, at: place) {
        return try quantified(comparison, elements, try side(comparison.right, at: place), isNegated: isNegated)
      }
    } else if let elements = try elements(comparison.left, at: place) {
      return try quantified(comparison, elements, try side(comparison.right, at: place), isNegated: isNegated)
    }
    throw PredicateError(
      .quantifierNeedsToMany(comparison.modifier, "\(comparison.left)"), at: comparison.origin)
  }

  /// ANY: an element exists for which the test is true. NONE: no such element exists. ALL: no element exists for which
  /// it is not true.
  private func quantified(
    _ comparison: Comparison, _ elements: SQLCollection, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    let test = try test(ofElement: try elements.element(self), comparison, right, isNegated: false)
    switch comparison.modifier {
    case .any, .direct: return elements.exists(test, isNegated: isNegated)
    case .none: return elements.exists(test, isNegated: !isNegated)
    case .all:
      return elements.exists(SQLCondition("\(test.sql(within: .atom)) IS NOT TRUE"), isNegated: !isNegated)
    }
  }

  /// Each element is a single value, so that CONTAINS looks for a text in it.
  private func test(
    ofElement element: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    guard comparison.comparator == .contains, case .value = element, case .value = right else {
      return try test(element, comparison, right, isNegated: isNegated)
    }
    return try textTest(element, comparison, right, isNegated: isNegated)
  }

  private func quantified(
    _ comparison: Comparison, _ elements: [SQLSide], _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    let isAll = comparison.modifier == .all
    let isNegated = comparison.modifier == .none ? !isNegated : isNegated
    let tests = try elements.map { element in
      // Only nil on the right side asks whether a value is nil.
      element.isNull && !right.isNull
        ? .neither : try test(ofElement: element, comparison, right, isNegated: isNegated)
    }
    return isAll != isNegated ? .all(tests) : .any(tests)
  }
}
