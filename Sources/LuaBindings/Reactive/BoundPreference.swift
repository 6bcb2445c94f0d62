internal import LuaRuntime
internal import Reactive

/// The global `Preference`: values that code in a scope passes to the surrounding scopes, which reduce several to one.
final class BoundPreference: Bound {
  static let luaName = "Preference"
  var place: String { "Preference" }

  /// A key: its default, and the function that combines it with the next child's value.
  private struct Key {
    var defaultValue: LuaReference
    /// Nil if the last value counts.
    var reduce: LuaReference?
  }

  private var keys: [String: Key] = [:]
  /// The values in each open scope, innermost last.
  private var scopes: [[String: LuaReference]] = []
  /// `define`, `set` and `collect`.
  fileprivate var functions: [String: LuaReference] = [:]

  func summary() -> String { "Preference { \(keys.keys.sorted().joined(separator: ", ")) }" }

  static let globalEntries: [CatalogEntry] = [
    CatalogEntry(
      kind: .function, owner: "", name: luaName,
      signature: "Preference.define, Preference.set, Preference.collect -> results",
      summary: "Named values that inner scopes pass to the scopes around them.",
      example:
        #"Preference.define("width", 0, math.max) Preference.collect("width", function() Preference.set("width", 3) end)"#
    )
  ]

  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .property, owner: luaName, name: "define",
      signature: "Preference.define(name, default [, function(value, next) ... end])",
      summary:
        "Declares a preference; the function combines the values of two children, without it the last one counts.",
      example: #"Preference.define("width", 0, math.max)"#),
    CatalogEntry(
      kind: .property, owner: luaName, name: "set", signature: "Preference.set(name, value)",
      summary: "Passes a value to the enclosing scopes; each combines it with the other values set in it.",
      example: #"Preference.define("width", 0) Preference.collect("width", function() Preference.set("width", 3) end)"#),
    CatalogEntry(
      kind: .property, owner: luaName, name: "collect",
      signature: "Preference.collect(name, function) -> value, results",
      summary:
        "Calls a function and returns the combined value set in it; the enclosing scope receives the value, too.",
      example: #"Preference.define("width", 0) Preference.collect("width", function() Preference.set("width", 3) end)"#),
  ]

  fileprivate func define(_ call: Call) throws -> ReturnValue {
    try call.refuseMore(than: 3)
    let name = try call.string(1, "a name")
    if functions[name] != nil { throw call.fail(.builtIn(name)) }
    let reduce = call.isMissing(3) ? nil : call.stack.reference(at: try call.function(3))
    keys[name] = Key(defaultValue: call.reference(2), reduce: reduce)
    return .nothing
  }

  fileprivate func set(_ call: Call) throws -> ReturnValue {
    try call.refuseMore(than: 2)
    let name = try self.name(call)
    guard !scopes.isEmpty else {
      throw call.fail("nothing collects preferences here; call it in the function of Preference.collect")
    }
    try pass(name, call.reference(2), call)
    return .nothing
  }

  fileprivate func collect(_ call: Call) throws -> ReturnValue {
    try call.refuseMore(than: 2)
    let name = try self.name(call)
    _ = try call.function(2)
    let stack = call.stack
    stack.reserve(6)
    let depth = scopes.count
    scopes.append([:])
    let top = stack.count
    do { _ = try call.results(of: 2) } catch {
      scopes.removeLast(scopes.count - depth)
      throw error
    }
    let count = stack.count - top
    let told = scopes.removeLast()
    if !scopes.isEmpty {
      for (name, value) in told.sorted(by: { $0.key < $1.key }) { try pass(name, value, call) }
    }
    let value = told[name] ?? keys[name]?.defaultValue
    if let value { stack.push(value) } else { stack.pushNil() }
    // Moves the value before the function's results.
    stack.rotate(from: stack.count - count, by: 1)
    return .pushed(count + 1)
  }

  /// Combines a value with the innermost scope's value for a name.
  private func pass(_ name: String, _ value: LuaReference, _ call: Call) throws {
    guard let known = scopes.last?[name], let reduce = keys[name]?.reduce else {
      scopes[scopes.count - 1][name] = value
      return
    }
    let stack = call.stack
    stack.reserve(8)
    stack.push(reduce)
    stack.push(known)
    stack.push(value)
    let depth = scopes.count
    try stack.call(arguments: 2, results: 1)
    let reduced = stack.popReference()
    if scopes.count == depth { scopes[depth - 1][name] = reduced }
  }

  private func name(_ call: Call) throws -> String {
    let name = try call.string(1, "the name of a preference")
    if keys[name] == nil { throw unknown(name) }
    return name
  }

  fileprivate func unknown(_ name: String) -> ScriptError {
    ScriptError("", .unknownMember(name, of: place, nearest: nearest(name, Array(keys.keys) + Array(functions.keys))))
  }
}

extension BoundPreference {
  /// Creates the global `Preference`.
  static func install(in engine: Engine) {
    let preference = BoundPreference()
    let read: (Call, BoundPreference) throws -> ReturnValue? = { call, preference in
      guard let name = call.stack.string(at: 2) else { return nil }
      guard let function = preference.functions[name] else { throw preference.unknown(name) }
      return .reference(function)
    }
    let bodies = [
      "define": BoundPreference.define, "set": BoundPreference.set, "collect": BoundPreference.collect,
    ]
    for (name, body) in bodies {
      engine.lua.stack.pushFunction { [unowned engine, unowned preference] stack in
        let call = Call(engine: engine, stack: stack, name: "Preference.\(name)")
        return try call.push(body(preference)(call))
      }
      preference.functions[name] = engine.lua.stack.popReference()
    }
    engine.classes.make(BoundPreference.self, indexing: Indexing(read: read)).push(preference, on: engine.lua.stack)
    engine.lua.setGlobal(BoundPreference.luaName)
  }
}
