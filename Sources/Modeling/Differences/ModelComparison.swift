/// Finds the differences of two models.
struct ModelComparison {
  private(set) var changes: [ModelDifference.Change] = []
  private(set) var obstacles: [ModelDifference.Obstacle] = []
  private let matching: ModelMatching

  init(from old: Model, to new: Model) { matching = ModelMatching(from: old, to: new) }

  mutating func run() {
    for entity in matching.new.entities { compare(entity) }
    for entity in matching.old.entities where matching.result(of: entity) == nil {
      changes.append(.removedEntity(entity.name))
    }
    compareHierarchies()
    compareTemplates()
    compareModels()
  }

  private mutating func compare(_ entity: Entity) {
    guard let source = matching.source(of: entity) else {
      changes.append(.addedEntity(entity.name))
      return
    }
    if source.name != entity.name { changes.append(.renamedEntity(from: source.name, to: entity.name)) }
    let facts = Self.facts(
      translated(source, to: entity).json(.everything), entity.description.json(.everything),
      without: ["name", "properties"] + (source.name == entity.name ? [] : ["renamingIdentifier"]))
    if !facts.isEmpty { changes.append(.changedEntity(entity.name, facts)) }
    for index in entity.properties.indices where isOwn(index, of: entity) { compare(index, of: entity, with: source) }
    let kept = Set(entity.properties.indices.compactMap { matching.source(ofProperty: $0, in: entity) })
    for index in source.properties.indices where isOwn(index, of: source) && !kept.contains(index) {
      changes.append(.removedProperty(entity: entity.name, name: source.properties[index].name))
    }
  }

  private func isOwn(_ index: Int, of entity: Entity) -> Bool { index >= entity.parent?.properties.count ?? 0 }

  private mutating func compare(_ index: Int, of entity: Entity, with source: Entity) {
    let property = entity.properties[index]
    guard let oldIndex = matching.source(ofProperty: index, in: entity) else {
      changes.append(.addedProperty(entity: entity.name, name: property.name))
      return requireValue(of: property, in: entity)
    }
    let old = source.properties[oldIndex]
    let isRenamed = old.name != property.name
    if isRenamed { changes.append(.renamedProperty(entity: entity.name, from: old.name, to: property.name)) }
    let facts = Self.facts(
      translated(old, at: oldIndex, of: source).json(.everything), property.json(.everything),
      without: ["name"] + (isRenamed ? ["renamingIdentifier"] : []))
    if !facts.isEmpty { changes.append(.changedProperty(entity: entity.name, name: property.name, facts)) }
    switch (old, property) {
    case (.attribute(let old), .attribute(let new)): find(old, new, entity)
    case (.relationship(let old), .relationship(let new)):
      find(old, new, entity, entity.destination(at: index), source.destination(at: oldIndex))
    default: break
    }
  }

  /// Records an obstacle if existing objects would lack a value of `property`.
  private mutating func requireValue(of property: Property, in entity: Entity) {
    switch property {
    case .attribute(let attribute):
      guard !attribute.isOptional, !attribute.isTransient, !attribute.isDerived, attribute.defaultValue.isNull else {
        return
      }
      obstacles.append(.missingDefault(entity: entity.name, name: attribute.name))
    case .relationship(let relationship):
      guard !relationship.isOptional, !relationship.isTransient else { return }
      obstacles.append(.missingDestination(entity: entity.name, name: relationship.name))
    }
  }

  private mutating func find(_ old: Attribute, _ new: Attribute, _ entity: Entity) {
    if new.isTransient || new.isDerived { return }
    if old.isTransient || old.isOptional && !new.isOptional { requireValue(of: .attribute(new), in: entity) }
    if old.type != new.type, !old.isTransient {
      obstacles.append(.convertedAttribute(entity: entity.name, name: new.name, from: old.type, to: new.type))
    }
  }

