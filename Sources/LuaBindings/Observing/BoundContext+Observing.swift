internal import LuaRuntime
internal import ObjectGraph

/// What a context tells functions of: `context:on("willSave", fn)`.
enum ContextEvent: String, CaseIterable {
  case willSave, didSave
}

extension BoundContext {
  static let observingMembers: [Member<BoundContext>] = [
    .method(
      "on", "context:on(\"willSave\" | \"didSave\", function(changes) ... end) -> token",
      "Calls a function before or after each save, with the inserted, updated and deleted objects."
    ) { call, context in
      try context.on(call)
    }
  ]

  private func on(_ call: Call) throws -> Int32 {
    try checkOpen(call.place)
    guard let event = try call.choice(1, ContextEvent.self) else {
      throw call.expected("\"willSave\" or \"didSave\"", 1)
    }
    let listeners = listeners[event] ?? Listeners()
    self.listeners[event] = listeners
    let number = listeners.add(call.stack.reference(at: try call.function(2)))
    call.engine.observationTokens.push(ObservationToken { listeners.remove(number) }, on: call.stack)
    switch event {
    case .willSave: context.hooks.contextWillSave = { [unowned self] in try tellWillSave() }
    case .didSave: context.hooks.contextDidSave = { [unowned self] in tellDidSave($0) }
    }
    return 1
  }

  private func tellWillSave() throws {
    try listeners[.willSave]?.forEach { function in
      // Each sees what those before it have changed.
      try call(function, context.insertedObjects, context.updatedObjects, context.deletedObjects)
    }
  }

  private func tellDidSave(_ saved: SavedChanges) {
    listeners[.didSave]?.forEach { function in
      engine.noting { try call(function, saved.inserted, saved.updated, saved.deleted) }
    }
  }

  private func call(
    _ function: LuaReference, _ inserted: [ManagedObject], _ updated: [ManagedObject], _ deleted: [ManagedObject]
  ) throws {
    guard !isClosed else { return }
    let stack = engine.lua.stack
    stack.reserve(8)
    let top = stack.count
    defer { stack.setCount(top) }
    stack.push(function)
    stack.pushTable(hash: 4)
    for (name, objects) in [("inserted", inserted), ("updated", updated), ("deleted", deleted)] {
      try push(objects, on: stack)
      stack.rawSet(field: name, at: -2)
    }
    engine.contexts.push(self, on: stack)
    stack.rawSet(field: "context", at: -2)
    try stack.call(arguments: 1)
  }
}
