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
  func entity(_ number: Int) -> EntityEntry? { entities.indices.contains(number - 1) ? entities[number - 1] : nil }

  /// A property by its bit.
  func property(_ position: Int, of entity: EntityEntry) -> PropertyEntry? {
    guard families.indices.contains(entity.family), families[entity.family].indices.contains(position) else {
      return nil
    }
    return families[entity.family][position]
  }
}

// MARK: Migration

extension HistoryNames {
  /// The names for a store that was migrated by `plan`: the numbers of what stayed, and new ones for what is new.
  func migrated(by plan: MigrationPlan, to model: Model) -> HistoryNames {
    var result = self
    for place in entities.indices where !entities[place].isRetired {
      let source = plan.matching.old.entity(named: entities[place].name)
      let successor = source.flatMap(plan.matching.result)
      result.entities[place].name = successor?.name ?? entities[place].name
      result.entities[place].isRetired = successor == nil
    }
    var claimed: Set<Int> = []
    for root in model.entities where root.parent == nil {
      let family = continuedFamily(of: root, plan).flatMap { claimed.insert($0).inserted ? $0 : nil }
      result.renumber(root, family, from: self, plan)
    }
    return result
  }

  /// The list of properties that a root entity's objects were recorded by so far, if it was one for all of them.
  private func continuedFamily(of root: Entity, _ plan: MigrationPlan) -> Int? {
    let families = Set(
      root.family.compactMap { plan.matching.source(of: $0) }.compactMap { number(of: $0) }.map {
        entities[$0 - 1].family
      })
    return families.count == 1 ? families.first : nil
  }

  private mutating func renumber(_ root: Entity, _ continued: Int?, from old: HistoryNames, _ plan: MigrationPlan) {
    let family = continued ?? families.count
    if continued == nil { families.append([]) }
    var properties = families[family]
    for place in properties.indices { properties[place].isRetired = true }
    // A property that became one of several subentities goes on as the first of them.
    var taken: Set<Int> = []
    for entity in root.family {
      let source = plan.matching.source(of: entity)
      let former = source.flatMap { old.number(of: $0) }
      if former.map({ old.entities[$0 - 1].family == family }) != true {
        entities.append(EntityEntry(name: entity.name, family: family))
      }
      let first = entity.properties.count - entity.description.properties.count
      for index in first..<entity.properties.count {
        let entry = PropertyEntry(entity: entity.name, name: entity.properties[index].name)
        let formerIndex = plan.source(ofProperty: index, in: entity)
        let position = source.flatMap { source in formerIndex.flatMap { old.position(of: $0, in: source) } }
        if continued != nil, let position, taken.insert(position).inserted {
          properties[position] = entry
        } else {
          properties.append(entry)
        }
      }
    }
    families[family] = properties
  }
}

// MARK: Coding

extension HistoryNames {
  static let metadataKey = "history"

  /// The names as text.
  var encoded: String {
    let entities = entities.map { entry in
      JSON.array([.string(entry.name), .int(Int64(entry.family)), .bool(entry.isRetired)])
    }
    let families = families.map { family in
      JSON.array(family.map { .array([.string($0.entity), .string($0.name), .bool($0.isRetired)]) })
    }
    return JSON.object(["on": .bool(isOn), "entities": .array(entities), "families": .array(families)]).text
  }

  /// Reads what `encoded` wrote; nil for anything else.
  init?(encoded text: String) {
    guard case .object(let fields)? = try? JSON.parse(text), case .array(let entities)? = fields["entities"],
      case .array(let families)? = fields["families"]
    else { return nil }
    isOn = fields["on"] == .bool(true)
    for case .array(let entry) in entities {
      guard entry.count == 3, case .string(let name) = entry[0], case .int(let family) = entry[1] else { return nil }
      self.entities.append(EntityEntry(name: name, family: Int(family), isRetired: entry[2] == .bool(true)))
    }
    for case .array(let family) in families {
      var properties: [PropertyEntry] = []
      for case .array(let entry) in family {
        guard entry.count == 3, case .string(let entity) = entry[0], case .string(let name) = entry[1] else {
          return nil
        }
        properties.append(PropertyEntry(entity: entity, name: name, isRetired: entry[2] == .bool(true)))
      }
      self.families.append(properties)
    }
    guard self.entities.allSatisfy({ self.families.indices.contains($0.family) }) else { return nil }
  }
}
