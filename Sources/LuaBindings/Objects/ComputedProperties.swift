internal import LuaRuntime
internal import Modeling

/// `Quake.computed`: the table to which a script adds an entity's computed properties.
final class ComputedProperties: Bound {
  static let luaName = "ComputedProperties"
  var place: String { "\(entity.entity.name).computed" }

  let entity: BoundEntity

  init(_ entity: BoundEntity) { self.entity = entity }

  func summary() -> String { "computed properties of \(entity.entity.name)" }
}

extension ComputedProperties {
  static func luaClass(of engine: Engine) -> LuaClass<ComputedProperties> {
    let index: (Call, ComputedProperties) throws -> ReturnValue? = { call, computed in
      let entity = computed.entity
      guard let name = call.stack.string(at: 2) else { return nil }
      return .reference(entity.context.store.members(of: entity.entity).computed[name])
    }
    let newIndex: (Call, ComputedProperties) throws -> Bool = { call, computed in
      let entity = computed.entity
      guard let name = call.stack.string(at: 2) else { return false }
      let store = entity.context.store
      try entity.checkName(name)
      let isRemoval = call.stack.isNil(at: 3)
      guard isRemoval || call.stack.type(at: 3) == .function else {
        throw ScriptError("\(computed.place).\(name)", .expected("a function", found: call.stack.typeName(at: 3)))
      }
      store.members(of: entity.entity).setComputed(name, isRemoval ? nil : call.stack.reference(at: 3))
      store.memberChanged(name, of: entity.entity)
      return true
    }
    return engine.classes.make(ComputedProperties.self, indexing: Indexing(read: index, write: newIndex))
  }
}
