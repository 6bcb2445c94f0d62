internal import LuaRuntime
internal import Modeling
internal import Queries

/// A model in Lua: the result of `Model { ... }` and of `store.model`.
final class BoundModel: Bound {
  static let luaName = "Model"
  var place: String { "Model" }
  var display: EngineValue? { .model(model) }

  let model: Model

  init(_ model: Model) { self.model = model }

  func summary() -> String {
    let names = model.entities.map(\.name)
    let version = model.version.map { " version \($0.text)" } ?? ""
    return
      "model\(version) of \(names.count) \(names.count == 1 ? "entity" : "entities"): \(names.joined(separator: ", "))"
  }

  static let nameMembers: [Member<BoundModel>] = [
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
  ]

  static let members: [Member<BoundModel>] = [
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
      return .several([.text(text), .texts(notes)])
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

extension BoundModel {
  static func luaClass(of engine: Engine) -> LuaClass<BoundModel> {
    engine.classes.make(BoundModel.self, keepsIdentity: true)
  }
}
