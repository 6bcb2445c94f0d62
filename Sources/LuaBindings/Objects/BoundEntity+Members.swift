internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// The members of an entity.
extension BoundEntity {
  static let findingMembers: [Member<BoundEntity>] = [
    .property("name", "Entity.name -> string", "The name of the entity.", sandbox: .allowed) { call, entity in
      .text(entity.entity.name)
    },
    .property(
      "context", "Entity.context -> context", "The context in which it creates and finds objects.", sandbox: .allowed
    ) {
      call, entity in
      .object(entity.context)
    },
    .property(
      "computed", "Entity.computed.name = function(self) ... end", "Properties computed by functions.",
      sandbox: .allowed,
      example: "function Quake.computed.isStrong(q) return q.magnitude > 3 end print(Quake:first().isStrong)"
    ) {
      call, entity in
      .object(ComputedProperties(entity))
    },
    .method(
      "find", "Entity:find(key) -> object or nil",
      "The object with this value of the unique attribute, or with this key; also by objectID and URL.",
      sandbox: .allowed, example: #"("us1")"#
    ) { call, entity in
      try entity.find(call)
    },
  ]

  /// `find "us1"`, `find { a = 1, b = 2 }`
  private func find(_ call: Call) throws -> ReturnValue {
    try context.checkOpen(call.place)
    let object = try call.type(1) == .table ? objectByNames(call) : objectByKey(call)
    guard let object else { return .luaNil }
    return .managedObject(object, context)
  }

  private func objectByKey(_ call: Call) throws -> ManagedObject? {
    guard let value = try call.engine.values.value(at: call.index(1), on: call.stack, place: call.place), !value.isNull
    else {
      throw call.expected("a key", 1)
    }
    if case .string(let text) = value, text.hasPrefix(ObjectID.uriScheme) { return try objectByURI(text, call) }
    if case .object(let id) = value { return try object(id) }
    guard let unique = entity.uniqueAttribute else { return try context.objectContext.find(entity, [value]) }
    do { return try context.objectContext.find(entity, [try unique.coerce(value)]) } catch is ValueError {
      // A value that does not fit the attribute may be a key.
      if value.isKeyNumber { return try context.objectContext.find(entity, key: [value]) }
      // Any other value would silently find nothing.
      throw call.fail(
        .expected("\(unique.type.rawValue), as \(unique.name) is", found: call.stack.typeName(at: call.index(1))))
    }
  }

  /// The object with an ID, if it belongs to the entity.
  private func object(_ id: ObjectID) throws -> ManagedObject? {
    guard id.entity.root === entity.root, let object = try context.objectContext.existingObject(id),
      object.entity.isKind(of: entity)
    else { return nil }
    return object
  }

  /// The object of a Core Data URL, if it belongs to the entity.
  private func objectByURI(_ uri: String, _ call: Call) throws -> ManagedObject? {
    let id: ObjectID
    do throws(ObjectURIError) { id = try context.store.objectStore.objectID(uri: uri) } catch {
      throw call.fail("the URL '\(uri)' \(error.sentence)")
    }
    return try object(id)
  }

  private func objectByNames(_ call: Call) throws -> ManagedObject? {
    let values = try values(at: call.index(1), call)
    var indices: [Int] = []
    var wanted: [Value] = []
    let layout = context.store.objectStore.layout(of: entity)
    for (index, value) in values {
      guard let attribute = entity.properties[index].attribute else {
        throw call.fail("'\(entity.properties[index].name)' is a relationship, and find takes attributes")
      }
      do { wanted.append(try layout.wanted(value, at: index, of: attribute)) } catch let error as ValueError {
        throw GraphError(.wrongValue(error, entity: entity.name, property: attribute.name))
      }
      indices.append(index)
    }
    if indices.isEmpty { throw call.fail("expected values by attribute, got an empty table") }
    return try context.objectContext.find(entity, where: indices, equal: wanted)
  }
}

extension Value {
  /// Whether it is an integer, as the keys of rows are.
  fileprivate var isKeyNumber: Bool {
    switch self {
    case .int: true
    case .double(let number): Int64(exactly: number) != nil
    default: false
    }
  }
}
