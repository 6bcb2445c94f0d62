internal import LuaRuntime
internal import ObjectGraph

// Automatic saves at the end of a turn, and blocks that are turns of their own.
extension BoundContext {
  static let turnMembers: [Member<BoundContext>] = [
    .property(
      "autosave", "context.autosave -> boolean", "Whether each turn ends with a save.", sandbox: .allowed
    ) { call, context in
      .boolean(context.autosaves)
    } set: { call, context in
      context.autosaves = try context.flag(call)
    },
    // Everything runs on one thread, so both methods are the same: the function runs at once and to its end.
    .method(
      "perform", "context:perform(function, ...) -> results",
      "Calls a function immediately, then notifies observers, and saves if autosave is on.", sandbox: .allowed,
      example: "(function() return Quake:count() end)"
    ) { call, context in
      try context.perform(call)
    },
    .method(
      "performAndWait", "context:performAndWait(function, ...) -> results", "The same as `perform`, which also waits.",
      sandbox: .allowed, example: "(function() return Quake:count() end)"
    ) { call, context in
      try context.perform(call)
    },
  ]

  private func perform(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    let function = try call.function(1)
    let stack = call.stack
    let top = stack.count
    stack.reserve(call.count + 4)
    for argument in function...max(function, call.index(call.count)) { stack.pushCopy(of: argument) }
    performDepth += 1
    do {
      defer { performDepth -= 1 }
      try stack.call(arguments: call.count - 1, results: LuaStack.allResults)
    }
    let results = stack.count - top
    if performDepth == 0, !isClosed {
      try engine.turns.run()
      try autosave()
    }
    return .pushed(results)
  }

  /// Saves if the context saves automatically and has changes.
  ///
  /// It does nothing during a save, whose hooks may call `perform`: the save includes their changes.
  func autosave() throws {
    if wantsAutosave { try objectContext.save() }
  }

  /// Whether it saves automatically, and has changes.
  var wantsAutosave: Bool { autosaves && !isClosed && !objectContext.isSaving && objectContext.hasChanges }
}
