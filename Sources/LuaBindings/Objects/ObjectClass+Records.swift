internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// The Lua class of the objects, with the raw functions that Lua calls.
extension ObjectClass {
  /// Calls `body` with the class in a raw function's context pointer, without reference counting: the context lives
  /// while Lua has objects of it.
  @inline(__always)
  private static func with<Result>(
    _ context: UnsafeMutableRawPointer?, _ body: (ObjectClass) -> Result
  ) -> Result? {
    context?.load(as: Unmanaged<ObjectClass>?.self)?._withUnsafeGuaranteedRef(body)
  }

  /// The error that an object's context is gone. Scripts have no finalizers, so Lua's weak tables know every object
  /// that a script can reach; only a C module can get around them and cause this error.
  private static var droppedContext: ScriptError { ScriptError("object", .closed("context")) }

  private static let get: LuaRecordGetter = { pointer, payload, id, context in
    with(context) { objects in
      let stack = LuaStack(pointer)
      do {
        try objects.push(property: id, of: payload.load(as: Int32.self), on: stack)
        return 1
      } catch {
        return stack.raise(error)
      }
    } ?? LuaStack(pointer).raise(droppedContext)
  }

  private static let set: LuaRecordSetter = { pointer, payload, id, context in
    with(context) { objects in
      let stack = LuaStack(pointer)
      do {
        try objects.set(property: id, of: payload.load(as: Int32.self), at: 3, on: stack)
        return 0
      } catch {
        return stack.raise(error)
      }
    } ?? LuaStack(pointer).raise(droppedContext)
  }

  private static let missing: LuaRawFunction = { pointer, context in
    with(context) { objects in
      let stack = LuaStack(pointer)
      guard stack.type(at: 2) == .string, let key = stack.repairedString(at: 2) else {
        let found = stack.typeName(at: 2)
        return stack.raise(ScriptError(objects.entity.name, .expected("the name of a property", found: found)))
      }
      return stack.raise(objects.unknown(key))
    } ?? LuaStack(pointer).raise(droppedContext)
  }

  /// The error that the entity has no such property.
  func unknown(_ name: String) -> GraphError {
    let near = nearest(name, propertyNames)
    return GraphError(.unknownProperty(name, entity: entity.name, nearest: near))
  }

  /// The names of everything readable of an object, for messages and completion.
  var propertyNames: [String] {
    entity.properties.map(\.name) + entity.fetchedProperties.map(\.name) + computed.map(\.name)
      + engine.declarations.objectProperties.map(\.name)
  }

  static func makeRecords(
    _ entity: Entity, _ engine: Engine, _ handle: UnsafeMutablePointer<Unmanaged<ObjectClass>?>
  ) -> LuaRecordClass<Int32> {
    let access = LuaRecordAccess(
      get: Self.get, set: Self.set, missingGet: Self.missing, missingSet: Self.missing,
      context: UnsafeMutableRawPointer(handle))
    return LuaRecordClass<Int32>(engine.lua, name: entity.name, access: access) { definition in
      for method in engine.declarations.objectMethods {
        let signature = Signature(method.declaration.signature)
        definition.method(method.name) { [unowned engine] stack in
          try method.call("Object:\(method.name)", signature, engine, stack)
        }
      }
      for (number, property) in engine.declarations.objectProperties.enumerated() {
        definition.property(property.name, id: -Int32(number) - 1)
      }
      for (index, property) in entity.properties.enumerated() { definition.property(property.name, id: Int32(index)) }
      for (index, property) in entity.fetchedProperties.enumerated() {
        definition.property(property.name, id: firstFetched + Int32(index))
      }
      definition.metamethod(.toString) { [unowned engine] stack in
        guard let (object, context) = engine.values.objectAndContext(at: 1, on: stack) else { throw droppedContext }
        stack.push(context.isClosed ? "\(entity.name) of a closed store" : ObjectText.line(of: object))
        return 1
      }
      definition.metamethod(.pairs) { [unowned engine] stack in
        guard let objects = engine.values.objectClass(at: 1, on: stack) else { throw droppedContext }
        return try objects.pushPairs(on: stack)
      }
    }
  }

  /// The iterator of `pairs(object)`: attributes and to-one relationships with values, in the entity's order.
  private func pushPairs(on stack: LuaStack) throws -> Int32 {
    let slot = records.payload(at: 1, on: stack) ?? 0
    let owner = stack.reference(at: 1)
    var next = 0
    stack.pushFunction { [unowned self] stack in
      _ = owner
      while next < plan.count {
        let index = next
        next += 1
        if case .toMany = plan[index] { continue }
        stack.push(entity.properties[index].name)
        try push(property: Int32(index), of: slot, on: stack)
        if !stack.isNil(at: -1) { return 2 }
        stack.pop(2)
      }
      stack.pushNil()
      return 1
    }
    stack.pushCopy(of: 1)
    stack.pushNil()
    return 3
  }

  // MARK: Members that scripts added

  func addScriptMembers() {
    let store = context.store
    var lineage: [Entity] = []
    var next: Entity? = entity
    while let ancestor = next {
      lineage.insert(ancestor, at: 0)
      next = ancestor.parent
    }
    for ancestor in lineage {
      let members = store.members(of: ancestor)
      for (name, function) in members.methods where name != "validate" { setMethod(name, function) }
      for (name, function) in members.computed { setComputed(name, function) }
    }
  }

  /// Updates the member with a name from the store's script members.
  func updateMember(_ name: String) {
    // The built-in method calls the script's one.
    if name == "validate" { return }
    let store = context.store
    var next: Entity? = entity
    while let ancestor = next {
      let members = store.members(of: ancestor)
      if let function = members.methods[name] { return setMethod(name, function) }
      if let function = members.computed[name] { return setComputed(name, function) }
      next = ancestor.parent
    }
    engine.lua.stack.pushNil()
    records.setMember(name, on: engine.lua.stack)
  }

  private func setMethod(_ name: String, _ function: LuaReference) {
    engine.lua.stack.push(function)
    records.setMember(name, on: engine.lua.stack)
  }

  private func setComputed(_ name: String, _ function: LuaReference) {
    let number = computed.firstIndex { $0.name == name } ?? computed.count
    if number == computed.count { computed.append((name, function)) } else { computed[number].function = function }
    records.setProperty(name, id: Self.firstComputed + Int32(number), on: engine.lua.stack)
  }
}
