public import Modeling

/// The purpose for which a predicate is checked.
public enum CheckPurpose: Hashable, Sendable {
  /// To be kept: variables may be bound later.
  case definition
  /// To be sent to a store: every variable bound, every property stored.
  case fetch
  /// To be evaluated in memory: every variable bound, transient attributes allowed.
  case evaluation
}

extension Predicate {
  /// Checks all names and types against the model.
  ///
  ///     try predicate.check(in: quake)
  ///
  /// Strict where an answer could only be wrong: a text compared with a number, a to-many key without ANY. A nil is
  /// accepted everywhere, because arguments may be nil.
  /// - Throws: all mistakes, in the order of the text.
  public func check(in entity: Entity, for purpose: CheckPurpose = .definition) throws(PredicateError) {
    try check(in: entity, for: purpose, objects: [:])
  }

  /// Checks all names and types, with variables that stand for an object of an entity.
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
  /// Checks that it sorts by something that has an order.
  public func check(in entity: Entity, for purpose: CheckPurpose = .definition) throws(PredicateError) {
    var checker = Checker(entity: entity, purpose: purpose)
    checker.check(self)
    try checker.throwIssues()
  }
}
