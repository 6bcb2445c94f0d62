internal import LuaRuntime
internal import Queries

extension BoundEntity {
  /// The request for all objects, optionally with a predicate.
  func request(_ predicate: Queries.Predicate? = nil) throws -> BoundRequest {
    var request = Queries.FetchRequest(entity)
    request.predicate = predicate
    return try BoundRequest(checking: request, context)
  }
}

// `Entity:template`
extension BoundEntity {
  static let templateMembers: [Member<BoundEntity>] = [
    .method(
      "template", "Entity:template(name [, { variable = value }]) -> request",
      "The request that a template of the model stands for, its `$variables` given by name.", sandbox: .allowed,
      example:
        #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } }) s.entities.Q:template("strong", { least = 3 })"#
    ) { call, entity in
      try entity.context.checkOpen(call.place)
      return try call.push(try entity.context.store.request(template: call, for: entity))
    }
  ]
}
