internal import LuaRuntime
internal import Modeling
internal import Queries

/// A model in Lua: the result of `Model { ... }` and of `store.model`.
final class BoundModel: Bound {
  static let luaName = "Model"
  var place: String { "Model" }

  let model: Model

  init(_ model: Model) { self.model = model }

  func summary() -> String {
    let names = model.entities.map(\.name)
    let version = model.version.map { " version \($0.text)" } ?? ""
    return
      "model\(version) of \(names.count) \(names.count == 1 ? "entity" : "entities"): \(names.joined(separator: ", "))"
  }

  static let members: [Member<BoundModel>] = [
    .property("entityNames", "model.entityNames", "The names of the entities in their order.", sandbox: .allowed) {
      call, model in
      .value(.list(model.model.entities.map { .string($0.name) }))
    },
    .property(
      "templateNames", "model.templateNames", "The names of the request templates, in alphabetical order.",
      sandbox: .allowed
    ) {
      call, model in
      .value(.list(model.model.fetchRequestTemplates.keys.sorted().map(Value.string)))
    },
    .method(
      "fetchRequest", "model:fetchRequest(template [, { variable = value }]) -> request",
      "The request made from a template of the model, on the store opened with the model.", sandbox: .allowed,
      example:
        #"local s = open(":memory:", { model = Model { Q = Entity { m = Int }, _ = { templates = { strong = { entity = "Q", predicate = "m > $least" } } } } }) s.model:fetchRequest("strong", { least = 3 })"#
    ) { call, model in
      let stores = [call.engine.mainStore].compactMap { $0 } + call.engine.openStores
      guard let store = stores.first(where: { $0.objectStore.model === model.model }) else {
        throw call.fail("no store that is open has this model; open one, or use store:fetchRequest")
      }
      return try store.fetchRequest(call)
    },
    .method(
      "source", "model:source([form]) -> string, notes",
      "The model as source, and what it cannot say: \"lua\", \"swiftData\", \"coreData\", \"periluneKit\", \"xcdatamodel\".",
      sandbox: .allowed, example: #"("lua")"#
    ) { call, model in
      let word = call.isMissing(1) ? ModelSourceForm.lua.rawValue : try call.string(1, "the name of a form")
      guard let form = ModelSourceForm(rawValue: word) else {
        let forms = ModelSourceForm.allCases.map(\.rawValue)
        throw call.fail("there is no form '\(word)'\(ErrorReport.hint(nearest(word, forms)))")
      }
      let (text, notes) = try form.source(of: model.model, call)
      call.stack.push(text)
      call.engine.push(.list(notes.map(Value.string)), on: call.stack)
      return 2
    },
    .method(
      "difference", "model:difference(newer) -> { changes = , obstacles = , isInferable = }",
      "The differences to a newer model, and why Core Data could not infer the mapping.", sandbox: .allowed,
      example: "(store.model)"
    ) { call, model in
      try model.difference(call)
    },
    .property(
      "version", "model.version -> string", "The author's name for this version of the model; nil for none.",
      sandbox: .allowed
    ) {
      call, model in
      .text(model.model.version?.text)
    },
  ]
}

extension BoundStore {
  /// `store:fetchRequest("big", { minimum = 5 })`
  func fetchRequest(_ call: Call) throws -> Answer {
    try checkOpen(call)
    return try call.push(try request(template: call, for: nil))
  }

  /// The request of the template that a call names; for an entity, one for its objects, in its context.
  func request(template call: Call, for entity: BoundEntity?) throws -> BoundRequest {
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

extension BoundModel {
  static func luaClass(of engine: Engine) -> LuaClass<BoundModel> {
    engine.makeClass(BoundModel.self, keepsIdentity: true)
  }
}
