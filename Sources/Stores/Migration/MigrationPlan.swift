public import Modeling

/// The steps that turn a store of one model into a store of another: a value, computed without reading the store.
public struct MigrationPlan: Sendable {
  /// The steps, entity by entity.
  public internal(set) var steps: [MigrationStep] = []
  /// The changes that cannot be inferred from the models, in words: only a `migrate` function can make them.
  public internal(set) var obstacles: [String] = []

  package let matching: ModelMatching
  /// New properties that cannot take the values of the old property of the same name; they start empty.
  package var severed: Set<PropertyName> = []

  /// A property by the names of its entity and itself.
  package struct PropertyName: Hashable, Sendable {
    package var entity: String
    package var property: String

    package init(entity: String, property: String) { (self.entity, self.property) = (entity, property) }
  }

  /// Compares the models.
  public init(from old: Model, to new: Model) {
    matching = ModelMatching(from: old, to: new)
    for entity in new.entities { compare(entity) }
    for entity in old.entities where matching.result(of: entity) == nil { steps.append(.removeEntity(entity.name)) }
    compareFetches(from: old, to: new)
  }

  /// The index of the old property whose values a new one takes.
  package func source(ofProperty index: Int, in entity: Entity) -> Int? {
    guard let source = matching.source(ofProperty: index, in: entity) else { return nil }
    let name = entity.properties[index].name
    var holder: Entity? = entity
    while let entity = holder, entity.properties.count > index {
      if severed.contains(PropertyName(entity: entity.name, property: name)) { return nil }
      holder = entity.parent
    }
    return source
  }

  /// Whether the objects of several old tables share the table of a new root entity.
  package func isMerged(_ root: Entity) -> Bool { formerRoots(of: root).count > 1 }

  /// The old root entities whose objects come into the table of a new one; those of the first keep their keys.
  package func formerRoots(of root: Entity) -> [Entity] {
    var roots: [Entity] = []
    for entity in root.family {
      guard let source = matching.source(of: entity)?.root, !roots.contains(source) else { continue }
      roots.append(source)
    }
    return roots
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
    for index in entity.properties.indices where isComparedHere(index, in: entity) {
      compareProperty(index, in: entity, source)
    }
    let kept = Set(entity.properties.indices.compactMap { matching.source(ofProperty: $0, in: entity) })
    let hasMoved = source.parent.flatMap(matching.result) !== entity.parent
    let firstOwn = source.properties.count - source.description.properties.count
    for index in (hasMoved ? 0 : firstOwn)..<source.properties.count where !kept.contains(index) {
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

  /// Whether the property is compared here and not at the parent: it is the entity's own, or has another source there.
  private func isComparedHere(_ index: Int, in entity: Entity) -> Bool {
    guard let parent = entity.parent, index < parent.properties.count else { return true }
    guard let source = matching.source(of: entity), let parentSource = matching.source(of: parent) else { return true }
    let former = matching.source(ofProperty: index, in: entity).map { ModelLayout.Declaration(source, $0) }
    let parentFormer = matching.source(ofProperty: index, in: parent).map { ModelLayout.Declaration(parentSource, $0) }
    return former != nil && former != parentFormer
  }

  private mutating func compareRoots(_ entity: Entity) {
    guard entity.parent == nil else { return }
    for root in formerRoots(of: entity).dropFirst() {
      guard let first = entity.family.first(where: { matching.source(of: $0)?.root === root }) else { continue }
      steps.append(.renumberKeys(first.name))
    }
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
        + entity.description.indexes.compactMap { $0.listed(in: entity) }
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
