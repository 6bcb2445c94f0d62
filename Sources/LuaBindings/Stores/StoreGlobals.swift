internal import LuaRuntime
internal import Modeling
internal import Stores

/// The globals that belong to a store: its entities, `store` and `context`.
final class StoreGlobals {
  /// The engine, which holds the globals.
  unowned(unsafe) var engine: Engine!
  /// The store that the globals stand for.
  private(set) var store: BoundStore?
  /// The context behind the globals in the current scope; nil for the main context of `store`.
  private var scope: BoundContext?
  /// The names of the globals.
  private(set) var names: [String] = []
  /// How often a script has changed the store of the globals.
  private var useCount = 0

  /// The model of the store; nil without a store.
  var model: Model? { store?.objectStore.model }

  /// The context behind the globals and entity names: that of the environment.
  func context(_ call: Call) throws -> BoundContext {
    if let scope { return scope }
    guard let store else { throw call.fail("no store is open; open one, or name it on the command line") }
    return store.mainContext
  }

  /// Makes the entities of `store`, `store` and `context` globals, in place of those of the store before.
  ///
  /// An entity whose name is already a global is left out, and `notes` says so.
  func use(_ store: BoundStore) {
    useCount += 1
    store.wasMain = true
    _ = take()
    for entity in install(store.mainContext) {
      engine.notes.append(
        "the entity \(entity.name) has the name of something else; it is store.entities.\(entity.name)")
    }
  }

  /// Forgets a store that is being closed.
  func forget(_ closing: BoundStore) {
    if store === closing { store = nil }
  }

  /// Runs `body` with the globals of `context`: its entities, `context`, `store`, `save()`.
  ///
  /// Afterwards the former globals are restored, unless `body` has called `use`.
  func with<Result>(of context: BoundContext, _ body: () throws -> Result) rethrows -> Result {
    let before = take()
    _ = install(context)
    scope = context
    let uses = useCount
    defer {
      if useCount == uses {
        _ = take()
        put(before)
      }
    }
    return try body()
  }

  /// The globals that belong to a store, with their values.
  private struct Installed {
    var store: BoundStore?
    var scope: BoundContext?
    var values: [(name: String, value: LuaReference)]
  }

  /// Removes the globals of the store, and returns them.
  private func take() -> Installed {
    let stack = engine.lua.stack
    stack.reserve(4)
    var taken = Installed(store: store, scope: scope, values: [])
    for name in names {
      stack.pushGlobal(name)
      taken.values.append((name, stack.popReference()))
      stack.pushNil()
      stack.setGlobal(name)
    }
    names = []
    scope = nil
    return taken
  }

  /// Restores globals that `take` returned.
  private func put(_ globals: Installed) {
    let isOpen = globals.store?.isClosed == false
    store = isOpen ? globals.store : nil
    scope = isOpen ? globals.scope : nil
    for (name, value) in globals.values {
      engine.lua.stack.push(value)
      install(name, on: engine.lua.stack)
    }
  }

  /// Makes globals for a context; returns the entities whose names are taken.
  private func install(_ context: BoundContext) -> [Entity] {
    let stack = engine.lua.stack
    stack.reserve(4)
    store = context.store
    engine.classes.push(context.store, on: stack)
    install("store", on: stack)
    engine.classes.push(context, on: stack)
    install("context", on: stack)
    return context.store.objectStore.model.entities.filter { entity in
      let isTaken = stack.pushGlobal(entity.name) != .nil
      stack.pop()
      if isTaken || LuaToken.keywords.contains(entity.name) { return true }
      engine.classes.push(context.entity(entity), on: stack)
      install(entity.name, on: stack)
      return false
    }
  }

  private func install(_ name: String, on stack: LuaStack) {
    stack.setGlobal(name)
    names.append(name)
  }
}
