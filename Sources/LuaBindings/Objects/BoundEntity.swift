internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// An entity of one context in Lua: creates objects, finds them, accepts methods.
final class BoundEntity: Bound {
  static let luaName = "Entity"
  var place: String { entity.name }
  var display: EngineValue? { .entity(entity, context.objectContext) }

  let entity: Entity
  let context: BoundContext

  init(_ entity: Entity, _ context: BoundContext) {
    self.entity = entity
    self.context = context
  }

  deinit { context.forget(entity) }

  func summary() -> String { "entity \(entity.name)" }

  /// Creates an object from the table at `index`; creates none if a field is wrong.
  func insert(_ call: Call, at index: Int32) throws -> ManagedObject {
    try context.checkOpen(call.place)
    let stack = call.stack
    let objects = context.objects(of: entity)
    let object = try context.objectContext.insert(entity)
    do {
      try objects.collectingValues(of: object) { values in
        try objects.forEachValue(of: index, on: stack, unknown: unknownField) { property, value in
          try objects.set(property: property, of: object, at: value, on: stack, orIn: values)
        }
      }
    } catch {
      context.objectContext.discard(object)
      throw error
    }
    return object
  }

  /// Returns the error for a field of a table of values, with its key at `index`, that is not a property.
  private func unknownField(at index: Int32, on stack: LuaStack) -> any Error {
    guard stack.type(at: index) == .string, let name = stack.string(at: index) else {
      let found = "a field of type \(stack.typeName(at: index))"
      return ScriptError(entity.name, .expected("values by property", found: found))
    }
    if entity.fetchedProperties.contains(where: { $0.name == name }) {
      return context.objects(of: entity).settingFetched(name)
    }
    let near = nearest(name, entity.properties.map(\.name))
    return GraphError(.unknownProperty(name, entity: entity.name, nearest: near))
  }

  /// The values of a table by property, for batch requests.
  func values(at index: Int32, _ call: Call) throws -> [(property: Int, value: Value)] {
    let stack = call.stack
    guard stack.type(at: index) == .table else {
      throw call.fail(.expected("a table of values by property", found: stack.typeName(at: index)))
    }
    let objects = context.objects(of: entity)
    var values: [(property: Int, value: Value)] = []
    try objects.forEachValue(of: index, on: stack, unknown: unknownField) { property, value in
      values.append((property, try objects.attributeValue(property, at: value, on: stack)))
    }
    return values
  }
}

extension BoundEntity {
  static func luaClass(of engine: Engine) -> LuaClass<BoundEntity> {
    let ownFunctions = overridableFunctions(of: engine)
    let index: (Call, BoundEntity) throws -> ReturnValue? = { call, entity in
      guard let name = call.stack.string(at: 2) else { return nil }
      guard let function = entity.scriptMethod(name) ?? ownFunctions[name] else {
        if entity.entity.index(of: name) == nil { return nil }
        throw ScriptError("", .memberOfObjects(name, of: entity.entity.name))
      }
      return .reference(function)
    }
    let newIndex: (Call, BoundEntity) throws -> Bool = { call, entity in
      guard let name = call.stack.string(at: 2) else { return false }
      try entity.setMethod(name, call)
      return true
    }
    return engine.classes.make(BoundEntity.self, keepsIdentity: true, indexing: Indexing(read: index, write: newIndex))
    {
      definition in
      definition.call { [unowned engine] entity, stack in
        let call = Call(engine: engine, stack: stack, owner: nil, name: entity.entity.name)
        try entity.context.checkOpen(call.place)
        guard call.type(1) == .table || call.count == 0 else { throw call.expected("a table of values", 1) }
        try call.refuseMore(than: 1)
        if call.count == 0 { stack.pushTable() }
        try entity.context.push(try entity.insert(call, at: 2), on: stack)
        return 1
      }
    }
  }

  /// The functions of an entity that scripts may override, by name.
  private static func overridableFunctions(of engine: Engine) -> [String: LuaReference] {
    var functions: [String: LuaReference] = [:]
    for member in engine.classes.members(of: BoundEntity.self) where member.isOverridable {
      guard case .method(let body) = member.body else { continue }
      let signature = Signature(member.declaration.signature)
      let refusal = member.declaration.refusal(engine.options)
      engine.lua.stack.pushFunction { [unowned engine] stack in
        guard let entity = engine.classes.object(BoundEntity.self, at: 1, on: stack) else {
          throw ScriptError(member.name, .expected("an entity; call it with a colon", found: stack.typeName(at: 1)))
        }
        let call = Call(engine: engine, stack: stack, owner: entity, name: member.name)
        if let refusal { throw refusal.at(call.place) }
        try signature.refuseSurplus(of: call)
        return try call.push(body(call, entity))
      }
      functions[member.name] = engine.lua.stack.popReference()
    }
    return functions
  }
}
