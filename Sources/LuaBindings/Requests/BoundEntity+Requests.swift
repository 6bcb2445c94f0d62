internal import LuaRuntime
internal import Queries

// The members of an entity that ask for its objects.
extension BoundEntity {
  static let askingMembers: [Member<BoundEntity>] = [
    .method("all", "Entity:all() -> request", "A request for all objects.", sandbox: .allowed, example: "()") {
      call, entity in
      .object(try entity.request())
    },
    .method(
      "where", "Entity:where(predicate, ...) -> request", "A request for the objects that match a predicate.",
      sandbox: .allowed, example: #"("magnitude > %@", 3)"#
    ) {
      call, entity in
      .object(try entity.request(try call.predicate(1, in: entity.entity)))
    },
    .method(
      "count", "Entity:count([predicate, ...]) -> number", "The number of objects that match a predicate.",
      sandbox: .allowed, example: "()"
    ) {
      call, entity in
      .integer(try entity.request(try call.optionalPredicate(1, in: entity.entity)).count(call))
    },
    .method(
      "first", "Entity:first([predicate, ...]) -> object or nil", "One object that matches a predicate.",
      sandbox: .allowed, example: "()"
    ) {
      call, entity in
      try entity.request(try call.optionalPredicate(1, in: entity.entity)).first(call)
    },
    .method(
      "exists", "Entity:exists([predicate, ...]) -> boolean", "Whether any object matches a predicate.",
      sandbox: .allowed, example: "()"
    ) {
      call, entity in
      .boolean(try entity.request(try call.optionalPredicate(1, in: entity.entity)).exists(call))
    },
  ]

  /// The request for all objects, optionally with a predicate.
  func request(_ predicate: Queries.Predicate? = nil) throws -> BoundRequest {
    var request = Queries.FetchRequest(entity)
    request.predicate = predicate
    return try BoundRequest(checking: request, context)
  }
}
