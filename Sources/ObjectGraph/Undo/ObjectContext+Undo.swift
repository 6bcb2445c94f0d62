internal import Modeling

extension ObjectContext {
  /// The maximum number of undo groups; with 0 nothing is recorded and `undo()` does nothing.
  public var levelsOfUndo: Int {
    get { undoManager?.levels ?? 0 }
    set {
      if undoManager == nil, newValue > 0 { undoManager = UndoManager() }
      undoManager?.levels = max(0, newValue)
      if newValue <= 0 { undoManager?.clear() }
    }
  }

  /// Whether there is a group to undo.
  public var canUndo: Bool { undoManager?.canUndo ?? false }
  /// Whether there is a group to redo.
  public var canRedo: Bool { undoManager?.canRedo ?? false }

  /// Ends the implicit undo group, unless an explicit one is open.
  public func closeUndoGroup() { undoManager?.closeGroup() }

  /// Begins an undo group that ends with `endUndoGrouping()`, an undo or a save.
  public func beginUndoGrouping() { undoManager?.beginGroup() }

  /// Ends the innermost explicit group; returns false if none is open.
  public func endUndoGrouping() -> Bool { undoManager?.endGroup() ?? false }

  /// Undoes the last group of changes; returns false if there is none.
  ///
  /// After a save the old state is restored as unsaved changes: values are set back, inserted objects deleted, and
  /// deleted objects inserted again under their keys.
  ///
  /// - Throws: GraphError.undoTooLarge if the last group had too many steps to be kept; StoreError.
  public func undo() throws -> Bool {
    guard let undoManager else { return false }
    guard let group = undoManager.takeUndo() else {
      if undoManager.hasOverflowed { throw GraphError(.undoTooLarge) }
      return false
    }
    try apply(group, isUndo: true)
    return true
  }

  /// Redoes the last undone group; returns false if there is none.
  ///
  /// - Throws: GraphError, StoreError.
  public func redo() throws -> Bool {
    guard let group = undoManager?.takeRedo() else { return false }
    try apply(group, isUndo: false)
    return true
  }

