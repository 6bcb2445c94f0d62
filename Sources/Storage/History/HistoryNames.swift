import Modeling

/// What the numbers in a store's history stand for.
///
/// Changes are recorded by numbers that stay what they are while entities and properties are renamed: a migration
/// writes new names beside old numbers. Kept as JSON in the store's metadata.
struct HistoryNames: Equatable {
  /// An entity as the history knows it; its number is its place in the list, from 1.
  struct EntityEntry: Equatable {
    var name: String
    /// The list of properties by which its changes are recorded.
    var family: Int
    /// Whether the model no longer has it.
    var isRetired = false
  }

  /// A property as the history knows it; its position in the list of the family is that of its bit.
  struct PropertyEntry: Equatable {
    /// The entity that declares it.
    var entity: String
    var name: String
    var isRetired = false
  }

  /// Whether changes are recorded.
  var isOn = false
  var entities: [EntityEntry] = []
  /// The properties of each root entity and its descendants, in one list.
  var families: [[PropertyEntry]] = []

  init() {}

  /// Numbers everything that a model has.
  init(_ model: Model) {
    for root in model.entities where root.parent == nil {
      families.append(root.family.flatMap { entity in entity.description.properties.map { entry($0.name, entity) } })
      for entity in root.family { entities.append(EntityEntry(name: entity.name, family: families.count - 1)) }
    }
  }

  private func entry(_ name: String, _ entity: Entity) -> PropertyEntry {
    PropertyEntry(entity: entity.name, name: name)
  }

  /// The number that changes of an entity's objects are recorded by.
  func number(of entity: Entity) -> Int? { number(named: entity.name) }

  private func number(named name: String) -> Int? {
    entities.lastIndex { $0.name == name && !$0.isRetired }.map { $0 + 1 }
  }

  /// The bit of the property at `index`, inherited or not.
  func position(of index: Int, in entity: Entity) -> Int? {
    let declaration = ModelLayout.Declaration(entity, index)
    return position(declaration.name, declaredBy: declaration.entity.name)
  }

  private func position(_ name: String, declaredBy entity: String) -> Int? {
    guard let number = number(named: entity) else { return nil }
    return families[entities[number - 1].family].firstIndex { !$0.isRetired && $0.entity == entity && $0.name == name }
  }

  /// The entity with a number; nil for one that nobody gave.
  func entity(_ number: Int) -> EntityEntry? { entities.element(numbered: number) }

  /// A property by its bit.
  func property(_ position: Int, of entity: EntityEntry) -> PropertyEntry? {
    guard families.indices.contains(entity.family), families[entity.family].indices.contains(position) else {
      return nil
    }
    return families[entity.family][position]
  }
}
