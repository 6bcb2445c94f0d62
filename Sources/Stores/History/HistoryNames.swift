import Layouts
package import Modeling

/// The meaning of the numbers in a store's history.
///
/// Changes are recorded with numbers that stay the same when entities and properties are renamed: a migration
/// only changes their names. Stored as JSON in the store's metadata.
package struct HistoryNames: Equatable {
  /// An entity of the history; its number is its one-based index in the list.
  package struct EntityEntry: Equatable {
    package var name: String
    /// The index of its property list.
    package var family: Int
    /// Whether the model no longer has it.
    package var isRetired = false

    package init(name: String, family: Int, isRetired: Bool = false) {
      self.name = name
      self.family = family
      self.isRetired = isRetired
    }
  }

  /// A property of the history; its index in the property list is that of its bit.
  package struct PropertyEntry: Equatable {
    /// The entity that declares it.
    package var entity: String
    package var name: String
    package var isRetired = false

    package init(entity: String, name: String, isRetired: Bool = false) {
      self.entity = entity
      self.name = name
      self.isRetired = isRetired
    }
  }

  /// Whether changes are recorded.
  package var isOn = false
  package var entities: [EntityEntry] = []
  /// The properties of each root entity and its descendants, in one list.
  package var families: [[PropertyEntry]] = []

  package init() {}

  /// Numbers the entities and properties of a model.
  package init(_ model: Model) {
    for root in model.entities where root.parent == nil {
      families.append(root.family.flatMap { entity in entity.description.properties.map { entry($0.name, entity) } })
      for entity in root.family { entities.append(EntityEntry(name: entity.name, family: families.count - 1)) }
    }
  }

  private func entry(_ name: String, _ entity: Entity) -> PropertyEntry {
    PropertyEntry(entity: entity.name, name: name)
  }

  /// Returns the number with which an entity's changes are recorded.
  package func number(of entity: Entity) -> Int? { number(named: entity.name) }

  private func number(named name: String) -> Int? {
    entities.lastIndex { $0.name == name && !$0.isRetired }.map { $0 + 1 }
  }

  /// Returns the bit of the property at `index`, which may be inherited.
  package func position(of index: Int, in entity: Entity) -> Int? {
    let declaration = ModelLayout.Declaration(entity, index)
    return position(declaration.name, declaredBy: declaration.entity.name)
  }

  private func position(_ name: String, declaredBy entity: String) -> Int? {
    guard let number = number(named: entity) else { return nil }
    return families[entities[number - 1].family].firstIndex { !$0.isRetired && $0.entity == entity && $0.name == name }
  }

  /// Returns the entity with a number; nil if the number is unknown.
  package func entity(_ number: Int) -> EntityEntry? { entities.element(numbered: number) }

  /// Returns a property by its bit.
  package func property(_ position: Int, of entity: EntityEntry) -> PropertyEntry? {
    guard families.indices.contains(entity.family), families[entity.family].indices.contains(position) else {
      return nil
    }
    return families[entity.family][position]
  }
}