  /// Runs `body` without recording undo steps.
  func withoutRecording<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let undoManager else { return try body() }
    return try undoManager.suspended(body)
  }

  /// Applies all steps of a group, or none.
  private func apply(_ group: UndoGroup, isUndo: Bool) throws {
    guard let undoManager else { return }
    do { try take(group, isUndo: isUndo) } catch {
      undoManager.file(group, isUndone: !isUndo)
      throw error
    }
    var filed = group
    filed.stamp = isUndo ? store.stamp : nil
    undoManager.file(filed, isUndone: isUndo)
    if let onTakeBack { onTakeBack(isUndo ? .undone : .redone, WorkCounts(group)) }
  }

  /// Takes all steps of a group, or none; `check` says whether the result may stay.
  func take(_ group: UndoGroup, isUndo: Bool, check: () throws -> Void = {}) throws {
    guard let undoManager else { return }
    forgetPendingKeys()
    defer { forgetPendingKeys() }
    let before = PendingState(of: self)
    do {
      try undoManager.suspended {
        // Objects must be restored before references to them.
        let present = try presentRows(of: group)
        let found = try group.entries.flatMap { try bringBack($0, isUndo: isUndo != $0.isReversed, present) }
        for object in found { try object.table.agreeEverywhere(object.slot) }
        let isExact = group.epoch == undoManager.epoch
        let entries = group.entries
        for place in entries.indices {
          let entry = entries[isUndo ? entries.count - 1 - place : place]
          try entry.table.apply(entry.step, isUndo: isUndo != entry.isReversed, isExact: isExact)
        }
        // Until another connection writes, unsaved steps are undone and redone as they are.
        let isAlone =
          isExact && !hasStaleBases && parent == nil && (isUndo || group.stamp == store.stamp)
          && !group.entries.contains(where: \.isReversed)
        if !isAlone { for entry in group.entries { try agree(entry) } }
        try dropEmptyChanges(of: group, isAlone: isAlone)
        // An object whose changes were all undone has the references of the present row, and no longer those of its base.
        if hasStaleBases {
          forgetResolvedCollections()
          for entry in group.entries { try agree(entry) }
        }
        try check()
      }
    } catch {
      before.restore(in: self)
      throw error
    }
  }

  /// Restores the objects that a step removed; returns those restored from their `DeletedState`.
  private func bringBack(
    _ entry: UndoGroup.Entry, isUndo: Bool, _ present: Set<ObjectReference>
  ) throws -> [ObjectReference] {
    let slots: Range<Int32> =
      switch entry.step {
      case .delete(let slot, _) where isUndo: slot..<slot + 1
      case .insert(let first, let count) where !isUndo: first..<first + count
      default: 0..<0
      }
    return try slots.compactMap { slot in
      let reference = ObjectReference(table: entry.table, slot: slot)
      if try entry.table.appear(slot, isPresent: present.contains(reference)) { return reference }
      if case .insert = entry.step { try entry.table.returnToOwners(slot) }
      return nil
    }
  }

  /// Returns the objects of a group that are deleted here but whose rows exist again, by an undone save or a parent's
  /// undo.
  private func presentRows(of group: UndoGroup) throws -> Set<ObjectReference> {
    var present: Set<ObjectReference> = []
    var waiting: [ObjectIdentifier: (table: ObjectTable, slots: [Int64: Int32])] = [:]
    for entry in group.entries {
      let slots: Range<Int32> =
        switch entry.step {
        case .delete(let slot, _): slot..<slot + 1
        case .insert(let first, let count): first..<first + count
        default: 0..<0
        }
      for slot in slots where entry.table.isGone(slot) && entry.table.deletedStates[slot] != nil {
        if parent != nil {
          if try entry.table.existsInParent(slot) == true {
            present.insert(ObjectReference(table: entry.table, slot: slot))
          }
        } else if !entry.table.objectID(slot).isTemporary {
          waiting[ObjectIdentifier(entry.table), default: (entry.table, [:])].slots[entry.table.key(slot)] = slot
        }
      }
    }
    for (table, slots) in waiting.values {
      let cursor = try store.rows(of: table.root, keys: slots.keys.sorted())
      defer { cursor.close() }
      while try cursor.step() {
        if let slot = slots[cursor.key] { present.insert(ObjectReference(table: table, slot: slot)) }
      }
    }
    return present
  }

  /// Makes both sides of the relationships that a step changed agree. Other connections may have moved an object since, or
  /// deleted its destination; then only a step of one side is applied.
  private func agree(_ entry: UndoGroup.Entry) throws {
    let table = entry.table
    switch entry.step {
    case .reference(let slot, let property, let old, let new):
      try table.agree(slot, property, at: [old, new].filter { $0 >= 0 })
    case .member(let step):
      guard !table.isGone(step.slot),
        case .inverse(let back, _) = table.shape(step.slot).layout.properties[step.property]
      else { return }
      try table.destinationTable(step.slot, step.property).agree(step.member, back, at: [step.slot])
    case .column(let slot, let column, _, _):
      if let property = table.shape(slot).referenceAtColumn[column] { try table.agree(slot, property, at: []) }
    case .insert, .delete, .transient, .arrangement: break
    }
  }

  /// Removes the changes that equal the store's after a group was applied; `isAlone` says that no commit came between.
  private func dropEmptyChanges(of group: UndoGroup, isAlone: Bool) throws {
    // A to-many is compared as a whole, and has a step for each of its members.
    var compared: [ObjectIdentifier: Set<ObjectTable.CollectionKey>] = [:]
    func compare(_ table: ObjectTable, _ slot: Int32, _ property: Int) throws {
      let key = ObjectTable.CollectionKey(slot: slot, property: property)
      guard compared[ObjectIdentifier(table), default: []].insert(key).inserted else { return }
      try table.dropEmptyChanges(slot, property)
    }
    for entry in group.entries {
      switch entry.step {
      case .delete(let slot, _), .column(let slot, _, _, _), .reference(let slot, _, _, _):
        try entry.table.dropEmptyChange(slot)
      case .member, .arrangement, .insert, .transient: break
      }
    }
    // To-manys come behind the references of their members.
    for entry in group.entries {
      switch entry.step {
      case .member(let step):
        if !isAlone || step.place != nil { try compare(entry.table, step.slot, step.property) }
        try entry.table.dropEmptyChange(step.slot)
      case .arrangement(let step):
        if !isAlone { try compare(entry.table, step.slot, step.property) }
        try entry.table.dropEmptyChange(step.slot)
      case .delete, .column, .reference, .insert, .transient: break
      }
    }
  }

  /// Captures the objects that the save is about to delete, so that an undo can restore them.
  func statesOfDeleted(_ changed: [ObjectReference]) throws -> [(ObjectReference, DeletedState)] {
    guard let undoManager, undoManager.isRecording, !undoManager.isEmpty else { return [] }
    let deleted = changed.filter { $0.table.changes[$0.slot]?.kind == .deleted }
    for (table, references) in Dictionary(grouping: deleted, by: { ObjectIdentifier($0.table) }).values.map({
      ($0[0].table, $0)
    }) {
      let faults = references.filter { table.isFault($0.slot) && !table.objectID($0.slot).isTemporary }
      try table.fill(keys: faults.map { table.key($0.slot) })
    }
    return try deleted.compactMap { reference in
      guard let change = reference.table.changes[reference.slot],
        let deletedState = try reference.table.stateOfDeleted(reference.slot, change)
      else { return nil }
      return (reference, deletedState)
    }
  }
}
