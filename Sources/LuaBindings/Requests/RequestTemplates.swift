internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// Requests that a model's templates stand for.

extension BoundModel {
  static let templateMembers: [Member<BoundModel>] = [
    .method(
      "fetchRequest", "model:fetchRequest(template [, { variable = value }]) -> request",
      "The request made from a template of the model, on the store opened with the model.", sandbox: .allowed,
      example:
        #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } }) s.model:fetchRequest("strong", { least = 3 })"#
    ) { call, model in
      let stores = [call.engine.globals.store].compactMap { $0 } + call.engine.stores.all
      guard let store = stores.first(where: { $0.objectStore.model === model.model }) else {
        throw call.fail("no store that is open has this model; open one, or use store:fetchRequest")
      }
      return .object(try store.fetchRequest(call))
    }
  ]
}

extension BoundStore {
  static let templateMembers: [Member<BoundStore>] = [
    .method(
      "fetchRequest", "store:fetchRequest(template [, { variable = value }]) -> request",
      "The request made from a template of the model.", sandbox: .allowed,
      example:
        #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } }) s:fetchRequest("strong", { least = 3 })"#
    ) { call, store in
      .object(try store.fetchRequest(call))
    }
  ]

  /// `store:fetchRequest("big", { minimum = 5 })`
  fileprivate func fetchRequest(_ call: Call) throws -> BoundRequest {
    try checkOpen(call)
    return try request(template: call, for: nil)
  }

  /// The request of the template that a call names; for an entity, one for its objects, in its context.
  fileprivate func request(template call: Call, for entity: BoundEntity?) throws -> BoundRequest {
    let name = try call.string(1, "the name of a template")
    let templates = objectStore.model.fetchRequestTemplates.filter {
      entity == nil || $0.value.entity == entity?.entity.name
    }
    guard let template = templates[name] else {
      if let other = objectStore.model.fetchRequestTemplates[name] {
        throw call.fail("the template '\(name)' is one for \(other.entity)")
      }
      throw call.fail("there is no template '\(name)'\(ErrorReport.hint(nearest(name, templates.keys)))")
    }
    if !call.isMissing(2), call.type(2) != .table { throw call.expected("a table of values by variable", 2) }
    let variables = call.isMissing(2) ? PredicateVariables() : try call.variables(2)
    let context = entity?.context ?? mainContext
    let request = try context.objectContext.fetchRequest(
      template, variables: variables.values, objects: variables.objects)
    if let missing = request.predicate?.variables.first {
      let near = ErrorReport.hint(nearest(missing, variables.values.keys))
      throw ScriptError("\(call.place): \(name)", .other("a value for $\(missing) is missing\(near)"))
    }
    return try BoundRequest(checking: request, context)
  }
}

extension BoundEntity {
  static let templateMembers: [Member<BoundEntity>] = [
    .method(
      "template", "Entity:template(name [, { variable = value }]) -> request",
      "The request that a template of the model stands for, its `$variables` given by name.", sandbox: .allowed,
      example:
        #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } }) s.entities.Q:template("strong", { least = 3 })"#
    ) { call, entity in
      try entity.context.checkOpen(call.place)
      return .object(try entity.context.store.request(template: call, for: entity))
    }
  ]
}
