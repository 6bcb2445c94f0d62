internal import LiveQueries
internal import Modeling
internal import Reactive
internal import SQLiteStorage

/// A store and the state that its contexts share: the turn of observers, live results, the classes of its entities.
final class OpenStore {
  let store: SQLiteStore
  let turn = Turn()
  let live: LiveStore
  /// Whether it stands for a store that is missing.
  let isMissing: Bool
  private var classes: [String: ManagedObject.Type] = [:]
  private var types: [ObjectIdentifier: ManagedObject.Type] = [:]

  /// Takes a store after checking that its model has everything that the classes need.
  init(_ store: SQLiteStore, _ classes: [ManagedObject.Type], isMissing: Bool = false) throws {
    let problems = classes.flatMap { Self.problems(of: $0, in: store.model) }
    guard problems.isEmpty else {
      store.close()
      throw PeriluneError(.unfit(problems))
    }
    self.store = store
    self.isMissing = isMissing
    live = LiveStore(store, turn: turn)
    for type in classes { self.classes[type.entityName] = type }
    turn.onError = { [unowned live] error in live.onError(error) }
  }

  /// The class of an entity's objects: its own, or that of the nearest ancestor with one.
  func type(of entity: Entity) -> ManagedObject.Type {
    if let known = types[ObjectIdentifier(entity)] { return known }
    var ancestor: Entity? = entity
    while let next = ancestor, classes[next.name] == nil { ancestor = next.parent }
    let type = ancestor.flatMap { classes[$0.name] } ?? ManagedObject.self
    types[ObjectIdentifier(entity)] = type
    return type
  }

  /// The entity of a class.
  func entity(of type: ManagedObject.Type) throws -> Entity {
    if isMissing { throw PeriluneError(.noContext) }
    guard let entity = store.model.entity(named: type.entityName) else {
      throw PeriluneError(Self.unknownEntity(type, in: store.model))
    }
    return entity
  }

  /// The entity with a name, which must be that of a class or a subentity.
  func entity(named name: String, of type: ManagedObject.Type) throws -> Entity {
    let own = try entity(of: type)
    if name == own.name { return own }
    guard let entity = store.model.entity(named: name), entity.isKind(of: own) else {
      throw PeriluneError(.unknownEntity(name, nearest: nearestName(to: name, in: own.family.map(\.name))))
    }
    return entity
  }

  private static func unknownEntity(_ type: ManagedObject.Type, in model: Model) -> PeriluneError.Fact {
    .unknownEntity(type.entityName, nearest: nearestName(to: type.entityName, in: model.entities.map(\.name)))
  }

  /// The parts of a class that a model does not have.
  private static func problems(of type: ManagedObject.Type, in model: Model) -> [PeriluneError.Fact] {
    guard let entity = model.entity(named: type.entityName) else { return [unknownEntity(type, in: model)] }
    let properties = type.propertyNames.properties.values.sorted { $0.name < $1.name }
    return properties.compactMap { property -> PeriluneError.Fact? in
      if entity.fetchedProperties.contains(where: { $0.name == property.name }) { return nil }
      let path = property.name.split(separator: ".").map(String.init)
      guard let name = path.first, let index = entity.index(of: name) else {
        let nearest = nearestName(to: property.name, in: entity.properties.map(\.name))
        return .unknownProperty(property.name, entity: entity.name, nearest: nearest)
      }
      let found: String
      switch entity.properties[index] {
      case .attribute(let attribute):
        guard let element = attribute.element(at: path.dropFirst()) else {
          return .unknownProperty(property.name, entity: entity.name, nearest: nil)
        }
        if (property.type as? any AttributeValue.Type)?.fits(element.type) == true { return nil }
        found = element.type.rawValue
      case .relationship(let relationship):
        if relationship.isToMany ? property.type is any ToManyType.Type : property.type is any ToOneType.Type {
          return nil
        }
        found = (relationship.isToMany ? "to-many " : "to-one ") + relationship.destination
      }
      return .otherType(property: property.name, entity: entity.name, declared: "\(property.type)", model: found)
    }
  }
}

/// The type of a to-one relationship.
private protocol ToOneType {}
extension Optional: ToOneType where Wrapped: ManagedObject {}

/// The type of a to-many relationship.
private protocol ToManyType {}
extension Array: ToManyType where Element: ManagedObject {}
