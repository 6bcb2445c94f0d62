internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

extension BoundEntity {
  static let observingMembers: [Member<BoundEntity>] = [
    .method(
      "on", "Entity:on(\"insert\" | \"update\" | \"delete\", function(object, change) ... end) -> token",
      "Calls a function for each object that is inserted, updated or deleted, saved or not, by any program; "
        + "change.changes has the old and new values of an update.", sandbox: .allowed, example: #"("insert", print)"#
    ) { call, entity in
      try entity.on(call)
    }
  ]

  private func on(_ call: Call) throws -> ReturnValue {
    try context.checkOpen(call.place)
    guard let kind = try call.choice(1, ObjectChange.Kind.self) else {
      throw call.expected("\"insert\", \"update\" or \"delete\"", 1)
    }
    let function = call.stack.reference(at: try call.function(2))
    let name = call.engine.lua.name(of: function, as: "\(entity.name):on")
    let token = context.live.observe(entity, [kind], name: name) { [context] change in
      context.notify(function) { stack in
        try context.push(change.object, on: stack)
        context.push(change, on: stack)
        return 2
      }
    }
    return .object(BoundObservationToken(token))
  }
}
