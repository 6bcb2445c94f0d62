internal import Modeling
internal import Storage

extension ObjectContext {
  /// Writes all changes in one transaction, after every object was found valid; those of a child go to its parent.
  ///
  /// The hooks are called before and after it; what those before it change is written too.
  /// With `dryRun` everything is written and taken back, so that the store's own rules are tried too; the changes stay
  /// pending. Nothing is changed in the store or in memory if it throws. `author` is who the store's history says it
  /// was, for this one save.
  ///
  /// Rows that others changed meanwhile, and unique values that others have, are settled by the merge policy.
  ///
  /// - Throws: GraphError.invalid with every violation, GraphError.conflicts with every conflict, StoreError.
  public func save(dryRun: Bool = false, author: String? = nil) throws {
    guard allTables.contains(where: { !$0.changes.isEmpty }) else { return }
    // Within a transaction only what is wrong is told; what is right waits for its end.
    if transactionDepth > 0, !dryRun { return try withHooks(isTrial: true) { _ in } }
    try withHooks(isTrial: dryRun) { changed in try write(changed, dryRun: dryRun, author: author) }
  }

  /// Writes all changes, which were found valid.
  private func write(_ changed: [ObjectReference], dryRun: Bool, author: String?) throws {
    forgetPendingKeys()
    defer {
      forgetPendingKeys()
      parent?.forgetPendingKeys()
    }
    let graves = try gravesOfDeleted(changed)
    if let parent {
      try ChildSave(context: self, parent: parent, changed: changed).push(dryRun: dryRun)
      if !dryRun { endSave(changed, graves) }
      return
    }
    try attributed(to: author) {
      do {
        try write(changed, graves, dryRun: dryRun, findingDuplicates: false)
      } catch let error as StoreError {
        // Whose unique values they are is worth asking only when somebody has them.
        guard case .notUnique = error.fact else { throw error }
        try write(changed, graves, dryRun: dryRun, findingDuplicates: true)
      }
    }
  }

  private func write(
    _ changed: [ObjectReference], _ graves: [(ObjectReference, Grave)], dryRun: Bool, findingDuplicates: Bool
  ) throws {
    let resolver = ConflictResolver(self)
    do {
      let writer = try store.transaction {
        let areTouched = try withoutRecording { try resolver.resolve(findingDuplicates: findingDuplicates) }
        var writer = ChangeWriter(context: self, changed: areTouched ? changedReferences() : changed)
        writer.forgetNewKeys()
        try writer.write()
        resolver.noteWritten()
        if dryRun { throw DryRunEnd() }
        return writer
      }
      writer.settle(merged: resolver.merged)
      resolver.settle()
      if !automaticallyMergesChangesFromParent { keepValues(of: writer.changed) }
      endSave(changed, graves)
      noticeDerivedChanges(by: writer.changed)
    } catch {
      resolver.undo()
      // Whoever tries again after a conflict shall not see the same old rows.
      noticeForeignWrites()
      if !(error is DryRunEnd) { throw error }
    }
  }

  /// What remains to be done when the changes are where they belong.
  private func endSave(_ saved: [ObjectReference], _ graves: [(ObjectReference, Grave)]) {
    changeLog.removeAll(keepingCapacity: false)
    for (reference, grave) in graves where reference.table.isGone(reference.slot) {
      reference.table.graves[reference.slot] = grave
    }
    undoManager?.saved()
    for child in liveChildren {
      child.renewBases(of: saved)
      child.forgetRows()
    }
  }

  /// Thrown through a transaction to take it back.
  private struct DryRunEnd: Error {}
}
