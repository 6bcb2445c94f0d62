internal import LuaRuntime
internal import ObjectGraph
internal import Reactive

/// The global `Environment`: values that code in a scope shares.
final class BoundEnvironment: Bound {
  static let luaName = "Environment"
  var place: String { "Environment" }

  /// The keys that scripts have defined, with their defaults.
  fileprivate var defaults: [String: LuaReference] = [:]
  /// `define` and `with`.
  fileprivate var functions: [String: LuaReference] = [:]
  private static let contextName = "managedObjectContext"

  func summary() -> String { "Environment { \(names.joined(separator: ", ")) }" }

  var names: [String] { [Self.contextName] + defaults.keys.sorted() }

  static let globalEntries: [CatalogEntry] = [
    CatalogEntry(
      kind: .function, owner: "", name: luaName, signature: "Environment.name -> value",
      summary: "Named values shared by everything in a scope.", example: "Environment.managedObjectContext")
  ]

  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .property, owner: luaName, name: contextName, signature: "Environment.managedObjectContext -> context",
      summary: "The context of the scope; by default the context of the globals.",
      example: "Environment.managedObjectContext"),
    CatalogEntry(
      kind: .property, owner: luaName, name: "define", signature: "Environment.define(name, default)",
      summary: "Declares a value of the environment, with its default.", example: #"Environment.define("locale", "en")"#
    ),
    CatalogEntry(
      kind: .property, owner: luaName, name: "with",
      signature: "Environment.with({ name = value, ... }, function) -> results",
      summary: "Calls a function in a scope with other values; globals and save() act on its managedObjectContext.",
      example: "Environment.with({ managedObjectContext = context:newChild() }, function() return Quake:count() end)"),
  ]

  /// A value of the scope.
  fileprivate func value(_ name: String, _ call: Call) throws -> ReturnValue {
    if let value = call.engine.environment.scriptValues[name] ?? defaults[name] { return .reference(value) }
    if name == Self.contextName {
      guard let store = call.engine.globals.store else { throw call.fail(.noStore) }
      return .object(store.mainContext)
    }
    throw unknown(name)
  }

  fileprivate func define(_ call: Call) throws -> ReturnValue {
    try call.refuseMore(than: 2)
    let name = try call.string(1, "a name")
    if name == Self.contextName || functions[name] != nil { throw call.fail(.builtIn(name)) }
    defaults[name] = call.reference(2)
    return .nothing
  }

  fileprivate func with(_ call: Call) throws -> ReturnValue {
    try call.refuseMore(than: 2)
    guard call.type(1) == .table else { throw call.expected("a table of named values", 1) }
    _ = try call.function(2)
    var values = call.engine.environment.scriptValues
    for (name, value) in try call.namedValues(1) {
      guard names.contains(name) else { throw unknown(name) }
      if name == Self.contextName { _ = try context(value, call) }
      values[name] = value
    }
    let context = try values[Self.contextName].map { try self.context($0, call) }
    return try call.engine.environment.with(\.scriptValues, values) {
      guard let context else { return try call.results(of: 2) }
      return try call.engine.globals.with(of: context) { try call.results(of: 2) }
    }
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "edit", "edit(function(child) ... end) -> results",
      "Calls a function whose globals use a child context: saved at the end, discarded after an error.",
      sandbox: .allowed, example: "edit(function(child) Quake:first().magnitude = 5 end)"
    ) { call in
      try edit(call)
    }
  ]

  /// A sheet: its changes are saved to the surrounding context when its function returns.
  private static func edit(_ call: Call) throws -> ReturnValue {
    let function = try call.function(1)
    let parent = try call.engine.globals.context(call)
    try parent.checkOpen(call.place)
    try parent.store.checkNoBatch(call.place)
    try parent.checkCanHaveChild(call)
    let child = parent.store.newContext(parent: parent)
    let stack = call.stack
    let top = stack.count
    call.engine.classes.push(child, on: stack)
    let reference = stack.popReference()
    var values = call.engine.environment.scriptValues
    values[contextName] = reference
    do {
      try call.engine.environment.with(\.scriptValues, values) {
        try call.engine.globals.with(of: child) {
          stack.pushCopy(of: function)
          stack.push(reference)
          try stack.call(arguments: 1, results: LuaStack.allResults)
        }
      }
      try child.checkOpen(call.place)
      try child.objectContext.save(dryRun: false, author: nil)
    } catch {
      if !child.isClosed { child.objectContext.rollback() }
      throw error
    }
    return .pushed(stack.count - top)
  }

  private func context(_ value: LuaReference, _ call: Call) throws -> BoundContext {
    call.stack.push(value)
    defer { call.stack.pop() }
    guard let context = call.engine.classes.object(BoundContext.self, at: -1, on: call.stack) else {
      throw ScriptError(
        "\(call.place): \(Self.contextName)", .expected("a context", found: call.stack.typeName(at: -1)))
    }
    return context
  }

  private func unknown(_ name: String) -> ScriptError {
    ScriptError("", .unknownMember(name, of: place, nearest: nearest(name, names + functions.keys)))
  }
}

/// The values that scripts set in scopes, by name.
private enum ScriptValues: EnvironmentKey {
  static let defaultValue: [String: LuaReference] = [:]
}

extension EnvironmentValues {
  fileprivate var scriptValues: [String: LuaReference] {
    get { self[ScriptValues.self] }
    set { self[ScriptValues.self] = newValue }
  }
}

extension BoundEnvironment {
  /// Creates the global `Environment`.
  static func install(in engine: Engine) {
    let environment = BoundEnvironment()
    let read: (Call, BoundEnvironment) throws -> ReturnValue? = { call, environment in
      guard let name = call.stack.string(at: 2) else { return nil }
      if let function = environment.functions[name] { return .reference(function) }
      return try environment.value(name, call)
    }
    let bodies = ["define": BoundEnvironment.define, "with": BoundEnvironment.with]
    for (name, body) in bodies {
      engine.lua.stack.pushFunction { [unowned engine, unowned environment] stack in
        let call = Call(engine: engine, stack: stack, name: "Environment.\(name)")
        return try call.push(body(environment)(call))
      }
      environment.functions[name] = engine.lua.stack.popReference()
    }
    let write: (Call, BoundEnvironment) throws -> Bool = { call, _ in
      guard let name = call.stack.string(at: 2) else { return false }
      throw ScriptError(
        "Environment.\(name)",
        .other("it cannot be set; Environment.with({ \(name) = value }, fn) sets it while fn runs"))
    }
    engine.classes.make(BoundEnvironment.self, indexing: Indexing(read: read, write: write)).push(
      environment, on: engine.lua.stack)
    engine.lua.setGlobal(BoundEnvironment.luaName)
  }
}
