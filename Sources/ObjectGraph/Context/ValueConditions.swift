internal import Modeling
internal import Queries

/// The conditions that a model sets on the values of an attribute beside their bounds: `SELF CONTAINS "title"`.
///
/// Apple's models have them; a value that is nothing is held against none, as in Core Data.
struct ValueConditions {
  private let conditions: [(rule: ValidationPredicate, predicate: Queries.Predicate)]
  private let entity: Entity
  private let attribute: Attribute

  /// The conditions of an attribute; nil where it has none that could be read.
  init?(_ attribute: Attribute?, of entity: Entity) {
    guard let attribute, !attribute.validationPredicates.isEmpty else { return nil }
    self.attribute = attribute
    self.entity = entity
    conditions = attribute.validationPredicates.compactMap { rule in
      (try? Predicate.parse(rule.predicate)).map { (rule, $0) }
    }
    if conditions.isEmpty { return nil }
  }

  /// The conditions that a value does not fulfil; what cannot be asked of the value is none.
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
