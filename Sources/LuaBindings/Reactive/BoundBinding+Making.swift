internal import LuaRuntime
internal import Reactive

// Bindings that scripts make of their own functions, and to parts of values.
extension BoundBinding {
  static let globalEntries: [CatalogEntry] = [
    CatalogEntry(
      kind: .function, owner: "", name: "Binding",
      signature: "Binding { get = function, set = function } -> binding",
      summary: "A binding that reads and writes with two functions.",
      example:
        "local n = 1 local b = Binding { get = function() return n end, set = function(v) n = v end } b.value = 2"),
    CatalogEntry(
      kind: .property, owner: luaName, name: "constant", signature: "Binding.constant(value) -> binding",
      summary: "A binding that always reads one value and ignores what is set.", example: "Binding.constant(3).value"),
  ]

  /// The binding that a table of functions describes.
  static func make(_ call: Call) throws -> BoundBinding {
    try call.refuseMore(than: 1)
    let (get, set) = try functions(call)
    // The functions may read and write a variable of the script, which has no observers of its own.
    let source = ObservationSource()
    return BoundBinding(call.engine) { [unowned engine = call.engine] in
      source.access()
      return try engine.lua.result(of: get, nil)
    } set: { [unowned engine = call.engine] value in
      _ = try engine.lua.result(of: set, value)
      source.didChange()
    }
  }

  func map(_ call: Call) throws -> ReturnValue {
    let (read, write) = try Self.functions(call)
    let engine = engine
    return .object(
      BoundBinding(engine) { [get, unowned engine] in
        try engine.lua.result(of: read, try get())
      } set: { [set, unowned engine] value in
        try set(try engine.lua.result(of: write, value))
      })
  }

  func at(_ call: Call) throws -> ReturnValue {
    if call.isMissing(1) { throw call.expected("a key", 1) }
    let key = call.reference(1)
    let engine = engine
    return .object(
      BoundBinding(engine) { [get, unowned engine] in
        try engine.lua.field(key, of: try get())
      } set: { [get, set, unowned engine] value in
        let whole = try get()
        // The value stays equal, so observers are not notified.
        if engine.values.areSame(try engine.lua.field(key, of: whole), value) { return }
        if let changed = try engine.lua.setField(key, of: whole, to: value) { try set(changed) }
      })
  }

  /// The functions `get` and `set` of the table that is the only argument.
  private static func functions(_ call: Call) throws -> (get: LuaReference, set: LuaReference) {
    guard call.type(1) == .table else { throw call.expected("a table of functions, get and set", 1) }
    let options = try call.options(1, ["get", "set"])
    func function(_ name: String) throws -> LuaReference {
      let found = try options.with(name) { index in
        guard call.stack.type(at: index) == .function else { throw options.expected("a function", name, index) }
        return call.stack.reference(at: index)
      }
      guard let found else { throw call.fail(.missing(name)) }
      return found
    }
    return (try function("get"), try function("set"))
  }
}

/// The global `Binding`: a call makes a binding; `Binding.constant` makes a constant one.
final class BindingWord: Bound {
  static let luaName = "BindingWord"
  var place: String { "Binding" }
  func summary() -> String { "Binding" }
}

extension BindingWord {
  static func luaClass(of engine: Engine) -> LuaClass<BindingWord> {
    var constant: LuaReference?
    let read: (Call, BindingWord) throws -> ReturnValue? = { call, _ in
      guard let key = call.stack.string(at: 2) else { return nil }
      // The global has no other members.
      guard key == "constant" else { throw ScriptError("", .unknownMember(key, of: "Binding", nearest: "constant")) }
      let engine = call.engine
      if constant == nil {
        call.stack.pushFunction { [unowned engine] stack in
          let value = Call(engine: engine, stack: stack, name: "Binding.constant").reference(1)
          engine.classes.push(BoundBinding(engine, get: { value }, set: { _ in }), on: stack)
          return 1
        }
        constant = call.stack.popReference()
      }
      return .reference(constant)
    }
    return engine.classes.make(BindingWord.self, indexing: Indexing(read: read)) { definition in
      definition.call { [unowned engine] _, stack in
        let call = Call(engine: engine, stack: stack, owner: nil, name: "Binding")
        return try call.push(.object(try BoundBinding.make(call)))
      }
    }
  }
}
