internal import LuaRuntime
internal import Modeling

/// A model in Lua: what `Model { ... }` makes and `store.model` answers.
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
    .property("entityNames", "model.entityNames", "The names of the entities in their order.") { call, model in
      call.stack.pushTable(array: Int32(model.model.entities.count))
      for (number, entity) in model.model.entities.enumerated() {
        call.stack.push(entity.name)
        call.stack.rawSet(element: Int64(number + 1), at: -2)
      }
      return 1
    },
    .property("version", "model.version -> string", "The author's name for this version of the model; nil for none.") {
      call, model in
      if let version = model.model.version { call.stack.push(version.text) } else { call.stack.pushNil() }
      return 1
    },
  ]
}

extension Engine {
  func makeModelClass() -> LuaClass<BoundModel> { makeClass(BoundModel.self, keepsIdentity: true) }
}
