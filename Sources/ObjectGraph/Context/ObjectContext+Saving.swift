internal import Modeling
internal import Stores

extension ObjectContext {
  /// Validates and saves all changes in one transaction. A child context saves into its parent.
  ///
  /// Hooks run before and after; changes that the hooks before it make are saved, too. With `dryRun` everything is
  /// written and rolled back, which also tests the store's own constraints; the changes stay pending. If it throws,
  /// nothing in the store or in memory has changed. `author` is the transaction's author in the store's history.
  ///
  /// The merge policy resolves conflicts with rows that others changed and with unique values that are already in use.
  ///
  /// - Throws: GraphError.invalid with every violation, GraphError.conflicts with every conflict, StoreError.
  public func save(dryRun: Bool = false, author: String? = nil) throws {
    // An argument of an optional call is not evaluated where there is nothing to call.
    let saved = try saveChanges(dryRun: dryRun, author: author)
    onSave?(saved)
  }

  private func saveChanges(dryRun: Bool, author: String?) throws -> WorkCounts {
    var counts = WorkCounts()
    guard allTables.contains(where: { !$0.changes.isEmpty }) else { return counts }
    // Within a transaction a save only validates; the write happens at the transaction's end.
    if transactionDepth > 0, !dryRun {
      try withHooks(isTrial: true) { _ in }
      return counts
    }
    func rehearse(_ changed: [ObjectReference]) throws { try write(changed, dryRun: true, author: author) }
    try withHooks(isTrial: dryRun, rehearsing: rehearse) { changed in
      let written = WorkCounts(changed)
      try write(changed, dryRun: dryRun, author: author)
      if !dryRun { counts.add(written) }
    }
    return counts
  }

  /// Writes all changes, which have been validated.
  private func write(_ changed: [ObjectReference], dryRun: Bool, author: String?) throws {
    forgetPendingKeys()
    defer {
      forgetPendingKeys()
      parent?.forgetPendingKeys()
    }
    let deletedStates = try statesOfDeleted(changed)
    if let parent {
      try ChildSave(context: self, parent: parent, changed: changed).push(dryRun: dryRun)
      if !dryRun { endSave(changed, deletedStates) }
      return
    }
    try attributed(to: author) {
      do {
        try store.retrying { try write(changed, deletedStates, dryRun: dryRun, findingDuplicates: false) }
      } catch let error as StoreError {
        // Duplicates are looked up only after a constraint has failed.
        guard case .notUnique = error.fact else { throw error }
        try store.retrying { try write(changed, deletedStates, dryRun: dryRun, findingDuplicates: true) }
      }
    }
  }

  private func write(
    _ changed: [ObjectReference], _ deletedStates: [(ObjectReference, DeletedState)], dryRun: Bool,
    findingDuplicates: Bool
  ) throws {
    let resolver = ConflictResolver(self)
    do {
      let writer = try store.transaction {
        let areTouched = try withoutRecording { try resolver.resolve(findingDuplicates: findingDuplicates) }
        var writer = ChangeWriter(context: self, changed: areTouched ? changedReferences() : changed)
        try writer.write()
        resolver.noteWritten()
        if dryRun { throw DryRunEnd() }
        return writer
      }
      writer.settle(merged: resolver.merged)
      resolver.settle()
      if !automaticallyMergesChangesFromParent { keepValues(of: writer.changed) }
      endSave(changed, deletedStates)
      noticeDerivedChanges(by: writer.changed)
    } catch {
      resolver.undo()
      // A second attempt after a conflict must see the new rows.
      noticeRemoteWrites()
      if !(error is DryRunEnd) { throw error }
    }
  }

  /// Completes a save after the changes have been written.
  private func endSave(_ saved: [ObjectReference], _ deletedStates: [(ObjectReference, DeletedState)]) {
    changeLog.removeAll(keepingCapacity: false)
    for (reference, deletedState) in deletedStates where reference.table.isGone(reference.slot) {
      reference.table.deletedStates[reference.slot] = deletedState
    }
    undoManager?.saved()
    for child in liveChildren {
      child.renewBases(of: saved)
      child.forgetRows()
    }
  }

  /// Thrown to roll a transaction back at the end of a dry run.
  private struct DryRunEnd: Error {}

  /// Removes deleted objects from all transient relationships, because other rows may reuse their keys.
  func forgetTransientTargets(_ deleted: [ObjectReference]) {
    guard !deleted.isEmpty else { return }
    for child in liveChildren { child.forgetTransientTargets(deleted) }
    guard holdsTransientTargets else { return }
    var gone: [ObjectIdentifier: Set<Int64>] = [:]
    for reference in deleted {
      gone[ObjectIdentifier(reference.table.root), default: []].insert(reference.table.key(reference.slot))
    }
    for table in allTables { table.forgetTransientTargets(gone) }
  }
}
