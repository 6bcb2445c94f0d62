public import Modeling

/// What it takes to turn a store of one model into a store of another: a value, made without looking at the store.
public struct MigrationPlan: Sendable {
  /// What will be done, entity by entity.
  public private(set) var steps: [MigrationStep] = []
  /// What cannot be inferred from the models, in words: nothing is done about it but by a `migrate` function.
  public private(set) var obstacles: [String] = []

  let matching: ModelMatching
  /// New properties that have a namesake which they cannot be made from; they start empty.
  private(set) var severed: Set<PropertyName> = []

  /// A property by the names of its entity and itself.
  struct PropertyName: Hashable, Sendable {
    var entity: String
    var property: String
  }

  /// Compares the models.
  public init(from old: Model, to new: Model) {
    matching = ModelMatching(from: old, to: new)
    for entity in new.entities { compare(entity) }
    for entity in old.entities where matching.result(of: entity) == nil { steps.append(.removeEntity(entity.name)) }
    compareFetches(from: old, to: new)
  }

  /// The index of the old property that a new one is made from.
  func source(ofProperty index: Int, in entity: Entity) -> Int? {
    let declarer = ModelLayout.Declaration(entity, index).entity
    let name = PropertyName(entity: declarer.name, property: entity.properties[index].name)
    return severed.contains(name) ? nil : matching.source(ofProperty: index, in: entity)
  }
}

// MARK: Fetched properties and templates

extension MigrationPlan {
  private mutating func compareFetches(from old: Model, to new: Model) {
    func all(_ model: Model) -> [String: FetchRequestTemplate] {
      var all: [String: FetchRequestTemplate] = [:]
      for entity in model.entities {
        for fetched in entity.description.fetchedProperties {
          all["\(entity.name).\(fetched.name)"] = fetched.fetchRequest
        }
      }
      for (name, template) in model.fetchRequestTemplates { all["template \(name)"] = template }
      return all
    }
    let (before, after) = (all(old), all(new))
    for place in Set(before.keys).union(after.keys).sorted() where before[place] != after[place] {
      steps.append(
        before[place] == nil ? .addFetch(place) : after[place] == nil ? .removeFetch(place) : .changeFetch(place))
    }
  }
}

// MARK: Entities

extension MigrationPlan {
  private mutating func compare(_ entity: Entity) {
    compareRoots(entity)
    guard let source = matching.source(of: entity) else {
      steps.append(.addEntity(entity.name))
      return
    }
    if source.name != entity.name { steps.append(.renameEntity(from: source.name, to: entity.name)) }
    compareHierarchy(entity, source)
    let first = entity.properties.count - entity.description.properties.count
    for index in first..<entity.properties.count { compareProperty(index, in: entity, source) }
    let kept = Set(entity.properties.indices.compactMap { matching.source(ofProperty: $0, in: entity) })
    let firstOld = source.properties.count - source.description.properties.count
    for index in firstOld..<source.properties.count where !kept.contains(index) {
      steps.append(.removeProperty(entity: entity.name, name: source.properties[index].name))
    }
    compareLists(entity, source)
  }

  private mutating func compareHierarchy(_ entity: Entity, _ source: Entity) {
    let parent = entity.parent.flatMap(matching.source)
    if parent !== source.parent || (entity.parent == nil) != (source.parent == nil)
      || entity.isAbstract != source.isAbstract || entity.subentities.isEmpty != source.subentities.isEmpty
    {
      steps.append(.moveEntity(entity.name))
    }
  }

  private mutating func compareRoots(_ entity: Entity) {
    let roots = Set(entity.family.compactMap { matching.source(of: $0)?.root })
    guard entity.parent == nil, roots.count > 1 else { return }
    let names = roots.map(\.name).sorted().joined(separator: " and ")
    obstacles.append("\(entity.name): \(names) had no common parent, so their objects may have the same keys")
  }

