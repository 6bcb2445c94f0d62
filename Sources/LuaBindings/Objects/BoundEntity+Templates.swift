internal import LuaRuntime
internal import Modeling

// `Entity:template`
extension BoundEntity {
  static let templateMembers: [Member<BoundEntity>] = [
    .method(
      "template", "Entity:template(name [, { variable = value }]) -> request",
      "The request that a template of the model stands for, its `$variables` given by name."
    ) { call, entity in
      try entity.context.checkOpen(call.place)
      return try call.push(try entity.context.store.request(template: call, for: entity))
    }
  ]
}
