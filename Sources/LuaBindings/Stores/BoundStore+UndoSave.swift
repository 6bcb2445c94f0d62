internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores

extension BoundStore {
  /// Undo and redo of saves.
  static let undoMembers: [Member<BoundStore>] = [
    .method(
      "undoSave", "store:undoSave() -> { inserted = , updated = , deleted = , links = , time = }",
      "Undoes the last save, batch request or SQL; fails if others have changed the same rows since.",
      sandbox: .allowed, example: "Quake:first().magnitude = 5 save() store:undoSave()"
    ) { call, store in
      try store.reverseSave(.undo, call)
    },
    .method(
      "redoSave", "store:redoSave() -> { inserted = , updated = , deleted = , links = , time = }",
      "Redoes the changes that `undoSave` undid.", sandbox: .allowed,
      example: "Quake:first().magnitude = 5 save() store:undoSave() store:redoSave()"
    ) { call, store in
      try store.reverseSave(.redo, call)
    },
  ]

  /// Undoes or redoes a save, for all contexts.
  func reverseSave(_ direction: SaveDirection, place: String) throws -> ReversedSave {
    try checkNotSaving()
    let save = try objectStore.saveToReverse(direction)
    for context in contexts { try context.objectContext.checkNoPendingChanges(to: save.objects) }
    try engine.checkApproved(place) { try $0.reversal(direction, save) }
    let result = try mainContext.objectContext.attributed { try objectStore.reverseSave(direction) }
    // Objects whose rows are gone stay what they are: a redo brings the rows back.
    refreshAllObjects()
    return result
  }

  private func reverseSave(_ direction: SaveDirection, _ call: Call) throws -> ReturnValue {
    try checkOpen(call)
    let result = try reverseSave(direction, place: call.place)
    return .record([
      ("inserted", .integer(result.inserted)), ("updated", .integer(result.updated)),
      ("deleted", .integer(result.deleted)), ("links", .integer(result.links)), ("time", .value(.date(result.time))),
    ])
  }
}
