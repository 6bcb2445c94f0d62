internal import Modeling

// The known meanings of members and calls.
extension ScriptReading {
  /// The result of a call of a method of an entity, a request or a list.
  static func result(of method: String, of entity: Entity) -> Meaning {
    switch method {
    case "first", "find": .object(entity)
    case "fetch": .list(entity)
    case "each": .iterator(0, entity)
    default: .unknown
    }
  }

  /// The kinds of values in the catalog, one of which a value is, and what messages call it; nil for objects and what is unknown.
  static func kinds(of meaning: Meaning) -> (kinds: [String], title: String)? {
    switch meaning {
    case .entity(let entity): (["Entity"], entity.name)
    case .request: (["Request"], "request")
    case .list: (["Result", "Collection", "FetchedResults", "Section"], "result")
    case .global("store"): (["Store"], "store")
    case .global("context"): (["Context"], "context")
    default: nil
    }
  }

  /// The meaning of an element of a value: `quakes[1]`.
  func element(of meaning: Meaning) -> Meaning {
    if case .list(let entity) = meaning { .object(entity) } else { .unknown }
  }

  /// The meaning of a property of an object.
  static func property(_ name: String, of entity: Entity) -> Meaning {
    if let index = entity.index(of: name) {
      guard let relationship = entity.properties[index].relationship else { return .unknown }
      let destination = entity.destination(at: index)
      return relationship.isToMany ? .list(destination) : .object(destination)
    }
    return .unknown
  }
}
