internal import Modeling

extension ObjectContext {
  /// How many rounds of willSave calls are allowed before they count as endless.
  private static let mostWillSaveRounds = 1000
  /// How many consecutive saves the didSave hooks may make.
  private static let mostDidSaveRounds = 100

  /// Whether a save is under way.
  public var isSaving: Bool { progress.isSaving }

  /// Throws while a save is in progress, when changes can be neither saved nor discarded.
  ///
  /// - Throws: GraphError.saving.
  public func checkNotSaving() throws {
    if progress.isSaving { throw GraphError(.saving) }
  }

  /// Runs the hooks around `write`. If any of them throws, or if `isTrial` is true, nothing in memory changes.
  ///
  /// `rehearse` writes and takes it back.
  func withHooks(
    isTrial: Bool, rehearsing rehearse: ([ObjectReference]) throws -> Void = { _ in },
    _ write: ([ObjectReference]) throws -> Void
  ) throws {
    try checkNotSaving()
    let hasHooks = hooks.contextWillSave != nil || hooks.willSave != nil
    let mayChange = try hasHooks || !unsavedReferrersOfDeleted().isEmpty
    let before = mayChange ? PendingState(of: self) : nil
    let steps = mayChange ? undoManager?.mark() : nil
    if let before { openStates.append(before) }
    defer { if before != nil { openStates.removeLast() } }
    func putBack() {
      before?.restore(in: self)
      if let steps { undoManager?.restore(steps) }
    }
    var saved: SavedChanges?
    do {
      progress.isSaving = true
      defer { progress.isSaving = false }
      try tellWillSave()
      if mayChange {
        for (holder, property) in try unsavedReferrersOfDeleted() {
          try holder.table.writeReference(holder.slot, property, to: nil)
        }
      }
      let changed = changedReferences()
      try Validation(context: self, changed: changed).check()
      if hooks.didSave != nil || hooks.contextDidSave != nil {
        saved = SavedChanges(inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
      }
      let ended = isTrial ? nil : try hooks.willWrite? { try rehearse(changed) }
      do { try write(changed) } catch {
        ended?(error)
        throw error
      }
      ended?(nil)
    } catch {
      putBack()
      throw error
    }
    guard !isTrial else { return putBack() }
    progress.count += 1
    if let saved { try tellDidSave(saved) }
  }

  /// Calls willSave until it causes no further changes.
  private func tellWillSave() throws {
    try hooks.contextWillSave?()
    guard let willSave = hooks.willSave else { return }
    var told: [ObjectReference: Int32] = [:]
    var last: Entity?
    var calls = 0
    let mostCalls = progress.mostWillSaveCalls + 100 * changeCount
    for _ in 0..<Self.mostWillSaveRounds where calls <= mostCalls {
      let waiting = changedReferences().filter { reference in
        guard let changes = reference.table.changes[reference.slot], !changes.isVoid else { return false }
        return told[reference] != changes.version
      }
      if waiting.isEmpty { return }
      for reference in waiting {
        // An earlier call may have undone the change.
        guard let changes = reference.table.changes[reference.slot], !changes.isVoid else { continue }
        told[reference] = changes.version
        calls += 1
        last = reference.table.entity(reference.slot)
        try willSave(ManagedObject(table: reference.table, slot: reference.slot))
      }
    }
    throw GraphError(.endlessWillSave(entity: last?.name ?? "", calls: calls))
  }

  /// Calls the didSave hooks. Saves that the hooks make are reported afterwards.
  private func tellDidSave(_ saved: SavedChanges) throws {
    progress.untold.append(saved)
    guard !progress.isTelling else { return }
    progress.isTelling = true
    defer {
      progress.isTelling = false
      progress.untold = []
    }
    for _ in 0..<Self.mostDidSaveRounds {
      guard let next = progress.untold.first else { return }
      if let didSave = hooks.didSave { for object in next.all { didSave(object) } }
      hooks.contextDidSave?(next)
      progress.untold.removeFirst()
    }
    if !progress.untold.isEmpty { throw GraphError(.endlessDidSave(rounds: Self.mostDidSaveRounds)) }
  }

  /// Pins the slots of saved objects whose didSave hooks have not run yet.
  func pinUntold(into pinned: inout [ObjectIdentifier: Set<Int32>]) {
    for object in progress.untold.lazy.flatMap(\.all) {
      pinned[ObjectIdentifier(object.table), default: []].insert(object.slot)
    }
  }

  /// Calls prepareForDeletion once for an object that is about to be deleted.
  func prepareForDeletion(of table: ObjectTable, _ slot: Int32) throws {
    guard let prepare = hooks.prepareForDeletion else { return }
    let reference = ObjectReference(table: table, slot: slot)
    guard progress.deleting.insert(reference).inserted else { return }
    defer { progress.deleting.remove(reference) }
    try prepare(ManagedObject(table: table, slot: slot))
  }

  /// Removes an object whose initialisation failed, without calling its hooks.
  public func discard(_ object: ManagedObject) {
    let prepare = hooks.prepareForDeletion
    hooks.prepareForDeletion = nil
    defer { hooks.prepareForDeletion = prepare }
    try? object.delete()
  }
}
