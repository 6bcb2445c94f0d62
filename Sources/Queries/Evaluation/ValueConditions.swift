package import Modeling

/// The validation predicates of an attribute and of its elements: `SELF CONTAINS "title"`.
///
/// They come from Apple's models. As in Core Data, nil is not checked against them.
package struct ValueConditions {
  private struct Condition {
    /// The elements on the way to the value; none for the attribute's own.
    var path: [Attribute]
    var rule: ValidationPredicate
    var predicate: Predicate
  }

  private let conditions: [Condition]
  private let entity: Entity
  private let attribute: Attribute

  /// Creates the conditions of an attribute; nil if it has none that can be parsed.
  package init?(_ attribute: Attribute?, of entity: Entity) {
    guard let attribute else { return nil }
    conditions = Self.conditions(attribute, [])
    if conditions.isEmpty { return nil }
    self.attribute = attribute
    self.entity = entity
  }

  private static func conditions(_ attribute: Attribute, _ path: [Attribute]) -> [Condition] {
    let own = attribute.validationPredicates.compactMap { rule in
      (try? Predicate.parse(rule.predicate)).map { Condition(path: path, rule: rule, predicate: $0) }
    }
    return own + attribute.elements.flatMap { conditions($0, path + [$0]) }
  }

  /// Returns the conditions that a value violates. A condition that cannot be evaluated counts as satisfied.
  package func violations(of value: Value, _ subject: any PredicateSubject) -> [Violation] {
    guard !value.isNull else { return [] }
    return conditions.compactMap { condition in
      let value = Self.value(at: condition.path, of: value)
      guard !value.isNull, let compiled = try? CompiledPredicate(condition.predicate.about(value), entity: entity),
        let isFulfilled = try? compiled.evaluate(subject), !isFulfilled
      else { return nil }
      let name = ([attribute.name] + condition.path.map(\.name)).joined(separator: ".")
      var violation = Violation(entity: entity.name, property: name, kind: .custom, value: value)
      violation.text = condition.rule.warning ?? "expected \(condition.rule.predicate)"
      return violation
    }
  }

  /// The value of an element within a composite; null where it has none.
  private static func value(at path: [Attribute], of value: Value) -> Value {
    var value = value
    for element in path {
      guard case .json(.object(let members)) = value, let member = members[element.name] else { return .null }
      value = element.elementValue(member)
    }
    return value
  }
}
