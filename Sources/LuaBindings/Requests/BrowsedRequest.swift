public import LuaRuntime
public import ObjectGraph
public import Queries

extension Engine {
  /// The request of objects that the value at `index` is, or that selects all objects of the entity that it is, with its
  /// context; nil for anything else.
  ///
  /// - Throws: ScriptError where its store is closed, PredicateError for a request that cannot be fetched.
  public func browsedRequest(
    at index: Int32, on stack: LuaStack
  ) throws -> (request: FetchRequest, context: ObjectContext)? {
    let found: (request: FetchRequest, context: BoundContext)
    if let request = requests.object(at: index, on: stack) {
      found = (request.request, request.context)
    } else if let entity = entities.object(at: index, on: stack) {
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
