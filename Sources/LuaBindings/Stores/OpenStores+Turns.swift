// What a turn asks of all stores.
extension OpenStores {
  /// Whether a save or a batch insert is running.
  var isWriting: Bool {
    all.contains { store in store.isInBatch || store.contexts.contains { $0.objectContext.isSaving } }
  }

  /// Whether a store owes a turn to what was written to it.
  var owesTurn: Bool {
    for store in all where store.owesTurn { return true }
    return false
  }

  /// Brings the objects of the stores that owe a turn up to date.
  func followWrites() {
    for store in all where store.owesTurn { store.followWrites() }
  }

  /// Marks all writes so far as followed.
  func noteWritesAsFollowed() {
    for store in all { store.noteWritesAsFollowed() }
  }

  /// Brings unchanged objects up to date with what others wrote.
  func noticeRemoteWrites() {
    for store in all { store.noticeRemoteWrites() }
  }

  /// Moves what commits have written into the files, where much of it waits.
  func checkpointIfNeeded() {
    for store in all { store.objectStore.checkpointIfNeeded() }
  }

  /// Closes the undo groups, so that later changes are undone separately.
  func closeUndoGroups() {
    for context in contexts { context.objectContext.closeUndoGroup() }
  }
}
