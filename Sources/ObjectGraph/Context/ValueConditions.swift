internal import Modeling
internal import Queries

/// The validation predicates of an attribute: `SELF CONTAINS "title"`.
///
/// They come from Apple's models. As in Core Data, nil is not checked against them.
struct ValueConditions {
  private let conditions: [(rule: ValidationPredicate, predicate: Queries.Predicate)]
  private let entity: Entity
  private let attribute: Attribute

  /// Creates the conditions of an attribute; nil if it has none that can be parsed.
  init?(_ attribute: Attribute?, of entity: Entity) {
    guard let attribute, !attribute.validationPredicates.isEmpty else { return nil }
    self.attribute = attribute
    self.entity = entity
    conditions = attribute.validationPredicates.compactMap { rule in
      (try? Predicate.parse(rule.predicate)).map { (rule, $0) }
    }
    if conditions.isEmpty { return nil }
  }

  /// Returns the conditions that a value violates. A condition that cannot be evaluated counts as satisfied.
  func violations(of value: Value, _ object: ManagedObject) -> [Violation] {
    guard !value.isNull else { return [] }
    return conditions.compactMap { rule, predicate in
      guard let compiled = try? CompiledPredicate(predicate.about(value), entity: entity),
        let isFulfilled = try? compiled.evaluate(object), !isFulfilled
      else { return nil }
      var violation = Violation(entity: entity.name, property: attribute.name, kind: .custom, value: value)
      violation.text = rule.warning ?? "expected \(rule.predicate)"
      return violation
    }
  }
}
