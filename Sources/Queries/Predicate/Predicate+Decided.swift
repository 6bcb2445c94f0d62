public import Modeling

extension Predicate {
  /// Returns a condition for evaluation in memory, where comparisons with nil are true or false, that selects the same
  /// objects as this condition selects in a store.
  ///
  ///     try Predicate.parse("NOT depth > 100").decided(in: quake)   // depth <= 100
  ///     try Predicate.parse("place != 'x'").decided(in: quake)      // place != nil AND place != "x"
  ///
  /// Returns the condition itself if both agree. Returns nil if a clause has no such form, because no path can test
  /// whether its value is nil: a function's value, or an element of a collection. The rules are those of
  /// ``EvaluationSemantics``.
  public func decided(in entity: Entity) -> Predicate? { Decision(entity: entity).condition(self, isNegated: false) }
}

/// Pushes every NOT down to the comparisons, and adds the tests for nil.
private struct Decision {
  let entity: Entity

  func condition(_ predicate: Predicate, isNegated: Bool) -> Predicate? {
    switch predicate {
    case .constant(let flag): return .constant(flag != isNegated)
    case .not(let inner): return condition(inner, isNegated: !isNegated)
    case .and(let terms): return joined(terms, isNegated, isNegated ? Predicate.or : Predicate.and)
    case .or(let terms): return joined(terms, isNegated, isNegated ? Predicate.and : Predicate.or)
    case .expression(let expression):
      guard isPlain(expression) else { return nil }
      return isNegated ? guarded(.not(predicate), nullable(expression)) : predicate
    case .comparison(let comparison): return decided(comparison, isNegated)
    }
  }

  private func joined(
    _ terms: [Predicate], _ isNegated: Bool, _ join: ([Predicate]) -> Predicate
  ) -> Predicate? {
    let decided = terms.compactMap { condition($0, isNegated: isNegated) }
    return decided.count == terms.count ? join(decided) : nil
  }

  private func decided(_ comparison: Comparison, _ isNegated: Bool) -> Predicate? {
    let leaf = Predicate.comparison(comparison)
    let asked = isNegated ? Predicate.not(leaf) : leaf
    if isNilTest(comparison) { return isPlain(comparison.left) && isPlain(comparison.right) ? asked : nil }
    // A condition on elements is two-valued if it is so for each element.
    if comparison.modifier != .direct {
      guard case .path = comparison.left, isConstant(comparison.right), comparison.comparator != .notEqual else {
        return nil
      }
      return asked
    }
    guard isPlain(comparison.left), isPlain(comparison.right) else {
      let isDecided = isConstant(comparison.right) && comparison.comparator != .notEqual && !isNegated
      return isDecided && !hasCondition(comparison.left) ? leaf : nil
    }
    let nullable = nullable(comparison.left) + nullable(comparison.right)
    if nullable.isEmpty { return asked }
    var other = comparison
    switch (comparison.comparator, isNegated) {
    case (.equal, false): return nullable.count > 1 ? guarded(leaf, nullable) : leaf
    case (.notEqual, false): return guarded(leaf, nullable)
    case (.equal, true):
      other.comparator = .notEqual
      return guarded(.comparison(other), nullable)
    case (.notEqual, true):
      other.comparator = .equal
      return nullable.count > 1 ? guarded(.comparison(other), nullable) : .comparison(other)
    case (_, false): return leaf
    case (let comparator, true):
      guard let opposite = comparator.opposite else { return guarded(asked, nullable) }
      other.comparator = opposite
      return .comparison(other)
    }
  }

  /// `place != nil AND condition`
  private func guarded(_ condition: Predicate, _ paths: [PropertyPath]) -> Predicate {
    if paths.isEmpty { return condition }
    return .and(paths.map { .comparison(Comparison(.path($0), .notEqual, .constant(.null))) } + [condition])
  }

  private func isNilTest(_ comparison: Comparison) -> Bool {
    guard comparison.comparator == .equal || comparison.comparator == .notEqual, comparison.modifier == .direct else {
      return false
    }
    return comparison.left.constantValue == .null || comparison.right.constantValue == .null
  }

  /// Whether an expression has a known value, or is a path to nil or to a value of a single type.
  private func isPlain(_ expression: Expression) -> Bool {
    if case .path(let path) = expression {
      guard let resolved = try? path.resolve(in: entity), !resolved.isToMany else { return false }
      guard let attribute = resolved.finalElement ?? resolved.finalAttribute else { return true }
      return attribute.type != .any && attribute.type != .transformable && attribute.type != .composite
    }
    // The name of an object's entity is nil only if the object is.
    if case .function(.entityName, let objects, _) = expression, objects.count == 1 {
      return objects[0] == .object || isPlain(objects[0])
    }
    return expression.constantValue == .null || isConstant(expression)
  }

  /// Whether an expression is a constant, or a list of constants, without nil.
  private func isConstant(_ expression: Expression) -> Bool {
    if let elements = expression.listElements {
      return elements.allSatisfy { $0.constantValue.map { !$0.isNull } ?? false }
    }
    return expression.constantValue.map { !$0.isNull } ?? false
  }

  private func hasCondition(_ expression: Expression) -> Bool {
    expression.condition != nil || expression.children.contains(where: hasCondition)
  }

  /// The path of an expression, if it may be nil.
  private func nullable(_ expression: Expression) -> [PropertyPath] {
    if case .function(.entityName, let objects, _) = expression { return objects.flatMap(nullable) }
    guard case .path(let path) = expression, let resolved = try? path.resolve(in: entity) else { return [] }
    let isMandatory = resolved.hops.isEmpty && !resolved.endsInCast && resolved.elements.isEmpty
    if isMandatory, let attribute = resolved.finalAttribute, !attribute.isOptional { return [] }
    return [path]
  }
}

extension Comparator {
  /// The opposite comparator: true where this one is false, except for nil.
  fileprivate var opposite: Comparator? {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: nil
    }
  }
}