  private mutating func find(
    _ old: Relationship, _ new: Relationship, _ entity: Entity, _ destination: Entity, _ former: Entity
  ) {
    if new.isTransient { return }
    if old.isTransient || old.isOptional && !new.isOptional {
      if !new.isOptional { requireValue(of: .relationship(new), in: entity) }
    }
    if old.isTransient { return }
    // If no former destination remains, the relationship cannot have another one.
    let remaining = former.family.compactMap(matching.result)
    guard !remaining.isEmpty, !remaining.contains(where: { $0.isKind(of: destination) || destination.isKind(of: $0) })
    else { return }
    obstacles.append(
      .otherDestination(entity: entity.name, name: new.name, from: former.name, to: destination.name))
  }

  // MARK: The old in the words of the new

  private func translated(_ source: Entity, to entity: Entity) -> EntityDescription {
    var description = source.description
    description.name = entity.name
    description.parent = source.parent.map { matching.result(of: $0)?.name ?? $0.name }
    var names: [String: String] = [:]
    for index in entity.properties.indices {
      guard let old = matching.source(ofProperty: index, in: entity) else { continue }
      names[source.properties[old].name] = entity.properties[index].name
    }
    description.uniquenessConstraints = description.uniquenessConstraints.map { $0.map { names[$0] ?? $0 } }
    for index in description.indexes.indices {
      for position in description.indexes[index].elements.indices {
        let name = description.indexes[index].elements[position].expression
        description.indexes[index].elements[position].expression = names[name] ?? name
      }
    }
    return description
  }

  private func translated(_ property: Property, at index: Int, of source: Entity) -> Property {
    guard case .relationship(var relationship) = property else { return property }
    let destination = source.destination(at: index)
    relationship.destination = matching.result(of: destination)?.name ?? relationship.destination
    if relationship.inverse != nil, let inverse = source.inverse(at: index),
      let result = matching.result(of: destination)
    {
      let renamed = result.properties.indices.first { matching.source(ofProperty: $0, in: result) == inverse }
      relationship.inverse = renamed.map { result.properties[$0].name } ?? relationship.inverse
    }
    return .relationship(relationship)
  }

  // MARK: The whole

  /// Two entities that now share an ancestor and did not before.
  private mutating func compareHierarchies() {
    for root in matching.new.entities where root.parent == nil {
      var first: Entity?
      for entity in root.family {
        guard let source = matching.source(of: entity) else { continue }
        if let first, let known = matching.source(of: first), known.root != source.root {
          obstacles.append(.mergedHierarchies(first.name, entity.name))
          break
        }
        first = first ?? entity
      }
    }
  }

  private mutating func compareTemplates() {
    let (old, new) = (matching.old.fetchRequestTemplates, matching.new.fetchRequestTemplates)
    for name in Set(old.keys).union(new.keys).sorted() {
      switch (old[name], new[name]) {
      case (let before?, let after?):
        let facts = Self.facts(.object(before.json(named: name)), .object(after.json(named: name)), without: ["name"])
        if !facts.isEmpty { changes.append(.changedTemplate(name, facts)) }
      case (nil, _?): changes.append(.addedTemplate(name))
      case (_?, nil): changes.append(.removedTemplate(name))
      case (nil, nil): break
      }
    }
  }

  private mutating func compareModels() {
    func fields(_ model: Model) -> JSON {
      var fields: [String: JSON] = [:]
      fields["modelVersion"] = model.version.map { .string($0.text) }
      let configurations = model.configurations.mapValues { JSON.array($0.map(JSON.string)) }
      if !configurations.isEmpty { fields["configurations"] = .object(configurations) }
      return .object(fields)
    }
    let facts = Self.facts(fields(matching.old), fields(matching.new), without: [])
    if !facts.isEmpty { changes.append(.changedModel(facts)) }
  }

  private static func facts(_ old: JSON, _ new: JSON, without names: [String]) -> [ModelDifference.Fact] {
    guard case .object(let old) = old, case .object(let new) = new else { return [] }
    return Set(old.keys).union(new.keys).subtracting(names).sorted().filter { old[$0] != new[$0] }.map {
      ModelDifference.Fact(name: $0, old: old[$0], new: new[$0])
    }
  }
}
