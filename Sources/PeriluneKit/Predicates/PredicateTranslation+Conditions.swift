internal import Foundation
internal import Modeling
internal import Queries

extension PredicateExpressions.Conjunction: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    .and([try translation.condition(lhs), try translation.condition(rhs)])
  }
}

extension PredicateExpressions.Disjunction: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    .or([try translation.condition(lhs), try translation.condition(rhs)])
  }
}

extension PredicateExpressions.Negation: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    .not(try translation.condition(wrapped))
  }
}

extension PredicateExpressions.Equal: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    // `$0.place?.contains("x") == true`
    if let flag = rhs as? any ConstantCondition, let wanted = flag.constant,
      lhs is any TranslatableCondition
        || (lhs as? any OptionalCondition)?.isCondition == true
    {
      let condition = try translation.condition(lhs)
      return wanted ? condition : .not(condition)
    }
    return .comparison(Comparison(try translation.value(lhs), .equal, try translation.value(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    .comparison(Comparison(try translation.value(lhs), .notEqual, try translation.value(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    let comparator: Queries.Comparator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateTranslation.untranslatable(self)
      }
    return .comparison(Queries.Comparison(try translation.value(lhs), comparator, try translation.value(rhs)))
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    guard Base.Output.self is any StringProtocol.Type else { throw PredicateTranslation.untranslatable(self) }
    return .comparison(Queries.Comparison(try translation.value(base), .contains, try translation.value(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    guard Base.Output.self is any StringProtocol.Type else { throw PredicateTranslation.untranslatable(self) }
    return .comparison(Queries.Comparison(try translation.value(base), .beginsWith, try translation.value(prefix)))
  }
}

extension PredicateExpressions.SequenceContains: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    .comparison(Queries.Comparison(try translation.value(element), .in, try translation.value(sequence)))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    let found = try translation.members(of: sequence, variable.key) { try $0.condition(test) }
    return .comparison(Queries.Comparison(.collection(.count, of: found, key: nil), .greater, .constant(.int(0))))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    let found = try translation.members(of: sequence, variable.key) { .not(try $0.condition(test)) }
    return .comparison(Queries.Comparison(.collection(.count, of: found, key: nil), .equal, .constant(.int(0))))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    let value = try translation.value(element)
    if let range = range as? any TranslatableRange { return try range.contains(value, in: translation) }
    throw PredicateTranslation.untranslatable(self)
  }
}

extension PredicateExpressions.Conditional: TranslatableCondition where Output == Bool {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    let test = try translation.condition(test)
    return .or([
      .and([test, try translation.condition(trueBranch)]), .and([.not(test), try translation.condition(falseBranch)]),
    ])
  }
}

/// A part that may be a constant Boolean.
protocol ConstantCondition {
  var constant: Bool? { get }
}

extension PredicateExpressions.Value: ConstantCondition {
  var constant: Bool? { value as? Bool ?? (value as? Bool?).flatMap { $0 } }
}

/// A part that is true, false or nil.
protocol OptionalCondition {
  var isCondition: Bool { get }
}

/// A range in a predicate, literal or captured.
protocol TranslatableRange {
  func contains(_ value: Queries.Expression, in translation: PredicateTranslation) throws -> Queries.Predicate
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
  func contains(_ value: Queries.Expression, in translation: PredicateTranslation) throws -> Queries.Predicate {
    .and([
      .comparison(Comparison(value, .greaterOrEqual, try translation.value(lower))),
      .comparison(Comparison(value, .lessOrEqual, try translation.value(upper))),
    ])
  }
}

extension PredicateExpressions.Range: TranslatableRange {
  func contains(_ value: Queries.Expression, in translation: PredicateTranslation) throws -> Queries.Predicate {
    .and([
      .comparison(Comparison(value, .greaterOrEqual, try translation.value(lower))),
      .comparison(Comparison(value, .less, try translation.value(upper))),
    ])
  }
}

extension PredicateExpressions.Value: TranslatableRange {
  func contains(_ value: Queries.Expression, in translation: PredicateTranslation) throws -> Queries.Predicate {
    guard let bounds = (self.value as? any RangeBounds)?.bounds, let lower = bounds.lower as? any PredicateValue,
      let upper = bounds.upper as? any PredicateValue
    else { throw PredicateTranslation.untranslatable(self) }
    return .and([
      .comparison(Comparison(value, .greaterOrEqual, .argument(lower.predicateValue))),
      .comparison(Comparison(value, bounds.isClosed ? .lessOrEqual : .less, .argument(upper.predicateValue))),
    ])
  }
}

/// A range with its unconverted bounds.
private protocol RangeBounds {
  var bounds: (lower: Any, upper: Any, isClosed: Bool) { get }
}

extension ClosedRange: RangeBounds {
  fileprivate var bounds: (lower: Any, upper: Any, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension Range: RangeBounds {
  fileprivate var bounds: (lower: Any, upper: Any, isClosed: Bool) { (lowerBound, upperBound, false) }
}
