/// A model: entities with resolved relationships.
///
/// Its initializer resolves parents, destinations and inverses and finds every contradiction. A model never changes.
public final class Model: @unchecked Sendable {
  /// The entities in the order of declaration.
  public let entities: [Entity]
  /// Request templates by name.
  public let fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The model's configurations by name: the entities whose objects one of several stores holds.
  public let configurations: [String: [String]]
  /// The configurations whose objects an app mirrors to CloudKit, among them `defaultConfiguration`.
  public let cloudKitConfigurations: Set<String>
  /// The configuration of all entities, which every model has.
  public static let defaultConfiguration = "Default"
  /// The author's name for this version of the model; nil for none.
  public let version: ModelVersion?
  /// Whether it was read from classes in Swift, so that exactly its optional properties are optional in the classes.
  public let hasSwiftTypes: Bool
  private let byName: [String: Entity]

  /// Resolves the names in `descriptions`.
  ///
  /// - Throws: the first contradiction found.
  public init(
    _ descriptions: [EntityDescription], version: ModelVersion? = nil,
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], configurations: [String: [String]] = [:],
    cloudKitConfigurations: Set<String> = [], hasSwiftTypes: Bool = false
  ) throws(ModelError) {
    self.hasSwiftTypes = hasSwiftTypes
    self.cloudKitConfigurations = cloudKitConfigurations
    self.version = version
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    var checked: [EntityDescription] = []
    for description in descriptions { checked.append(try ModelRules.checked(description)) }
    let ordered = try Self.parentsFirst(checked)
    var byName: [String: Entity] = [:]
    for description in ordered {
      // Each entity has all properties of its ancestors, so the work grows with the square of the generations.
      if Interruption.isRequested() { throw ModelError(entity: description.name, .interrupted) }
      let entity = Entity(description, parent: description.parent.flatMap { byName[$0] })
      byName[description.name] = entity
    }
    self.byName = byName
    entities = descriptions.compactMap { byName[$0.name] }
    for entity in entities { entity.parent?.adopt(entity) }
    for entity in entities { try Self.checkNames(of: entity) }
    for entity in ordered.compactMap({ byName[$0.name] }) {
      if Interruption.isRequested() { throw ModelError(entity: entity.name, .interrupted) }
      try link(entity)
    }
    for entity in entities {
      for fetched in entity.description.fetchedProperties {
        try checkEntity(fetched.fetchRequest.entity, entity: entity.name, property: fetched.name)
      }
    }
    for (name, template) in fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      try checkEntity(template.entity, entity: "template \(name)", property: nil)
    }
    for (name, members) in configurations.sorted(by: { $0.key < $1.key }) {
      for member in members { try checkEntity(member, entity: "configuration \(name)", property: nil) }
    }
  }

  /// The entity with a name.
  public func entity(named name: String) -> Entity? { byName[name] }

  /// The declarations the model was made from.
  public var descriptions: [EntityDescription] { entities.map(\.description) }

  /// Returns the model with one more entity.
  ///
  /// - Throws: the error of the entity among the others.
  public func adding(_ description: EntityDescription) throws(ModelError) -> Model {
    try Model(
      descriptions + [description], version: version, fetchRequestTemplates: fetchRequestTemplates,
      configurations: configurations, cloudKitConfigurations: cloudKitConfigurations)
  }

  private func checkEntity(_ name: String, entity: String, property: String?) throws(ModelError) {
    guard byName[name] == nil else { return }
    let nearest = nearestName(to: name, in: byName.keys)
    throw ModelError(entity: entity, property: property, .unknownFetchedEntity(name, nearest: nearest))
  }

  private static func parentsFirst(_ descriptions: [EntityDescription]) throws(ModelError) -> [EntityDescription] {
    var waiting: [String: EntityDescription] = [:]
    for description in descriptions {
      guard waiting.updateValue(description, forKey: description.name) == nil else {
        throw ModelError(entity: description.name, .duplicateEntity)
      }
    }
    var children: [String: [EntityDescription]] = [:]
    for description in descriptions { children[description.parent ?? "", default: []].append(description) }
    // One generation after the other.
    var ordered = descriptions.filter { $0.parent == nil }
    var levels = ordered.map { _ in 0 }
    var next = 0
    while next < ordered.count {
      let name = ordered[next].name
      if !name.isEmpty, let inheriting = children[name] {
        guard levels[next] < Nesting.inheritance else {
          throw ModelError(entity: inheriting[0].name, .inheritanceTooDeep(limit: Nesting.inheritance))
        }
        ordered += inheriting
        levels += inheriting.map { _ in levels[next] + 1 }
      }
      next += 1
    }
    if ordered.count == descriptions.count { return ordered }
    let placed = Set(ordered.map(\.name))
    throw unplaceable(descriptions.filter { !placed.contains($0.name) }, known: waiting.keys)
  }

  /// Returns why the entities in `rest` cannot be placed after their parents: a missing parent, or else a cycle.
  private static func unplaceable(_ rest: [EntityDescription], known: some Collection<String>) -> ModelError {
    for orphan in rest {
      guard let parent = orphan.parent, !known.contains(parent) else { continue }
      let nearest = nearestName(to: parent, in: known.filter { $0 != orphan.name })
      return ModelError(entity: orphan.name, .unknownParent(parent, nearest: nearest))
    }
    return ModelError(entity: rest[0].name, .inheritanceCycle)
  }

  private static func checkNames(of entity: Entity) throws(ModelError) {
    if Interruption.isRequested() { throw ModelError(entity: entity.name, .interrupted) }
    guard !entity.name.isEmpty else { throw ModelError(entity: entity.name, .invalidName(entity.name)) }
    var seen: Set<String> = []
    for name in entity.properties.map(\.name) + entity.fetchedProperties.map(\.name) {
      guard !name.isEmpty else { throw ModelError(entity: entity.name, property: name, .invalidName(name)) }
      guard seen.insert(name).inserted else {
        throw ModelError(entity: entity.name, property: name, .duplicateProperty)
      }
    }
    let lists =
      entity.description.uniquenessConstraints.map { ($0, "unique") }
      + entity.description.indexes.filter(\.isPlain).map { ($0.properties, "indexes") }
    for (list, option) in lists {
      for name in list where entity.index(of: name) == nil {
        // An index may contain an element of a composite.
        if option == "indexes", entity.compositeElement(at: name) != nil { continue }
        let nearest = nearestName(to: name, in: entity.properties.map(\.name))
        throw ModelError(entity: entity.name, .unknownProperty(name, within: option, nearest: nearest))
      }
    }
  }

  private func link(_ entity: Entity) throws(ModelError) {
    for (index, property) in entity.properties.enumerated() {
      guard let relationship = property.relationship else { continue }
      if let inherited = entity.parent?.links[index] {
        entity.links[index] = inherited
        continue
      }
      guard let destination = byName[relationship.destination] else {
        let nearest = nearestName(to: relationship.destination, in: byName.keys)
        throw ModelError(
          entity: entity.name, property: relationship.name,
          .unknownDestination(relationship.destination, nearest: nearest))
      }
      let inverse = try inverse(of: relationship, in: entity, destination: destination)
      entity.links[index] = Entity.Link(destination: destination, inverse: inverse)
    }
  }

  /// The named inverse, or else the relationship that names this one, or else the only candidate that names none.
  ///
  /// Both lead exactly to the entity that declares the other: what leads only to a subentity cannot lead back from every object,
  /// and a relationship that the destination inherits belongs to objects that this one does not lead to.
  private func inverse(
    of relationship: Relationship, in entity: Entity, destination: Entity
  ) throws(ModelError) -> Int? {
    let inherited = destination.parent?.properties.count ?? 0
    func leadsBack(_ index: Int) -> Relationship? {
      guard index >= inherited, let other = destination.properties[index].relationship,
        other.destination == entity.name
      else { return nil }
      return other
    }
    if relationship.isUnidirectional { return nil }
    if let name = relationship.inverse {
      guard let index = destination.index(of: name), destination.properties[index].relationship != nil else {
        let nearest = nearestName(to: name, in: destination.relationships.map(\.name))
        throw ModelError(
          entity: entity.name, property: relationship.name,
          .unknownInverse(name, destination: destination.name, nearest: nearest))
      }
      guard let back = leadsBack(index), back.inverse == nil || back.inverse == relationship.name else {
        throw ModelError(
          entity: entity.name, property: relationship.name, .inverseMismatch(name, destination: destination.name))
      }
      // A transient relationship and a stored one are not kept consistent.
      return back.isTransient == relationship.isTransient ? index : nil
    }
    let candidates = destination.properties.indices.filter { index in
      leadsBack(index).map { !$0.isUnidirectional && $0.isTransient == relationship.isTransient } ?? false
    }
    func name(of index: Int) -> String? { destination.properties[index].relationship?.inverse }
    if let index = candidates.first(where: { name(of: $0) == relationship.name }) { return index }
    let free = candidates.filter { name(of: $0) == nil }
    let rivals = entity.description.properties.compactMap(\.relationship).filter {
      $0.destination == relationship.destination && $0.inverse == nil && !$0.isUnidirectional
        && $0.isTransient == relationship.isTransient
    }
    // Of one entity's relationships to itself none is taken for its own inverse.
    return free.count == 1 && rivals.count == 1 && destination !== entity ? free[0] : nil
  }
}
