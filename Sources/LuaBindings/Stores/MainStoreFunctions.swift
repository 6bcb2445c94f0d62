internal import LuaRuntime
internal import Modeling

/// The functions that act on the store of the globals.
enum MainStoreFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "save", "save([{ author = , dryRun = }])", "Saves the changes of the context of the environment: `context:save`.",
      sandbox: .allowed, example: #"save { author = "me" }"#
    ) { call in
      try call.engine.environmentContext(call).save(call)
    },
    GlobalFunction(
      "rollback", "rollback()", "Drops the unsaved changes of the context of the environment.", sandbox: .allowed,
      example: "rollback()"
    ) { call in
      let context = try call.engine.environmentContext(call).objectContext
      try context.checkNotSaving()
      context.rollback()
      return .nothing
    },
    GlobalFunction(
      "undo", "undo() -> boolean", "Undoes the last changes of the context of the environment: `context:undo`.",
      sandbox: .allowed, example: "undo()"
    ) {
      call in
      try call.engine.environmentContext(call).undo(call)
    },
    GlobalFunction(
      "redo", "redo() -> boolean", "Redoes the changes undone last: `context:redo`.", sandbox: .allowed,
      example: "redo()"
    ) { call in
      try call.engine.environmentContext(call).redo(call)
    },
  ]
}

extension Engine {
  /// The context behind the globals and entity names: that of the environment.
  func environmentContext(_ call: Call) throws -> BoundContext {
    if let scopeContext { return scopeContext }
    guard let mainStore else { throw call.fail("no store is open; open one, or name it on the command line") }
    return mainStore.mainContext
  }

  /// Makes the entities of `store`, `store` and `context` globals, in place of those of the store before.
  ///
  /// An entity whose name is already a global is left out, and `notes` says so.
  func use(_ store: BoundStore) {
    useCount += 1
    store.wasMain = true
    _ = takeGlobals()
    for entity in installGlobals(of: store.mainContext) {
      notes.append("the entity \(entity.name) has the name of something else; it is store.entities.\(entity.name)")
    }
  }

  /// Runs `body` with the globals of `context`: its entities, `context`, `store`, `save()`.
  ///
  /// Afterwards the former globals are restored, unless `body` has called `use`.
  func withGlobals<Result>(of context: BoundContext, _ body: () throws -> Result) rethrows -> Result {
    let before = takeGlobals()
    _ = installGlobals(of: context)
    scopeContext = context
    let uses = useCount
    defer {
      if useCount == uses {
        _ = takeGlobals()
        put(before)
      }
    }
    return try body()
  }

  /// The globals that belong to a store, with their values.
  private struct InstalledGlobals {
    var store: BoundStore?
    var scope: BoundContext?
    var values: [(name: String, value: LuaReference)]
  }

  /// Removes the globals of the store, and returns them.
  private func takeGlobals() -> InstalledGlobals {
    let stack = lua.stack
    stack.reserve(4)
    var taken = InstalledGlobals(store: mainStore, scope: scopeContext, values: [])
    for name in installedGlobals {
      stack.pushGlobal(name)
      taken.values.append((name, stack.popReference()))
      stack.pushNil()
      stack.setGlobal(name)
    }
    installedGlobals = []
    scopeContext = nil
    return taken
  }

  /// Restores globals that `takeGlobals` returned.
  private func put(_ globals: InstalledGlobals) {
    let isOpen = globals.store?.isClosed == false
    mainStore = isOpen ? globals.store : nil
    scopeContext = isOpen ? globals.scope : nil
    for (name, value) in globals.values {
      lua.stack.push(value)
      install(name, on: lua.stack)
    }
  }

  /// Makes globals for a context; returns the entities whose names are taken.
  private func installGlobals(of context: BoundContext) -> [Entity] {
    let stack = lua.stack
    stack.reserve(4)
    mainStore = context.store
    classes.push(context.store, on: stack)
    install("store", on: stack)
    classes.push(context, on: stack)
    install("context", on: stack)
    return context.store.objectStore.model.entities.filter { entity in
      let isTaken = stack.pushGlobal(entity.name) != .nil
      stack.pop()
      if isTaken || LuaToken.keywords.contains(entity.name) { return true }
      classes.push(context.entity(entity), on: stack)
      install(entity.name, on: stack)
      return false
    }
  }

  private func install(_ name: String, on stack: LuaStack) {
    stack.setGlobal(name)
    installedGlobals.append(name)
  }
}
