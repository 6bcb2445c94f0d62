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
      return try engine.result(of: get, nil)
    } set: { [unowned engine = call.engine] value in
      _ = try engine.result(of: set, value)
      source.didChange()
    }
  }

  func map(_ call: Call) throws -> ReturnValue {
    let (read, write) = try Self.functions(call)
    let engine = engine
    return .object(
      BoundBinding(engine) { [get, unowned engine] in
        try engine.result(of: read, try get())
      } set: { [set, unowned engine] value in
        try set(try engine.result(of: write, value))
      })
  }

  func at(_ call: Call) throws -> ReturnValue {
    if call.isMissing(1) { throw call.expected("a key", 1) }
    let key = call.reference(1)
    let engine = engine
    return .object(
      BoundBinding(engine) { [get, unowned engine] in
        try engine.field(key, of: try get())
      } set: { [get, set, unowned engine] value in
        let whole = try get()
        // The value stays equal, so observers are not notified.
        if engine.areSame(try engine.field(key, of: whole), value) { return }
        if let changed = try engine.setField(key, of: whole, to: value) { try set(changed) }
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
    return engine.makeClass(BindingWord.self, indexing: Indexing(read: read)) { definition in
      definition.call { [unowned engine] _, stack in
        let call = Call(engine: engine, stack: stack, owner: nil, name: "Binding")
        return try call.push(.object(try BoundBinding.make(call)))
      }
    }
  }
}

extension Engine {
  /// The first result of a function of one argument, or none.
  fileprivate func result(of function: LuaReference, _ argument: LuaReference?) throws -> LuaReference {
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(function)
    if let argument { stack.push(argument) }
    try stack.call(arguments: argument == nil ? 0 : 1, results: 1)
    return stack.popReference()
  }

  /// `value[key]`.
  fileprivate func field(_ key: LuaReference, of value: LuaReference) throws -> LuaReference {
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(value)
    stack.push(key)
    try stack.get(at: -2)
    return stack.popReference()
  }

  /// `value[key] = new`; of a plain table a changed copy is returned.
  fileprivate func setField(_ key: LuaReference, of value: LuaReference, to new: LuaReference) throws
    -> LuaReference?
  {
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(10)
    stack.push(value)
    let isPlain = stack.type(at: -1) == .table && !stack.pushMetatable(of: -1)
    if isPlain {
      stack.pushTable()
      let copy = stack.count
      try stack.forEachPair(at: copy - 1) { stack in
        stack.pushCopy(of: -2)
        stack.pushCopy(of: -2)
        stack.rawSet(at: copy)
      }
    } else {
      stack.setCount(top + 1)
    }
    let target = stack.count
    stack.push(key)
    stack.push(new)
    try stack.set(at: target)
    stack.setCount(target)
    return isPlain ? stack.popReference() : nil
  }
}
