internal import LuaRuntime
internal import ObjectGraph

// Undo and redo of unsaved changes.
extension BoundContext {
  /// The default number of undo groups in a context of a script.
  static let usualLevelsOfUndo = 100

  static let undoMembers: [Member<BoundContext>] = [
    .method(
      "undo", "context:undo() -> boolean",
      "Undoes the last group of changes: a line, a transaction or an explicit group; false if there is none.",
      sandbox: .allowed, example: "()"
    ) { call, context in
      try context.undo(call)
    },
    .method(
      "redo", "context:redo() -> boolean", "Redoes the changes that were undone last.", sandbox: .allowed, example: "()"
    ) {
      call, context in
      try context.redo(call)
    },
    .property("canUndo", "context.canUndo -> boolean", "Whether there are changes to undo.", sandbox: .allowed) {
      call, context in
      .boolean(context.objectContext.canUndo)
    },
    .property("canRedo", "context.canRedo -> boolean", "Whether there are changes to redo.", sandbox: .allowed) {
      call, context in
      .boolean(context.objectContext.canRedo)
    },
    .method(
      "undoGroup", "context:undoGroup(function) -> results",
      "Calls a function whose changes form one group to undo.", sandbox: .allowed,
      example: "(function() Quake:first().magnitude = 5 end)"
    ) { call, context in
      try context.undoGroup(call)
    },
    .method(
      "beginUndoGrouping", "context:beginUndoGrouping()", "Begins a group of changes to undo together.",
      sandbox: .allowed, example: "context:beginUndoGrouping() Quake:first().magnitude = 5 context:endUndoGrouping()"
    ) { call, context in
      try context.checkOpen(call.place)
      context.objectContext.beginUndoGrouping()
      return .nothing
    },
    .method(
      "endUndoGrouping", "context:endUndoGrouping()", "Ends the group begun last.", sandbox: .allowed,
      example: "context:beginUndoGrouping() Quake:first().magnitude = 5 context:endUndoGrouping()"
    ) { call, context in
      try context.checkOpen(call.place)
      guard context.objectContext.endUndoGrouping() else { throw call.fail("no group of changes is open") }
      return .nothing
    },
    .property(
      "levelsOfUndo", "context.levelsOfUndo = number",
      "The number of groups of changes kept for undo; 0 turns undo off.", sandbox: .allowed,
      get: { call, context in
        .integer(context.objectContext.levelsOfUndo)
      },
      set: { call, context in
        let levels = try call.integer(1, "a number from 0")
        guard levels >= 0 else { throw call.fail(.expected("a number from 0", found: "\(levels)")) }
        context.objectContext.levelsOfUndo = levels
      }),
  ]

  /// Undoes the last group of changes.
  func undo(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    return .boolean(try objectContext.undo())
  }

  /// Redoes the group of changes that was undone last.
  func redo(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    return .boolean(try objectContext.redo())
  }

  private func undoGroup(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    _ = try call.function(1)
    objectContext.beginUndoGrouping()
    defer { _ = objectContext.endUndoGrouping() }
    return try call.results(of: 1)
  }
}
