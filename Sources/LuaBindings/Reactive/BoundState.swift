internal import LuaRuntime
internal import Reactive

/// A script's own value that notifies observers of its changes: `State(5)`.
final class BoundState: Bound {
  static let luaName = "State"
  var place: String { "state" }

  let state: State<LuaReference>
  private unowned let engine: Engine

  init(_ engine: Engine, _ value: LuaReference) {
    self.engine = engine
    state = State(value) { [unowned engine] in engine.values.areSame($0, $1) }
  }

  func summary() throws -> String {
    let stack = engine.lua.stack
    stack.reserve(6)
    stack.push(withoutObservationTracking { state.value })
    defer { stack.pop() }
    return "State(\(try stack.toDisplayString(at: -1)))"
  }

  func binding() -> BoundBinding {
    BoundBinding(engine) { [state] in
      state.value
    } set: { [state] in
      try state.set($0)
    }
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "State", "State(value) -> state", "A value that can be observed; `.value` reads and sets it.", sandbox: .allowed,
      example: "local s = State(5) s.value = 6"
    ) {
      call in
      .object(BoundState(call.engine, call.reference(1)))
    }
  ]

  static let members: [Member<BoundState>] = [
    .property(
      "value", "state.value", "The value; setting another one calls the functions of `onChange` at once.",
      sandbox: .allowed
    ) {
      call, state in
      .reference(state.state.value)
    } set: { call, state in
      try state.state.set(call.reference(1))
    },
    .method("binding", "state:binding() -> binding", "A binding to the value.", sandbox: .allowed, example: "()") {
      call, state in
      .object(state.binding())
    },
    .method(
      "onChange", "state:onChange(function(new, old) ... end) -> token",
      "Calls a function with the new and the old value at each change.", sandbox: .allowed,
      example: "(function(change) print(change) end)"
    ) { call, state in
      let function = call.stack.reference(at: try call.function(1))
      let engine = call.engine
      return .object(
        BoundObservationToken(
          state.state.onChange(name: engine.lua.name(of: function, as: "onChange")) { [unowned engine] new, old in
            engine.turns.notify(function, [new, old])
          }))
    },
  ]
}
