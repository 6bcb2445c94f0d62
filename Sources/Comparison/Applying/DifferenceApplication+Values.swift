internal import Modeling
internal import ObjectGraph
internal import Queries

// Objects by their identity, and the values of their properties.
extension DifferenceApplication {
  func entity(_ name: String) throws -> Entity {
    let model = context.store.model
    if let entity = model.entity(named: name) { return entity }
    if let entity = model.entities.first(where: { $0.description.renamingIdentifier == name }) { return entity }
    throw ComparisonError.unknownEntity(name, nearest: nearestName(to: name, in: model.entities.map(\.name)))
  }

  func index(_ name: String, in entity: Entity) throws -> Int {
    if let index = entity.index(of: name) { return index }
    throw ComparisonError.unknownProperty(name, nearest: nearestName(to: name, in: entity.properties.map(\.name)))
  }

  /// The names of the properties that identify an entity's objects; nil if the key does.
  private func identity(of entity: Entity) -> [String]? {
    scope.identities[entity.name] ?? entity.description.renamingIdentifier.flatMap { scope.identities[$0] }
  }

  func identifiesByKey(_ entity: Entity) -> Bool { identity(of: entity) == nil }

  /// The object of an identity, with unsaved changes or in the store; nil if there is none.
  func find(_ entity: Entity, _ identity: [Value]) throws -> ManagedObject? {
    if let object = created[ObjectName(entity, identity)] { return object }
    guard let names = self.identity(of: entity) else {
      guard let key = identity.first?.key else { return nil }
      return try context.existingObject(ObjectID(entity: entity, key: key))
    }
    let indices = try names.map { try index($0, in: entity) }
    guard indices.count == identity.count else { return nil }
    if indices.allSatisfy({ entity.properties[$0].attribute != nil }) {
      let values = zip(indices, identity).map { index, value in
        entity.properties[index].attribute.flatMap { try? $0.coerce(value) } ?? value
      }
      return try context.find(entity, where: indices, equal: values)
    }
    var request = FetchRequest(entity)
    request.fetchLimit = 1
    var conditions: [Predicate] = []
    for (index, value) in zip(indices, identity) {
      var value = value
      if entity.properties[index].relationship != nil {
        guard let target = try find(entity.destination(at: index), [value]) else { return nil }
        value = .object(target.objectID)
      }
      let path = Expression.path(PropertyPath([entity.properties[index].name]))
      conditions.append(.comparison(Comparison(path, .equal, .constant(value))))
    }
    request.predicate = .and(conditions)
    let found = try context.fetch(request)
    return found.count > 0 ? try found[0] : nil
  }

  // MARK: Values

  /// What an object has of a property.
  enum PropertyState {
    case old
    case new
    case neither(PropertyConflict)
  }

  func state(of property: PropertyDifference, at index: Int, of object: ManagedObject) throws -> PropertyState {
    let present = try value(at: index, of: object)
    if try isSame(present, property.new, at: index, of: object) { return .new }
    if try isSame(present, property.old, at: index, of: object) { return .old }
    // Members are added and removed one by one, unless they have an order.
    if case .objects = property.new, object.entity.properties[index].relationship?.isOrdered != true { return .old }
    return .neither(
      PropertyConflict(
        property: property.name, base: property.old.plain, mine: property.new.plain, theirs: present.plain, isMine: true
      ))
  }

  /// A present value: an object by its ID, because it may have no identity.
  private func value(at index: Int, of object: ManagedObject) throws -> ComparedValue {
    func reference(_ object: ManagedObject) -> ComparedReference {
      ComparedReference(entity: object.entity.name, identity: [.object(object.objectID)])
    }
    guard let relationship = object.entity.properties[index].relationship else {
      return .value(try object.attribute(at: index))
    }
    if relationship.isToMany { return .objects(try object.members(at: index).map(reference)) }
    return .object(try object.related(at: index).map(reference))
  }

  private func isSame(
    _ present: ComparedValue, _ wanted: ComparedValue, at index: Int, of object: ManagedObject
  ) throws -> Bool {
    func ids(_ references: [ComparedReference]) throws -> [ObjectID]? {
      let found = try references.map { try self.object($0)?.objectID }
      return found.contains(nil) ? nil : found.compactMap(\.self)
    }
    func known(_ references: [ComparedReference]) -> [ObjectID] {
      references.compactMap { if case .object(let id) = $0.identity[0] { id } else { nil } }
    }
    switch (present, wanted) {
    case (.value(let left), .value(let right)):
      let attribute = object.entity.properties[index].attribute
      if left.isSame(as: right) { return true }
      return attribute.flatMap { try? $0.coerce(right) }.map { left.isSame(as: $0) } ?? false
    case (.object(let left), .object(let right)):
      return try known([left].compactMap(\.self)) == ids([right].compactMap(\.self))
    case (.objects(let left), .objects(let right)):
      let (one, two) = (known(left), try ids(right))
      if object.entity.properties[index].relationship?.isOrdered == true { return one == two }
      return two.map(Set.init) == Set(one)
    default: return present.isNothing && wanted.isNothing
    }
  }

  private func object(_ reference: ComparedReference) throws -> ManagedObject? {
    try find(try entity(reference.entity), reference.identity)
  }

  private func expected(_ reference: ComparedReference) throws -> ManagedObject {
    if let object = try object(reference) { return object }
    throw ComparisonError.missing(entity: reference.entity, identity: reference.identity)
  }

  /// Gives a property its new value. Members are added and removed one by one, unless they have an order.
  func set(_ property: PropertyDifference, at index: Int, of object: ManagedObject) throws {
    switch (property.old, property.new) {
    case (_, .value(let value)):
      if object.entity.properties[index].attribute?.isWritable == true { try object.setAttribute(at: index, value) }
    case (_, .object(let reference)):
      try object.setRelated(at: index, to: try reference.map(expected))
    case (_, .objects(let new)) where object.entity.properties[index].relationship?.isOrdered == true:
      try object.setMembers(at: index, try new.map(expected))
    case (let old, .objects(let new)):
      var former: [ComparedReference] = []
      if case .objects(let references) = old { former = references }
      let changes = MemberChanges(former, new)
      for member in changes.inserted { try object.setMember(at: index, expected(member), isMember: true) }
      for member in changes.removed {
        if let member = try self.object(member) { try object.setMember(at: index, member, isMember: false) }
      }
    }
  }
}

extension ComparedValue {
  /// No value of a property.
  static func nothing(_ entity: Entity, _ index: Int) -> ComparedValue {
    guard let relationship = entity.properties[index].relationship else { return .value(.null) }
    return relationship.isToMany ? .objects([]) : .object(nil)
  }

  /// The value for messages: objects by their identity.
  var plain: Value {
    switch self {
    case .value(let value): value
    case .object(let reference): reference?.plain ?? .null
    case .objects(let references): .list(references.map(\.plain))
    }
  }
}

extension ComparedReference {
  fileprivate var plain: Value { identity.count == 1 ? identity[0] : .list(identity) }
}

extension Value {
  /// The key that a value is.
  var key: Int64? { if case .int(let key) = self { key } else { nil } }
}
