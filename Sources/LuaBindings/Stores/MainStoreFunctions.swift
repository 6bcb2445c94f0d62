internal import LuaRuntime
internal import Modeling

/// The functions that act on the store of the globals.
enum MainStoreFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction("save", "save([{ author = , dryRun = }])", "Saves the changes of the main context: `context:save`.")
    { call in
      try call.engine.mainContext(call).save(call)
    },
    GlobalFunction("rollback", "rollback()", "Drops the unsaved changes of the main context.") { call in
      let context = try call.engine.mainContext(call).context
      try context.checkNotSaving()
      context.rollback()
      return 0
    },
    GlobalFunction("undo", "undo() -> boolean", "Takes back the last changes of the main context: `context:undo`.") {
      call in
      try call.engine.mainContext(call).undo(call)
    },
    GlobalFunction("redo", "redo() -> boolean", "Makes changes again that were taken back: `context:redo`.") { call in
      try call.engine.mainContext(call).redo(call)
    },
  ]
}

extension Engine {
  /// The context that the globals stand for.
  fileprivate func mainContext(_ call: Call) throws -> BoundContext {
    guard let mainStore else { throw call.fail("no store is open; open one, or name it on the command line") }
    return mainStore.mainContext
  }

  /// Makes the entities of `store` globals, and `store` and `context`; those of the store before are taken away.
  ///
  /// An entity whose name is a global already is left out, and `notes` says so.
  func use(_ store: BoundStore) {
    let stack = lua.stack
    for name in installedGlobals {
      stack.pushNil()
      stack.setGlobal(name)
    }
    installedGlobals = []
    mainStore = store
    stores.push(store, on: stack)
    install("store", on: stack)
    contexts.push(store.mainContext, on: stack)
    install("context", on: stack)
    for entity in store.store.model.entities {
      let isTaken = stack.pushGlobal(entity.name) != .nil
      stack.pop()
      if isTaken || LuaToken.keywords.contains(entity.name) {
        notes.append("the entity \(entity.name) has the name of something else; it is store.entities.\(entity.name)")
        continue
      }
      entities.push(store.mainContext.entity(entity), on: stack)
      install(entity.name, on: stack)
    }
  }

  private func install(_ name: String, on stack: LuaStack) {
    stack.setGlobal(name)
    installedGlobals.append(name)
  }
}
