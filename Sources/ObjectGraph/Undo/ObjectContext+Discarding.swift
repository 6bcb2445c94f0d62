internal import Modeling

// The deletion of one object is discarded by reversing its steps, out of their order.
extension ObjectContext {
  /// Discards an unsaved deletion as one step of undo: the object comes back with those that its delete rules deleted, and all
  /// that led to them does so again, unless it leads elsewhere now.
  ///
  /// An object that a delete rule deleted comes back with the one whose deletion was the cause.
  ///
  /// - Throws: GraphError.forgottenDeletion, .relatedDeletion or .saving; StoreError. Nothing is changed then.
  func discardDeletion(of object: ObjectReference) throws {
    try checkNotSaving()
    var root = object
    while let cause = root.table.changes[root.slot]?.cause, isBeingDeleted(cause) { root = cause }
    let kept = stepsOfDeletion(of: root)
    guard let undoManager, !kept.deleted.isEmpty else {
      throw GraphError(.forgottenDeletion(object.table.objectID(object.slot).description))
    }
    let entries = try kept.entries.filter { try isToBeReversed($0, with: kept.deleted) }
    let reversed = entries.reversed().map { UndoGroup.Entry(table: $0.table, step: $0.step, isReversed: true) }
    try take(UndoGroup(entries: UndoEntries(reversed), epoch: undoManager.epoch), isUndo: false) {
      for object in kept.deleted { try checkTargets(of: object) }
    }
    for entry in reversed { undoManager.record(entry) }
  }

  /// The steps of the last deletion of an object: it and those deleted with it, and where these were removed from.
  private func stepsOfDeletion(of root: ObjectReference) -> (deleted: Set<ObjectReference>, entries: [UndoGroup.Entry])
  {
    var deleted: Set<ObjectReference> = []
    var entries: [UndoGroup.Entry] = []
    guard let undoManager else { return (deleted, entries) }
    for entry in undoManager.recordedEntries {
      switch entry.step {
      case .delete(let slot, let cause):
        let object = ObjectReference(table: entry.table, slot: slot)
        // An earlier deletion, or one that was discarded.
        if object == root { (deleted, entries) = ([], []) }
        guard !entry.isReversed, object == root || cause.map(deleted.contains) == true else { continue }
        deleted.insert(object)
      case .reference(let slot, let property, let old, let new):
        guard !entry.isReversed, new < 0, old >= 0, deleted.contains(entry.table.destination(slot, property, old))
        else { continue }
      case .member(let step):
        guard !entry.isReversed, !step.isMember,
          deleted.contains(entry.table.destination(step.slot, step.property, step.member))
            || deleted.contains(ObjectReference(table: entry.table, slot: step.slot))
        else { continue }
      case .insert, .column, .transient, .arrangement: continue
      }
      entries.append(entry)
    }
    return (deleted, entries)
  }

  /// Whether a step of a deletion is reversed with it; a to-one that leads elsewhere now stays as it is.
  private func isToBeReversed(_ entry: UndoGroup.Entry, with deleted: Set<ObjectReference>) throws -> Bool {
    let ends: [ObjectReference]
    switch entry.step {
    case .reference(let slot, let property, let old, _):
      ends = [ObjectReference(table: entry.table, slot: slot), entry.table.destination(slot, property, old)]
    case .member(let step):
      ends = [
        ObjectReference(table: entry.table, slot: step.slot),
        entry.table.destination(step.slot, step.property, step.member),
      ]
    default: return true
    }
    if let other = ends.first(where: { isBeingDeleted($0) && !deleted.contains($0) }) {
      throw relatedDeletion(of: ends[0] == other ? ends[1] : ends[0], other)
    }
    guard case .reference(let slot, let property, _, _) = entry.step, !deleted.contains(ends[0]),
      !entry.table.isGone(slot)
    else { return true }
    return try entry.table.knownReference(slot, property) == nil
  }

  /// Throws if an object leads to one whose deletion is still to be saved.
  private func checkTargets(of object: ObjectReference) throws {
    let (table, slot) = (object.table, object.slot)
    for index in table.entity(slot).properties.indices where table.entity(slot).inverse(at: index) != nil {
      let others = table.destinationTable(slot, index)
      guard !table.isTransient(slot, index), !others.changes.isEmpty else { continue }
      if case .inverse = table.shape(slot).layout.properties[index] { continue }
      for other in try table.destinations(slot, index) where others.changes[other]?.kind == .deleted {
        throw relatedDeletion(of: object, ObjectReference(table: others, slot: other))
      }
    }
  }

  private func isBeingDeleted(_ object: ObjectReference) -> Bool { object.table.changes[object.slot]?.kind == .deleted }

  private func relatedDeletion(of object: ObjectReference, _ other: ObjectReference) -> GraphError {
    GraphError(
      .relatedDeletion(
        object.table.objectID(object.slot).description, other: other.table.objectID(other.slot).description))
  }
}

extension ObjectTable {
  /// The object at the other end of a relationship.
  fileprivate func destination(_ slot: Int32, _ index: Int, _ other: Int32) -> ObjectReference {
    ObjectReference(table: destinationTable(slot, index), slot: other)
  }
}
