internal import Modeling
internal import Queries

// To-many relationships: ANY, ALL, NONE and what may not be said of them.
extension RefusalRule {
  static let quantifiers = [
    toManyWithoutAny, allOverToMany, twoToManyHops, severalQuantifiers, anyWithoutCollection,
  ]

  private static let toManyWithoutAny = RefusalRule(
    id: "to-many-without-any", severity: .refused, stores: [.sqlite],
    summary: "A key path through a to-many relationship is compared without ANY, ALL or NONE.",
    appleText: "to-many key not allowed here",
    advice: "say of how many elements it shall hold: ANY, NONE, or a SUBQUERY that is counted"
  ) { subject in
    subject.comparisons(where: isBareToMany)
  } mend: { predicate, scope in
    guard case .comparison(var comparison) = predicate, isBareToMany(comparison, scope),
      scope.isToMany(comparison.left)
    else { return nil }
    comparison.modifier = .any
    return .comparison(comparison)
  }

  private static func isBareToMany(_ comparison: Comparison, _ scope: RefusalScope) -> Bool {
    guard comparison.modifier == .direct else { return false }
    if scope.isToMany(comparison.left), comparison.comparator != .contains { return true }
    return scope.isToMany(comparison.right) && comparison.comparator != .in
  }

  private static let allOverToMany = RefusalRule(
    id: "all-over-to-many", severity: .refused, stores: [.sqlite],
    summary: "ALL over a to-many relationship is not made into SQL.",
    advice: "count the elements for which it does not hold: SUBQUERY(c, $x, NOT p).@count == 0"
  ) { subject in
    subject.comparisons { $0.modifier == .all && $1.isToMany($0.left) }
  } mend: { predicate, scope in
    guard case .comparison(let comparison) = predicate, comparison.modifier == .all else { return nil }
    return SubqueryWriter(scope).counted(comparison)
  }

  private static let twoToManyHops = RefusalRule(
    id: "two-to-many-hops", severity: .refused, stores: [.sqlite],
    summary: "A key path passes more than one to-many relationship.",
    advice: "write a SUBQUERY within a SUBQUERY, one for each relationship"
  ) { subject in
    subject.comparisons { comparison, scope in
      [comparison.left, comparison.right].contains { (scope.resolve($0)?.toManyCount ?? 0) > 1 }
    }
  } mend: { predicate, scope in
    guard case .comparison(let comparison) = predicate, (scope.resolve(comparison.left)?.toManyCount ?? 0) > 1 else {
      return nil
    }
    return SubqueryWriter(scope).counted(comparison)
  }

  private static let severalQuantifiers = RefusalRule(
    id: "several-quantifiers", severity: .refused, stores: [.sqlite],
    summary: "There is more than one of ANY, ALL and NONE; Apple's documents allow one of them.",
    advice: "keep one; write the others as SUBQUERY(…).@count > 0"
  ) { subject in
    // IN of a list is no quantifier: any number of them works.
    let places = subject.comparisons { comparison, _ in comparison.modifier != .direct }
    return places.count > 1 ? Array(places.dropFirst()) : []
  } mend: { predicate, scope in
    guard case .comparison(let comparison) = predicate, comparison.modifier != .direct else { return nil }
    return SubqueryWriter(scope).counted(comparison)
  }

  private static let anyWithoutCollection = RefusalRule(
    id: "any-without-collection", severity: .refused, stores: [.memory],
    summary: "ANY or ALL stands before something that is not a collection.",
    appleText: "left hand side for an ALL or ANY operator must be either an NSArray or an NSSet",
    advice: "leave ANY out where there is one value"
  ) { subject in
    subject.comparisons(where: isNeedless)
  } mend: { predicate, scope in
    guard case .comparison(var comparison) = predicate, isNeedless(comparison, scope) else { return nil }
    let isNone = comparison.modifier == .none
    comparison.modifier = .direct
    return isNone ? .not(.comparison(comparison)) : .comparison(comparison)
  }

  private static func isNeedless(_ comparison: Comparison, _ scope: RefusalScope) -> Bool {
    guard comparison.modifier != .direct, let path = scope.resolve(comparison.left), !path.isToMany else {
      return false
    }
    return path.finalAttribute?.type != .transformable
  }
}
