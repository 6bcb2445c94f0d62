public import LuaRuntime
public import ObjectGraph
public import Queries

/// A request of objects, and the context that fetches them, for a program's own screen.
public struct BrowsedRequest {
  /// The request, whose result type is objects.
  public let request: FetchRequest
  /// The context that fetches them.
  public let context: ObjectContext

  /// The request of objects in the value at `index`, or the request for all objects of the entity in it; nil for other
  /// values.
  ///
  /// - Throws: ScriptError if its store is closed, PredicateError for a request that cannot be fetched.
  public init?(at index: Int32, on stack: LuaStack, in engine: Engine) throws {
    let found: (request: FetchRequest, context: BoundContext)
    if let request = engine.classes.object(BoundRequest.self, at: index, on: stack) {
      found = (request.request, request.context)
    } else if let entity = engine.classes.object(BoundEntity.self, at: index, on: stack) {
      found = (FetchRequest(entity.entity), entity.context)
    } else {
      return nil
    }
    guard found.request.resultType == .objects else { return nil }
    try found.context.checkOpen("browse")
    try found.request.validate(for: .fetch)
    (request, context) = (found.request, found.context.objectContext)
  }
}
