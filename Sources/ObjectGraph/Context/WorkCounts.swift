/// How many objects were inserted, updated and deleted.
public struct WorkCounts: Equatable {
  /// Objects that have a row now, or will have one.
  public private(set) var inserted = 0
  /// Objects whose rows were changed.
  public private(set) var updated = 0
  /// Objects whose rows were deleted.
  public private(set) var deleted = 0

  /// Counts that are all zero.
  public init() {}

  /// Counts of deletions.
  public init(deleted: Int) { self.deleted = deleted }

  /// Counts of updates.
  public init(updated: Int) { self.updated = updated }

  /// Counts objects that are about to be written; one that was made and deleted since the last save is not.
  init(_ changed: [ObjectReference]) {
    for reference in changed { add(reference) }
  }

  /// Counts the objects of an undo group by what was done to them, each once.
  init(_ group: UndoGroup) {
    var kinds: [ObjectReference: UnsavedChanges.Kind] = [:]
    for entry in group.entries {
      func note(_ slot: Int32, _ kind: UnsavedChanges.Kind) {
        let reference = ObjectReference(table: entry.table, slot: slot)
        if kinds[reference] == nil || kind != .updated { kinds[reference] = kind }
      }
      switch entry.step {
      case .insert(let first, let count): for slot in first..<first + count { note(slot, .inserted) }
      case .delete(let slot, _): note(slot, .deleted)
      case .column(let slot, _, _, _), .transient(let slot, _, _, _), .reference(let slot, _, _, _):
        note(slot, .updated)
      case .member(let step): note(step.slot, .updated)
      case .arrangement(let step): note(step.slot, .updated)
      }
    }
    for kind in kinds.values { add(kind) }
  }

  /// Whether nothing was written.
  public var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

  /// Adds other work.
  public mutating func add(_ other: WorkCounts) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }

  mutating func add(_ reference: ObjectReference) {
    guard let changes = reference.table.changes[reference.slot] else { return }
    if changes.kind != .deleted || !changes.wasInserted { add(changes.kind) }
  }

  private mutating func add(_ kind: UnsavedChanges.Kind) {
    switch kind {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .deleted: deleted += 1
    }
  }
}
