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
      .text(id.id.entity.name)
    },
    .property("isTemporary", "objectID.isTemporary", "Whether the object was never saved.", sandbox: .allowed) {
      call, id in
      .boolean(id.id.isTemporary)
    },
    .property(
      "uri", "objectID.uri -> string", "The URL by which Core Data knows the object; nil in stores of other kinds.",
      sandbox: .allowed
    ) { call, id in
      .text(id.uri)
    },
  ]
}

extension BoundObjectID {
  static func luaClass(of engine: Engine) -> LuaClass<BoundObjectID> {
    engine.classes.make(BoundObjectID.self) { definition in
      definition.equal { $0.id == $1.id }
    }
  }
}
