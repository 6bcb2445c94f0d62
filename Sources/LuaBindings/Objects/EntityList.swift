internal import LuaRuntime
internal import Modeling

/// The entities of a context by name: `store.entities.Quake`.
final class EntityList: Bound {
  static let luaName = "Entities"
  var place: String { "entities" }

  let context: BoundContext

  init(_ context: BoundContext) { self.context = context }

  var model: Model { context.store.objectStore.model }

  func summary() -> String { "entities: \(model.entities.map(\.name).joined(separator: ", "))" }
}

extension EntityList {
  static func luaClass(of engine: Engine) -> LuaClass<EntityList> {
    let index: (Call, EntityList) throws -> ReturnValue? = { call, list in
      let name = call.stack.repairedString(at: 2) ?? ""
      guard let entity = list.model.entity(named: name) else {
        throw ScriptError(
          "", .unknownMember(name, of: "the model", nearest: nearest(name, list.model.entities.map(\.name))))
      }
      return .object(list.context.entity(entity))
    }
    return engine.classes.make(EntityList.self, indexing: Indexing(read: index)) { definition in
      definition.length { list, stack in
        stack.push(list.model.entities.count)
        return 1
      }
      definition.metamethod(.pairs) { [unowned engine] stack in
        guard let list = engine.classes.object(EntityList.self, at: 1, on: stack) else { return 0 }
        var rest = list.model.entities.makeIterator()
        stack.pushFunction { [unowned engine] stack in
          guard let next = rest.next() else { return 0 }
          stack.push(next.name)
          engine.classes.push(list.context.entity(next), on: stack)
          return 2
        }
        return 1
      }
    }
  }
}
