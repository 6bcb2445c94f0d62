internal import LuaRuntime
internal import Reactive

/// A value that reads and writes another value, which is stored elsewhere: `state:binding()`,
/// `Bindable(person).name`.
final class BoundBinding: Bound {
  static let luaName = "Binding"
  var place: String { "binding" }

  unowned let engine: Engine
  /// Reads the value.
  let get: () throws -> LuaReference
  /// Writes the value.
  let set: (LuaReference) throws -> Void
  /// Returns the binding to a named field; nil if there are no such fields.
  var field: ((String) -> BoundBinding?)?
  /// The names of these fields.
  var ownNames: [String] = []

  init(_ engine: Engine, get: @escaping () throws -> LuaReference, set: @escaping (LuaReference) throws -> Void) {
    self.engine = engine
    self.get = get
    self.set = set
  }

  func summary() throws -> String {
    let stack = engine.lua.stack
    stack.reserve(6)
    stack.push(try withoutObservationTracking { try get() })
    defer { stack.pop() }
    return "Binding(\(try stack.toDisplayString(at: -1)))"
  }

  static let members: [Member<BoundBinding>] = [
    .property("value", "binding.value", "The value; setting it sets the target of the binding.", sandbox: .allowed) {
      call, binding in
      .reference(try binding.get())
    } set: { call, binding in
      try binding.set(call.reference(1))
    },
    .method(
      "map", "binding:map { get = function, set = function } -> binding",
      "A binding to the value in a converted form.", sandbox: .allowed, example: "({ get = tostring, set = tonumber })"
    ) { call, binding in
      try binding.map(call)
    },
    .method(
      "at", "binding:at(key) -> binding", "A binding to one field of a table, or one property of an object.",
      sandbox: .allowed, example: #"("x")"#
    ) {
      call, binding in
      try binding.at(call)
    },
    .method(
      "default", "binding:default(value) -> binding", "A binding that reads a default instead of nil.",
      sandbox: .allowed, example: "(0)"
    ) {
      call, binding in
      let value = call.reference(1)
      let engine = call.engine
      return .object(
        BoundBinding(engine) { [unowned engine] in
          let found = try binding.get()
          return engine.lua.isNil(found) ? value : found
        } set: {
          try binding.set($0)
        })
    },
    .method(
      "unwrapped", "binding:unwrapped() -> binding or nil",
      "A binding to the present value, or nil without one; if the value becomes nil, the last one is read.",
      sandbox: .allowed, example: "()"
    ) { call, binding in
      let engine = call.engine
      var last = try binding.get()
      if engine.lua.isNil(last) { return .luaNil }
      return .object(
        BoundBinding(engine) { [unowned engine] in
          let found = try binding.get()
          if !engine.lua.isNil(found) { last = found }
          return last
        } set: {
          last = $0
          try binding.set($0)
        })
    },
    .method(
      "animation", "binding:animation(name) -> binding", "A binding whose writes have an animation.", sandbox: .allowed,
      example: #"("spring")"#
    ) { call, binding in
      let transaction = try TransactionFunctions.transaction(call, animation: 1)
      let turn = call.engine.turn
      return .object(
        BoundBinding(call.engine, get: binding.get) { value in try turn.with(transaction) { try binding.set(value) } })
    },
    .method(
      "onChange", "binding:onChange(function(new, old) ... end) -> token",
      "Calls a function at the end of each turn in which the value has changed.", sandbox: .allowed,
      example: "(function(change) print(change) end)"
    ) { call, binding in
      try binding.onChange(call)
    },
  ]

  /// Registers an observer; the value is read again whenever anything that it read has changed.
  private func onChange(_ call: Call) throws -> ReturnValue {
    let function = call.stack.reference(at: try call.function(1))
    let engine = engine
    var last = try withoutObservationTracking { try get() }
    var isFirst = true
    let name = engine.lua.name(of: function, as: "onChange")
    let effect = Effect(engine.turn, name: name) { [get, unowned engine] in
      engine.turns.runCallback {
        let new = try engine.tracking.during { try get() }
        let old = last
        last = new
        // Each read may return a new table.
        defer { isFirst = false }
        if !isFirst, !engine.values.areSame(new, old) {
          withoutObservationTracking { engine.turns.notify(function, [new, old]) }
        }
      }
    }
    return .object(BoundObservationToken { effect.cancel() })
  }
}

extension BoundBinding {
  static func luaClass(of engine: Engine) -> LuaClass<BoundBinding> {
    let read: (Call, BoundBinding) throws -> ReturnValue? = { call, binding in
      guard let name = call.stack.string(at: 2), let field = binding.field?(name) else { return nil }
      return .object(field)
    }
    return engine.classes.make(BoundBinding.self, indexing: Indexing(read: read))
  }
}
