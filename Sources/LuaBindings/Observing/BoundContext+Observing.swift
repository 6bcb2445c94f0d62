internal import LiveQueries
internal import LuaRuntime
internal import ObjectGraph

extension BoundContext {
  static let observingMembers: [Member<BoundContext>] = [
    .method(
      "on", "context:on(\"willSave\" | \"didSave\" | \"objectsDidChange\", function(changes) ... end) -> token",
      "Calls a function before or after each save, or after each turn that changed objects, with those objects.",
      sandbox: .allowed, example: #"("didSave", print)"#
    ) { call, context in
      try context.on(call)
    }
  ]

  private func on(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    guard let event = try call.choice(1, ContextEvent.self) else {
      throw call.expected("\"willSave\", \"didSave\" or \"objectsDidChange\"", 1)
    }
    let function = call.stack.reference(at: try call.function(2))
    if event == .objectsDidChange { return observeObjects(function, call) }
    let listeners = listeners[event] ?? Listeners()
    self.listeners[event] = listeners
    let number = listeners.add(function)
    // The token retains the context: a context without other references is never saved and has no events.
    let token = BoundObservationToken { withExtendedLifetime(self) { listeners.remove(number) } }
    if event == .willSave {
      objectContext.hooks.contextWillSave = { [unowned self] in try tellWillSave() }
    } else {
      objectContext.hooks.contextDidSave = { [unowned self] in tellDidSave($0) }
    }
    return .object(token)
  }

  private func observeObjects(_ function: LuaReference, _ call: Call) -> ReturnValue {
    let name = engine.lua.name(of: function, as: "context:on")
    let token = live.observeObjects(name: name) { [unowned self] changes in
      notify(function) { stack in
        try push(changes.objects(.insert), changes.objects(.update), changes.objects(.delete), on: stack)
        stack.push(changes.isComplete)
        stack.rawSet(field: "isComplete", at: -2)
        return 1
      }
    }
    return .object(BoundObservationToken(token))
  }

  private func tellWillSave() throws {
    try listeners[.willSave]?.forEach { function in
      // Each listener sees the changes of those before it.
      try call(function, objectContext.insertedObjects, objectContext.updatedObjects, objectContext.deletedObjects)
    }
  }

  private func tellDidSave(_ saved: SavedChanges) {
    listeners[.didSave]?.forEach { function in
      engine.turns.runCallback { try call(function, saved.inserted, saved.updated, saved.deleted) }
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
    try push(inserted, updated, deleted, on: stack)
    try stack.call(arguments: 1)
  }

  /// Pushes `{ inserted = , updated = , deleted = , context = }`.
  private func push(
    _ inserted: [ManagedObject], _ updated: [ManagedObject], _ deleted: [ManagedObject], on stack: LuaStack
  ) throws {
    stack.reserve(8)
    stack.pushTable(hash: 5)
    for (name, objects) in [("inserted", inserted), ("updated", updated), ("deleted", deleted)] {
      try push(objects, on: stack)
      stack.rawSet(field: name, at: -2)
    }
    engine.classes.push(self, on: stack)
    stack.rawSet(field: "context", at: -2)
  }

  /// Calls an observer with the arguments that `push` pushes; its error is reported at the end of the turn and stops
  /// nothing.
  func notify(_ function: LuaReference, _ push: (LuaStack) throws -> Int32) {
    guard !isClosed else { return }
    engine.turns.notify(function, push)
  }
}
