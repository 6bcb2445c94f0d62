import Modeling
import Queries

/// Comparisons.
extension SQLCompiler {
  /// The condition that compares `left` with `right` by the operator of `comparison`; the sides in `comparison` are
  /// ignored.
  func test(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    switch comparison.comparator {
    case .equal, .notEqual:
      let isEquality = (comparison.comparator == .equal) != isNegated
      return try equality(
        fitted(left, beside: right), comparison, fitted(right, beside: left), isEquality: isEquality)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (left, right) = (try single(left, comparison), try single(right, comparison))
      let comparator = isNegated ? comparison.comparator.opposite : comparison.comparator
      return try ordered(left, comparator.rawValue, right, comparison)
    case .between: return try between(left, comparison, right, isNegated: isNegated)
    case .in: return try membership(of: left, in: right, comparison, isNegated: isNegated)
    case .contains:
      switch left {
      case .collection, .list: return try membership(of: right, in: left, comparison, isNegated: isNegated)
      case .value, .object: return try within(left, comparison, right, isNegated: isNegated)
      }
    case .beginsWith, .endsWith, .like, .matches:
      return try textTest(left, comparison, right, isNegated: isNegated)
    }
  }

  /// A side that has to be a single value.
  func single(_ side: SQLSide, _ comparison: Comparison) throws -> SQLOperand {
    switch side {
    case .value(let operand): return operand
    case .object(let object) where object.columns.count == 1:
      return SQLOperand(sql: object.columns[0], kind: .any, isExact: false)
    case .object, .list:
      throw unsupported(.comparison(comparison.comparator.rawValue), at: comparison.origin)
    case .collection(let collection):
      throw PredicateError(
        .toManyWithoutQuantifier(collection.rest?.text ?? collection.place.entity.name), at: comparison.origin)
    }
  }

  // MARK: Equality

  private func equality(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isEquality: Bool
  ) throws -> SQLCondition {
    if right.isNull { return try nothing(left, comparison, isNegated: !isEquality) }
    if left.isNull { return try nothing(right, comparison, isNegated: !isEquality) }
    switch (left, right) {
    case (.object(let left), .object(let right)):
      guard let pairs = try pairs(left, right) else {
        let condition = SQLCondition("NULL", .comparison)
        return isEquality ? condition : condition.negated
      }
      if pairs.count == 1 {
        return SQLCondition("\(pairs[0].left) \(raw: isEquality ? "=" : "<>") \(pairs[0].right)", .comparison)
      }
      let same = SQLCondition(pairs.map { "\($0.left) = \($0.right)" }.joined(separator: " AND "), .and)
      return isEquality ? same : same.negated
    default:
      let (left, right) = (try single(left, comparison), try single(right, comparison))
      return try ordered(left, isEquality ? "=" : "<>", right, comparison)
    }
  }

  /// `== nil`, which is always true or false.
  private func nothing(_ side: SQLSide, _ comparison: Comparison, isNegated: Bool) throws -> SQLCondition {
    switch side {
    case .value(let operand) where operand.isNull: return isNegated ? .no : .yes
    case .value(let operand): return SQLCondition("\(operand.sql) IS \(raw: isNegated ? "NOT " : "")NULL")
    case .object(let object):
      let condition = isNothing(object)
      if object.columns.count > 1 {
        return isNegated ? SQLCondition(condition, .atom).negated : SQLCondition(condition, .atom)
      }
      return SQLCondition("\(object.columns[0]) IS \(raw: isNegated ? "NOT " : "")NULL")
    case .collection, .list: return isNegated ? .yes : .no
    }
  }
}
