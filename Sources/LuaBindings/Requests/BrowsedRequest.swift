public import LuaRuntime
public import ObjectGraph
public import Queries

extension Engine {
  /// The request of objects in the value at `index`, or the request for all objects of the entity in it, with its
  /// context; nil for other values.
  ///
  /// - Throws: ScriptError if its store is closed, PredicateError for a request that cannot be fetched.
  public func browsedRequest(
    at index: Int32, on stack: LuaStack
  ) throws -> (request: FetchRequest, context: ObjectContext)? {
    let found: (request: FetchRequest, context: BoundContext)
    if let request = classes.object(BoundRequest.self, at: index, on: stack) {
      found = (request.request, request.context)
    } else if let entity = classes.object(BoundEntity.self, at: index, on: stack) {
      found = (FetchRequest(entity.entity), entity.context)
    } else {
      return nil
    }
    guard found.request.resultType == .objects else { return nil }
    try found.context.checkOpen("browse")
    try found.request.validate(for: .fetch)
    return (found.request, found.context.objectContext)
  }
}
