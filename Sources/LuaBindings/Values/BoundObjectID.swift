internal import LuaRuntime
internal import Modeling

/// The identity of an object, as a value that is independent of the object.
final class BoundObjectID: Bound {
  static let luaName = "ObjectID"
  var place: String { "ObjectID" }

  let id: ObjectID
  /// The Core Data URL of the object; nil in other stores.
  let uri: String?

  init(_ id: ObjectID, uri: String?) {
    self.id = id
    self.uri = uri
  }

  func summary() -> String { uri ?? id.description }

  static let members: [Member<BoundObjectID>] = [
    .property("entityName", "objectID.entityName", "The name of the object's entity.", sandbox: .allowed) { call, id in
      call.stack.push(id.id.entity.name)
      return 1
    },
    .property("isTemporary", "objectID.isTemporary", "Whether the object was never saved.", sandbox: .allowed) {
      call, id in
      call.stack.push(id.id.isTemporary)
      return 1
    },
    .property(
      "uri", "objectID.uri -> string", "The URL by which Core Data knows the object; nil in stores of other kinds.",
      sandbox: .allowed
    ) { call, id in
      if let uri = id.uri { call.stack.push(uri) } else { call.stack.pushNil() }
      return 1
    },
  ]
}

extension BoundObjectID {
  static func luaClass(of engine: Engine) -> LuaClass<BoundObjectID> {
    engine.makeClass(BoundObjectID.self) { definition in
      definition.metamethod(.equal) { [unowned engine] stack in
        let (left, right) = (engine.objectIDs.object(at: 1, on: stack), engine.objectIDs.object(at: 2, on: stack))
        stack.push(left?.id == right?.id)
        return 1
      }
    }
  }
}

extension Engine {
  /// Pushes an object ID, with its URL if the object belongs to a Core Data store.
  func push(id: ObjectID, on stack: LuaStack) {
    let store = openStores.first { $0.objectStore.model.entity(named: id.entity.name) === id.entity }
    objectIDs.push(BoundObjectID(id, uri: store?.sqliteStore?.uri(of: id)), on: stack)
  }
}
