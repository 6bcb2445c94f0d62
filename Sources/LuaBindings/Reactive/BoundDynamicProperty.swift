internal import LuaRuntime
internal import Reactive

/// A script's own property that is updated before each use: `DynamicProperty { now = 0, update = function(self)
/// self.now = os.time() end }`.
///
/// A use is the first read in a run of an effect, or a read outside of effects. Values that `update` reads are
/// dependencies of the reader. Values that it sets notify no observers, because every use begins with an update.
final class BoundDynamicProperty: Bound {
  static let luaName = "DynamicProperty"
  var place: String { "DynamicProperty" }

  private var values: [String: LuaReference]
  private let update: LuaReference
  private let source = ObservationSource()
  private var isUpdating = false
  /// The run of the last update.
  private var lastRun: Int?

  private init(_ values: [String: LuaReference], update: LuaReference) {
    self.values = values
    self.update = update
  }

  func summary() -> String { "DynamicProperty { \(values.keys.sorted().joined(separator: ", ")) }" }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "DynamicProperty", "DynamicProperty { update = function(self) ... end, name = value, ... } -> property",
      "Named values that the function `update` refreshes before each use; `null` declares one without a value.",
      sandbox: .allowed,
      example: #"DynamicProperty({ text = "", update = function(self) self.text = os.date("%H:%M") end }).text"#
    ) { call in
      guard call.type(1) == .table else { throw call.expected("a table of values with a function update", 1) }
      var values = try call.namedValues(1)
      guard let update = values.removeValue(forKey: "update") else { throw call.fail(.missing("update")) }
      call.stack.push(update)
      defer { call.stack.pop() }
      guard call.stack.type(at: -1) == .function else {
        throw ScriptError("\(call.place): update", .expected("a function", found: call.stack.typeName(at: -1)))
      }
      return .object(BoundDynamicProperty(values, update: update))
    }
  ]

  /// A value after an update.
  fileprivate func value(_ name: String, _ call: Call) throws -> LuaReference? {
    try check(name)
    try prepare(call)
    if !isUpdating { source.access() }
    return values[name]
  }

  fileprivate func set(_ name: String, _ value: LuaReference, _ call: Call) throws {
    try check(name)
    if let known = values[name], call.engine.values.areSame(known, value) { return }
    values[name] = value
    if !isUpdating { source.didChange() }
  }

  private func prepare(_ call: Call) throws {
    if isUpdating { return }
    let run = ObservationSource.currentRun
    if let run, run == lastRun { return }
    lastRun = run
    isUpdating = true
    defer { isUpdating = false }
    let stack = call.stack
    stack.reserve(6)
    stack.push(update)
    call.engine.classes.push(self, on: stack)
    do { try stack.call(arguments: 1, results: 0) } catch {
      lastRun = nil
      throw error
    }
  }

  private func check(_ name: String) throws {
    if values[name] == nil {
      throw ScriptError("", .unknownMember(name, of: place, nearest: nearest(name, values.keys.sorted())))
    }
  }
}

extension BoundDynamicProperty {
  static func luaClass(of engine: Engine) -> LuaClass<BoundDynamicProperty> {
    let read: (Call, BoundDynamicProperty) throws -> ReturnValue? = { call, property in
      guard let name = call.stack.string(at: 2) else { return nil }
      return .reference(try property.value(name, call))
    }
    let write: (Call, BoundDynamicProperty) throws -> Bool = { call, property in
      guard let name = call.stack.string(at: 2) else { return false }
      try property.set(name, call.reference(1), call)
      return true
    }
    return engine.classes.make(
      BoundDynamicProperty.self, keepsIdentity: true, indexing: Indexing(read: read, write: write))
  }
}
