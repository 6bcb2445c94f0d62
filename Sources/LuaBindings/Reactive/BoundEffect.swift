internal import LuaRuntime
internal import Reactive

/// A function that runs again when anything it has read changes: `effect(function() ... end)`.
final class BoundEffect: Bound {
  static let luaName = "Effect"
  var place: String { "effect" }

  let effect: Effect

  init(_ effect: Effect) { self.effect = effect }

  func summary() -> String { effect.isActive ? "effect" : "cancelled effect" }

  static let members: [Member<BoundEffect>] = [
    .property("isActive", "effect.isActive -> boolean", "Whether it still runs.", sandbox: .allowed) { call, effect in
      .boolean(effect.effect.isActive)
    },
    .method(
      "cancel", "effect:cancel()", "Ends it, and the effects made in its last run.", sandbox: .allowed, example: "()"
    ) { _, effect in
      effect.effect.cancel()
      return .nothing
    },
  ]

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "effect", "effect(function) -> effect",
      "Runs a function now, and again at the end of each turn that changed a value it has read.", sandbox: .allowed,
      example: "effect(function() print(Quake:count()) end):cancel()"
    ) { call in
      let function = call.stack.reference(at: try call.function(1))
      let engine = call.engine
      let scope = engine.environment.values
      let name = engine.lua.name(of: function, as: "effect")
      let effect = Effect(engine.turn, name: name) { [unowned engine] in
        if engine.lua.isClosed { return }
        engine.environment.with(scope) { engine.tracking.during { engine.turns.notify(function) } }
      }
      return .object(BoundEffect(effect))
    },
    GlobalFunction(
      "withObservationTracking", "withObservationTracking(apply, onChange) -> results",
      "Calls `apply`, then `onChange` once, when a value that `apply` has read first changes.", sandbox: .allowed,
      example:
        #"local s = State(1) withObservationTracking(function() return s.value end, function() print "changed" end) s.value = 2"#
    ) { call in
      let function = call.stack.reference(at: try call.function(2))
      return try withObservationTracking {
        try call.engine.tracking.during { try call.results(of: 1) }
      } onChange: { [unowned engine = call.engine] in
        if !engine.lua.isClosed { engine.turns.notify(function) }
      }
    },
  ]
}

extension BoundEffect {
  static func luaClass(of engine: Engine) -> LuaClass<BoundEffect> {
    engine.classes.make(BoundEffect.self) { $0.close { $0.effect.cancel() } }
  }
}
