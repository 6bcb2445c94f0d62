import Modeling

// Plans the properties of an existing entity.
extension MigrationPlan {
  /// How a relationship changes that loses its order.
  package static let unordered = "unordered"

  mutating func compareProperty(_ index: Int, in entity: Entity, _ source: Entity) {
    let property = entity.properties[index]
    guard let oldIndex = matching.source(ofProperty: index, in: entity) else {
      return addProperty(property, to: entity)
    }
    let old = source.properties[oldIndex]
    if old.name != property.name {
      steps.append(.renameProperty(entity: entity.name, from: old.name, to: property.name))
    }
    switch (old, property) {
    case (.attribute(let old), .attribute(let new)): compareAttribute(old, new, entity)
    case (.relationship(let old), .relationship(let new)):
      compareRelationship(old, new, entity, index, source, oldIndex)
    default: break
    }
  }

  private mutating func addProperty(_ property: Property, to entity: Entity) {
    switch property {
    case .attribute(let attribute):
      steps.append(.addAttribute(entity: entity.name, name: attribute.name, value: attribute.defaultValue))
      if !attribute.isOptional, !attribute.isDerived {
        steps.append(.requireProperty(entity: entity.name, name: attribute.name, value: attribute.defaultValue))
      }
    case .relationship(let relationship):
      steps.append(.addRelationship(entity: entity.name, name: relationship.name))
      if !relationship.isOptional, !relationship.isToMany, !relationship.isTransient {
        steps.append(.requireProperty(entity: entity.name, name: relationship.name, value: .null))
      }
    }
  }

  private mutating func compareAttribute(_ old: Attribute, _ new: Attribute, _ entity: Entity) {
    if old.derivation != new.derivation {
      steps.append(.changeDerivation(entity: entity.name, name: new.name))
      if new.isDerived { return }
    }
    if old.isTransient != new.isTransient {
      steps.append(
        new.isTransient
          ? .removeProperty(entity: entity.name, name: old.name)
          : .addAttribute(entity: entity.name, name: new.name, value: new.defaultValue))
    } else if old.type != new.type, !new.isDerived {
      steps.append(.convertAttribute(entity: entity.name, name: new.name, from: old.type, to: new.type))
      if !ValueConversion.isPossible(from: old.type, to: new.type) {
        obstacles.append("\(entity.name).\(new.name): \(old.type.rawValue) does not become \(new.type.rawValue)")
        severed.insert(PropertyName(entity: entity.name, property: new.name))
      }
    }
    if old.isOptional, !new.isOptional, !new.isDerived {
      steps.append(.requireProperty(entity: entity.name, name: new.name, value: new.defaultValue))
    } else if !old.isOptional, new.isOptional {
      steps.append(.makeOptional(entity: entity.name, name: new.name))
    }
  }

  private mutating func compareRelationship(
    _ old: Relationship, _ new: Relationship, _ entity: Entity, _ index: Int, _ source: Entity, _ oldIndex: Int
  ) {
    if old.isTransient || new.isTransient {
      guard old.isTransient != new.isTransient else { return }
      if old.isTransient { return addProperty(.relationship(new), to: entity) }
      return steps.append(.removeProperty(entity: entity.name, name: old.name))
    }
    let path = "\(entity.name).\(new.name)"
    let (destination, oldDestination) = (entity.destination(at: index), source.destination(at: oldIndex))
    let inverse = ModelLayout.Declaration(entity, index).inverse
    let oldInverse = ModelLayout.Declaration(source, oldIndex).inverse
    // If all its destinations are removed, the relationship needs no other step.
    let remaining = oldDestination.family.compactMap(matching.result)
    if !remaining.isEmpty, !remaining.contains(where: { $0.isKind(of: destination) }) {
      obstacles.append("\(path): it led to \(oldDestination.name), not to \(destination.name)")
      severed.insert(PropertyName(entity: entity.name, property: new.name))
    }
    var rules: [String] = []
    if old.isToMany != new.isToMany { rules.append(new.isToMany ? "to many" : "to one") }
    if old.isOrdered != new.isOrdered, new.isToMany { rules.append(new.isOrdered ? "ordered" : Self.unordered) }
    if matching.source(of: destination) !== oldDestination { rules.append("leads to \(destination.name)") }
    if !isMatched(inverse, oldInverse) {
      rules.append(inverse.map { "inverse \($0.entity.name).\($0.name)" } ?? "no inverse")
    }
    if old.deleteRule != new.deleteRule { rules.append("\(new.deleteRule.rawValue) on delete") }
    if !rules.isEmpty { steps.append(.changeRelationship(entity: entity.name, name: new.name, to: rules)) }
    if old.isOptional, !new.isOptional, !new.isToMany {
      steps.append(.requireProperty(entity: entity.name, name: new.name, value: .null))
    } else if !old.isOptional, new.isOptional {
      steps.append(.makeOptional(entity: entity.name, name: new.name))
    }
  }

  /// Whether a new inverse is the successor of an old one, or neither exists.
  private func isMatched(_ inverse: ModelLayout.Declaration?, _ old: ModelLayout.Declaration?) -> Bool {
    guard let inverse, let old else { return inverse == nil && old == nil }
    return matching.source(ofProperty: inverse.index, in: inverse.entity) == old.index
      && matching.source(of: inverse.entity).map { ModelLayout.Declaration($0, old.index) } == old
  }
}
