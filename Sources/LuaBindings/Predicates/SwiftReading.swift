internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftInterchange

/// Predicates and requests from Swift source; names in it are those of the main store's model.
enum SwiftReading {
  /// Reads the argument of `FetchRequest [[@Query(sort: \.time) var quakes: [Quake] ]]`.
  static func request(_ call: Call) throws -> Int32 {
    let text = try call.string(1, "a request in valid UTF-8")
    guard let store = call.engine.mainStore else {
      throw call.fail("no store is open; open one, or name it on the command line")
    }
    let request = try Queries.FetchRequest(swift: text, in: store.store.model)
    return try call.push(try BoundRequest(checking: request, store.mainContext))
  }
}

extension Engine {
  /// The predicate that Swift source is; `entity` is what it is asked of, where that is known.
  func predicate(swift text: String, in entity: Entity?) throws -> Queries.Predicate {
    try Queries.Predicate(swift: text, in: mainStore?.store.model, of: entity)
  }
}
