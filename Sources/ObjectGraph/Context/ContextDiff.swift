internal import Modeling

/// The unsaved changes of a context as data.
public struct ContextDiff {
  /// Objects without a row yet.
  public var inserted: [ManagedObject] = []
  /// Objects with changed values, and what changed.
  public var updated: [(object: ManagedObject, changes: [PropertyChange])] = []
  /// Objects whose rows will be deleted.
  public var deleted: [ManagedObject] = []
}

extension ObjectContext {
  /// What the next save will write.
  public func diff() throws -> ContextDiff {
    var diff = ContextDiff(inserted: insertedObjects, deleted: deletedObjects)
    for object in updatedObjects { diff.updated.append((object, try object.changes())) }
    return diff
  }

  /// Every broken invariant of identity map, dirty flags, inverse relationships, undo steps and order keys, in words; for
  /// tests.
  public func checkInvariants() throws -> [String] {
    try allTables.flatMap { try $0.checkIndex() + $0.checkInverses() + $0.checkPendingKeys() } + checkUndo()
      + store.checkOrderKeys()
  }

  /// Checks that whatever a step leads to has a slot, and that what can come back is known.
  private func checkUndo() -> [String] {
    guard let undoManager else { return [] }
    return undoManager.allEntries.flatMap { entry -> [String] in
      let table = entry.table
      let slots: [Int32] =
        switch entry.step {
        case .insert(let first, let count): Array(first..<first + count)
        case .delete(let slot), .column(let slot, _, _, _), .transient(let slot, _, _, _),
          .reference(let slot, _, _, _):
          [slot]
        case .member(let step): [step.slot]
        case .arrangement(let step): [step.slot]
        }
      return slots.compactMap { slot in
        guard table.isUsed(slot) else {
          return "an undo step leads to slot \(slot) of \(table.root.name), which is free"
        }
        guard table.isGone(slot), table.graves[slot] == nil, case .delete = entry.step else { return nil }
        return "\(table.objectID(slot)) was deleted, and nothing is known of it to undo that"
      }
    }
  }
}

extension ObjectTable {
  /// Checks that both sides of each relationship in memory tell the same.
  func checkInverses() throws -> [String] {
    var problems: [String] = []
    for (key, state) in collections where !isGone(key.slot) && changes[key.slot]?.kind != .deleted {
      guard state.resolved != nil || state.isChanged, let inverse = entity(key.slot).inverse(at: key.property) else {
        continue
      }
      let table = destinationTable(key.slot, key.property)
      for member in try members(key.slot, key.property)
      where table.changes[member]?.kind != .deleted && !table.isGone(member) {
        let isToMany = table.entity(member).properties[inverse].relationship?.isToMany == true
        let leadsBack =
          try isToMany
          ? table.members(member, inverse).contains(key.slot) : table.reference(member, inverse) == key.slot
        if !leadsBack {
          problems.append("\(table.objectID(member)) is in \(objectID(key.slot)) but does not lead back")
        }
      }
    }
    return problems
  }
}
