internal import LuaRuntime
internal import Modeling
internal import Queries

/// Parses predicates and requests in Swift source, with the names of the main store's model.
enum SwiftReading {
  /// Parses the argument of `FetchRequest [[@Query(sort: \.time) var quakes: [Quake] ]]`.
  static func request(_ call: Call) throws -> BoundRequest {
    try call.refuseMore(than: 1)
    return try request(call, try call.string(1, "a request in valid UTF-8"), named: nil)
  }

  /// The request of a text; `name` is that of its declaration, where there are several.
  static func request(_ call: Call, _ text: String, named name: String?) throws -> BoundRequest {
    let context = try call.engine.globals.context(call)
    let request = try Queries.FetchRequest(swift: text, in: context.objectContext.store.model, named: name)
    return try BoundRequest(checking: request, context)
  }
}
