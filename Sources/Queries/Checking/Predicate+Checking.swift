public import Modeling

/// The purpose for which a predicate is checked.
public enum CheckPurpose: Hashable, Sendable {
  /// To store it: variables may be bound later.
  case definition
  /// To send it to a store: every variable is bound, every property stored.
  case fetch
  /// To evaluate it in memory: every variable is bound, transient attributes are allowed.
  case evaluation
}

extension Predicate {
  /// Checks all names and types against the model.
  ///
  ///     try predicate.check(in: quake)
  ///
  /// It rejects comparisons whose result could only be wrong: a text with a number, a to-many key without ANY. Nil is
  /// accepted everywhere, because arguments may be nil.
  /// - Throws: all errors, in the order of the text.
  public func check(in entity: Entity, for purpose: CheckPurpose = .definition) throws(PredicateError) {
    try check(in: entity, for: purpose, objects: [:])
  }

  /// Checks all names and types; `variables` are objects of the given entities.
  func check(
    in entity: Entity, for purpose: CheckPurpose, objects: [String: Entity]
  ) throws(PredicateError) {
    var checker = Checker(entity: entity, purpose: purpose)
    checker.scope = objects.mapValues(ExpressionType.object)
    checker.check(inlined)
    try checker.throwIssues()
  }
}

extension Expression {
  /// Checks all names and types against the model and returns the type of the value.
  ///
  /// - Parameter overGroup: whether it is a column of a grouped or aggregated fetch, in which `max(magnitude)` is the
  ///   greatest of all rows.
  @discardableResult
  public func check(
    in entity: Entity, for purpose: CheckPurpose = .definition, overGroup: Bool = false
  ) throws(PredicateError) -> ExpressionType {
    var checker = Checker(entity: entity, purpose: purpose, overGroup: overGroup)
    let type = checker.type(of: inlined)
    try checker.throwIssues()
    return type
  }
}

extension SortDescriptor {
  /// Checks that values of the expression are ordered.
  public func check(in entity: Entity, for purpose: CheckPurpose = .definition) throws(PredicateError) {
    var checker = Checker(entity: entity, purpose: purpose)
    checker.check(self)
    try checker.throwIssues()
  }
}
