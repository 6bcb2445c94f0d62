internal import LuaRuntime
internal import Modeling
internal import Reactive

/// A value that persists between runs: `AppStorage("minimum", 5)`, `SceneStorage("filter", "")`.
final class BoundStorage: Bound {
  static let luaName = "Storage"
  var place: String { "\(word) \(stored.name)" }

  private unowned let engine: Engine
  /// `AppStorage` or `SceneStorage`.
  private let word: String
  private let defaultValue: StoredScriptValue
  private let stored: StoredValue<StoredScriptValue>

  init(_ engine: Engine, _ word: String, _ defaultValue: StoredScriptValue, _ stored: StoredValue<StoredScriptValue>) {
    self.engine = engine
    self.word = word
    self.defaultValue = defaultValue
    self.stored = stored
  }

  func summary() -> String { place }

  private func read() -> LuaReference {
    engine.values.push(stored: stored.value, on: engine.lua.stack)
    return engine.lua.stack.popReference()
  }

  /// Sets the value; nil restores the default.
  private func write(_ value: LuaReference) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(value)
    if stack.isNil(at: -1) { return try stored.set(nil) }
    let new = try engine.values.storedValue(at: stack.count, on: stack, place: place)
    guard defaultValue.accepts(new) else {
      throw ScriptError(
        place, .expected(ErrorReport.article(defaultValue.scriptTypeName), found: new.scriptTypeName))
    }
    try stored.set(new)
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "AppStorage", "AppStorage(name, default) -> storage", "A value kept from one run to the next.", sandbox: .allowed,
      example: #"AppStorage("minimum", 5).value"#
    ) { call in
      let (name, value) = try arguments(call)
      let stored = AppStorage(name, value, in: call.engine.preferences.file)
      call.engine.preferences.follow()
      return .object(BoundStorage(call.engine, "AppStorage", value, stored))
    },
    GlobalFunction(
      "SceneStorage", "SceneStorage(name, default [, store]) -> storage",
      "A value kept from one run to the next, for one store: by default the store of the globals.", sandbox: .allowed,
      example: #"SceneStorage("filter", "").value"#
    ) { call in
      let (name, value) = try arguments(call)
      let store = try sceneStore(call)
      let isFile = store.objectStore.path != ":memory:"
      let scene = isFile ? FilePath.resolved(store.objectStore.path) : "\(ObjectIdentifier(store))"
      let file = isFile ? call.engine.preferences.file : call.engine.preferences.passing
      let stored = SceneStorage(name, value, of: scene, in: file)
      call.engine.preferences.follow()
      return .object(BoundStorage(call.engine, "SceneStorage", value, stored))
    },
  ]

  private static func arguments(_ call: Call) throws -> (name: String, value: StoredScriptValue) {
    let name = try call.string(1, "a name")
    guard call.count >= 2 else { throw call.expected("a default value", 2) }
    return (name, try call.engine.values.storedValue(at: call.index(2), on: call.stack, place: call.place))
  }

  private static func sceneStore(_ call: Call) throws -> BoundStore {
    if call.isMissing(3) {
      guard let store = call.engine.globals.store else { throw call.fail(.noStore) }
      return store
    }
    guard let store = call.engine.classes.object(BoundStore.self, at: call.index(3), on: call.stack) else {
      throw call.expected("a store", 3)
    }
    return store
  }

  static let members: [Member<BoundStorage>] = [
    .property("value", "storage.value", "The value; setting nil restores the default.", sandbox: .allowed) {
      call, storage in
      .reference(storage.read())
    } set: { call, storage in
      try storage.write(call.reference(1))
    },
    .method("binding", "storage:binding() -> binding", "A binding to the value.", sandbox: .allowed, example: "()") {
      call, storage in
      .object(BoundBinding(call.engine, get: { storage.read() }, set: { try storage.write($0) }))
    },
    .method(
      "onChange", "storage:onChange(function(new, old) ... end) -> token",
      "Calls a function with the new and the old value at each change.", sandbox: .allowed,
      example: "(function(change) print(change) end)"
    ) { call, storage in
      let function = call.stack.reference(at: try call.function(1))
      let engine = call.engine
      return .object(
        BoundObservationToken(
          storage.stored.onChange(name: engine.lua.name(of: function, as: "onChange")) { [unowned engine] new, old in
            engine.turns.notify(
              function, [engine.values.reference(toStored: new), engine.values.reference(toStored: old)])
          }))
    },
  ]
}