  private mutating func compareLists(_ entity: Entity, _ source: Entity) {
    let renamed = Dictionary(
      entity.properties.indices.compactMap { index in
        matching.source(ofProperty: index, in: entity).map {
          (source.properties[$0].name, entity.properties[index].name)
        }
      }, uniquingKeysWith: { first, _ in first })
    func translated(_ lists: [[String]]) -> Set<[String]> { Set(lists.map { $0.map { renamed[$0] ?? $0 } }) }
    func indexes(_ entity: Entity) -> [[String]] {
      entity.description.properties.compactMap { $0.attribute?.isIndexed == true ? [$0.name] : nil }
        + entity.description.properties.flatMap { $0.attribute?.indexedElements.map { [$0] } ?? [] }
        + entity.description.indexes
    }
    func unique(_ entity: Entity) -> [[String]] {
      Array(entity.uniquenessConstraints.dropFirst(entity.parent?.uniquenessConstraints.count ?? 0))
    }
    let (oldUnique, newUnique) = (translated(unique(source)), Set(unique(entity)))
    let (oldIndexes, newIndexes) = (translated(indexes(source)), Set(indexes(entity)))
    func sorted(_ lists: Set<[String]>) -> [[String]] { lists.sorted { $0.lexicographicallyPrecedes($1) } }
    for list in sorted(newUnique.subtracting(oldUnique)) {
      steps.append(.addUniqueness(entity: entity.name, properties: list))
    }
    for list in sorted(oldUnique.subtracting(newUnique)) {
      steps.append(.removeUniqueness(entity: entity.name, properties: list))
    }
    for list in sorted(newIndexes.subtracting(oldIndexes)) {
      steps.append(.addIndex(entity: entity.name, properties: list))
    }
    for list in sorted(oldIndexes.subtracting(newIndexes)) {
      steps.append(.removeIndex(entity: entity.name, properties: list))
    }
  }
}

// MARK: Properties

extension MigrationPlan {
  private mutating func compareProperty(_ index: Int, in entity: Entity, _ source: Entity) {
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
      if !relationship.isOptional, !relationship.isToMany {
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
    let path = "\(entity.name).\(new.name)"
    let (destination, oldDestination) = (entity.destination(at: index), source.destination(at: oldIndex))
    let inverse = ModelLayout.Declaration(entity, index).inverse
    let oldInverse = ModelLayout.Declaration(source, oldIndex).inverse
    var problem: String?
    if matching.source(of: destination).map({ oldDestination.isKind(of: $0) }) != true {
      problem = "\(path): it led to \(oldDestination.name), not to \(destination.name)"
    } else if old.isToMany, !new.isToMany {
      problem = "\(path): of many objects only one could stay"
    } else if let inverse = inverse?.relationship, !inverse.isToMany, new.isToMany,
      oldInverse?.relationship?.isToMany ?? true
    {
      problem = "\(path): an object could have been in several, and \(destination.name).\(inverse.name) names but one"
    }
    if let problem {
      obstacles.append(problem)
      severed.insert(PropertyName(entity: entity.name, property: new.name))
    }
    if old.isToMany != new.isToMany || old.isOrdered != new.isOrdered || old.deleteRule != new.deleteRule
      || !isMatched(inverse, oldInverse)
      || matching.source(of: destination) !== oldDestination
    {
      steps.append(.changeRelationship(entity: entity.name, name: new.name))
    }
    if old.isOptional, !new.isOptional, !new.isToMany {
      steps.append(.requireProperty(entity: entity.name, name: new.name, value: .null))
    } else if !old.isOptional, new.isOptional {
      steps.append(.makeOptional(entity: entity.name, name: new.name))
    }
  }

  /// Whether a new inverse is what an old one became, or there was and is none.
  private func isMatched(_ inverse: ModelLayout.Declaration?, _ old: ModelLayout.Declaration?) -> Bool {
    guard let inverse, let old else { return inverse == nil && old == nil }
    return matching.source(ofProperty: inverse.index, in: inverse.entity) == old.index
      && matching.source(of: inverse.entity).map { ModelLayout.Declaration($0, old.index) } == old
  }
}
