internal import LuaRuntime
internal import Modeling

/// The identity of an object, as a value that outlives the object.
final class BoundObjectID: Bound {
  static let luaName = "ObjectID"
  var place: String { "ObjectID" }

  let id: ObjectID

  init(_ id: ObjectID) { self.id = id }

  func summary() -> String { id.description }

  static let members: [Member<BoundObjectID>] = [
    .property("entityName", "objectID.entityName", "The name of the object's entity.") { call, id in
      call.stack.push(id.id.entity.name)
      return 1
    },
    .property("isTemporary", "objectID.isTemporary", "Whether the object was never saved.") { call, id in
      call.stack.push(id.id.isTemporary)
      return 1
    },
  ]
}

extension Engine {
  func makeObjectIDClass() -> LuaClass<BoundObjectID> {
    makeClass(BoundObjectID.self) { definition in
      definition.metamethod(.equal) { [unowned self] stack in
        let (left, right) = (objectIDs.object(at: 1, on: stack), objectIDs.object(at: 2, on: stack))
        stack.push(left?.id == right?.id)
        return 1
      }
    }
  }
}
