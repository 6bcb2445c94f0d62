internal import LiveQueries
internal import LuaRuntime
internal import ObjectGraph
internal import Queries

extension ObjectMembers {
  static let observingMethods: [ObjectMethod] = [
    ObjectMethod(
      "observe", "object:observe(keyPath, function(new, old, change) ... end) -> token",
      "Calls a function whenever a property, key path or expression changes; change.changes has both values.",
      sandbox: .allowed, example: #"("magnitude", function(new, old) print(new, old) end)"#
    ) { call, object, context in
      let text = try call.expressionText(1)
      let expression = try Queries.Expression.parse(text)
      try expression.check(in: object.entity, for: .evaluation)
      let function = call.stack.reference(at: try call.function(2))
      let name = call.engine.lua.name(of: function, as: "\(object.entity.name):observe")
      let token = try context.live.observe(object, expression, name: name) { new, old, change in
        context.notify(function) { stack in
          try context.push(evaluated: new, on: stack)
          try context.push(evaluated: old, on: stack)
          context.push(change, on: stack)
          stack.pushTable(hash: 1)
          try context.push(old: old, new: new, on: stack) { try context.push(evaluated: $0, on: stack) }
          stack.rawSet(field: text, at: -2)
          stack.rawSet(field: "changes", at: -2)
          return 3
        }
      }
      return .object(BoundObservationToken(token))
    }
  ]
}
