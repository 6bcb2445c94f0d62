internal import Modeling

// Recording. These are called wherever the graph changes.
extension ObjectTable {
  /// Returns the undo manager if a change of the slot's values must be recorded.
  ///
  /// Changes of an object in the group that inserted it are undone with the insertion.
  func recorder(of slot: Int32) -> UndoManager? {
    recorder == nil ? nil : recorder(of: changes[slot])
  }

  /// The undo manager, if it records changes of an object with these unsaved changes.
  func recorder(of changes: UnsavedChanges?) -> UndoManager? {
    guard let undo = recorder, changes?.birth != undo.serial else { return nil }
    return undo
  }

  /// The undo manager, if it records.
  var recorder: UndoManager? {
    guard let undo = context.undoManager, undo.isRecording else { return nil }
    return undo
  }

  /// Sets a member's state in the unsaved changes of a to-many, on this side only.
  func noteMember(_ slot: Int32, _ index: Int, _ member: Int32, isMember: Bool) throws {
    let state = collection(slot, index)
    if let undo = recorder {
      var place: Int?
      if !isMember, entity(slot).properties[index].relationship?.isOrdered == true, !isGone(slot) {
        place = try members(slot, index).firstIndex(of: member)
      }
      let previous = state.overrides[member]
      let addition = place == nil || previous != true ? nil : state.additions.lastIndex(of: member)
      let step = MemberStep(
        slot: slot, property: index, member: member, isMember: isMember, previous: previous, place: place,
        addition: addition)
      undo.record(self, .member(step))
    }
    if isMember, state.overrides[member] == false, state.arrangement == nil,
      entity(slot).properties[index].relationship?.isOrdered == true
    {
      // A member that is removed and added again comes last.
      state.arrangement = try members(slot, index)
    }
    state.set(member, isMember: isMember)
    context.membershipSerial += 1
  }

  /// Sets the order of an ordered to-many, on this side only.
  func noteArrangement(_ slot: Int32, _ index: Int, from old: [Int32], to new: [Int32]) {
    let state = collection(slot, index)
    if let undo = recorder {
      let step = ArrangementStep(
        slot: slot, property: index, old: old, wasChanged: state.arrangement != nil, new: new)
      undo.record(self, .arrangement(step))
    }
    state.arrangement = new
    state.resolved = new
    context.membershipSerial += 1
  }
}

// Undo and redo of steps.
extension ObjectTable {
  /// Removes an object without applying its delete rules, whose effects are steps of their own.
  func vanish(_ slot: Int32, wasMade: Bool) throws {
    guard try !isGone(slot) && !isLost(slot) else { return }
    if wasMade, let change = changes[slot], change.kind == .inserted {
      deletedStates[slot] = deletedState(ofInserted: slot, change.columns)
      for key in collectionKeys(of: slot) { collections[key] = nil }
      return markGone(slot)
    }
    let change = change(slot, .deleted)
    change.wasInserted = change.wasInserted || change.kind == .inserted
    change.kind = .deleted
    if wasMade { try leaveOwners(slot) }
  }

  /// Removes an object whose insertion was undone from collections that would otherwise still contain it.
  private func leaveOwners(_ slot: Int32) throws {
    for index in entity(slot).properties.indices {
      guard !isTransient(slot, index), let inverse = entity(slot).inverse(at: index) else { continue }
      let owners = destinationTable(slot, index)
      for owner in try destinations(slot, index) where !owners.isGone(owner) && owners.changes[owner]?.kind != .deleted
      {
        guard owners.entity(owner).properties[inverse].relationship?.isToMany == true else { continue }
        owners.collection(owner, inverse).set(slot, isMember: false)
      }
    }
  }

  /// Reverts `leaveOwners`.
  func returnToOwners(_ slot: Int32) throws {
    guard try !isGone(slot) && !isLost(slot) else { return }
    for index in entity(slot).properties.indices {
      guard let inverse = entity(slot).inverse(at: index) else { continue }
      let owners = destinationTable(slot, index)
      for owner in try destinations(slot, index) where !owners.isGone(owner) {
        guard let state = owners.collections[CollectionKey(slot: owner, property: inverse)],
          state.overrides[slot] == false
        else { continue }
        state.forget(slot)
      }
    }
  }

  /// Restores an object that was deleted or whose insertion was undone; returns true if it comes from its `DeletedState`, so
  /// that its owners must be updated.
  ///
  /// If others have restored the row, the object takes its values; if another slot is registered for the row, or has
  /// unsaved changes under its key, that slot stands for the object.
  @discardableResult
  func appear(_ slot: Int32, isPresent: Bool = false) throws -> Bool {
    if let change = changes[slot] {
      guard change.kind == .deleted else { return false }
      change.kind = change.wasInserted ? .inserted : .updated
      change.wasInserted = false
      return false
    }
    guard isGone(slot), deletedStates[slot] != nil else { return false }
    if let other = self.slot(of: key(slot)) {
      if isPresent || isDirty(other) { return false }
      // It was read while others had restored the row, which is gone again.
      markGone(other)
    }
    if isPresent {
      reregister(slot)
      for key in collectionKeys(of: slot) { collections[key] = nil }
      return false
    }
    guard let deletedState = deletedStates.removeValue(forKey: slot) else { return false }
    reregister(slot)
    changes.set(
      slot, UnsavedChanges.Record(.inserted, columns: deletedState.columns, order: context.logChange(self, slot)))
    setDirty(slot, true)
    transients[slot] = deletedState.transients
    for (key, state) in deletedState.collections where collections[key] == nil { collections[key] = state }
    for (property, target) in deletedState.references { try writeReference(slot, property, to: target) }
    return true
  }

  /// Captures an unsaved object with its to-manys.
  private func deletedState(ofInserted slot: Int32, _ columns: ChangedColumns) -> DeletedState {
    var deletedState = DeletedState(columns: columns, transients: transients[slot])
    for key in collectionKeys(of: slot) { deletedState.collections[key] = collections[key] }
    noteReferences(slot, in: &deletedState)
    return deletedState
  }

  /// Captures an object before its row is deleted; nil if the row is already gone.
  func stateOfDeleted(_ slot: Int32, _ change: UnsavedChanges) throws -> DeletedState? {
    var columns = change.columns
    if !change.wasInserted {
      if context.parent != nil {
        guard try existsInParent(slot) == true else { return nil }
      } else {
        if isFault(slot) { try fill(slot) }
        if isFault(slot) { return nil }
      }
      for (column, layout) in shape(slot).layout.columns.enumerated() where columns[column] == nil {
        columns[column] = layout.isWritable ? decoded(try storedColumn(slot, column), slot, column) : .null
      }
    }
    var deletedState = DeletedState(columns: columns, transients: transients[slot])
    noteReferences(slot, in: &deletedState)
    return deletedState
  }

  /// Records targets without a row by their slots, because their keys will change.
  private func noteReferences(_ slot: Int32, in deletedState: inout DeletedState) {
    for (column, value) in deletedState.columns {
      guard case .object(let id) = value, let property = shape(slot).referenceAtColumn[column],
        let target = destinationTable(slot, property).slot(of: id.key)
      else { continue }
      deletedState.references.append((property, target))
    }
  }

  private func collectionKeys(of slot: Int32) -> [CollectionKey] {
    entity(slot).properties.indices.map { CollectionKey(slot: slot, property: $0) }.filter { collections[$0] != nil }
  }

  /// Undoes or redoes a step; `isExact` says that nothing was saved since it was recorded.
  func apply(_ step: UndoStep, isUndo: Bool, isExact: Bool) throws {
    context.membershipSerial += 1
    switch step {
    case .insert(let first, let count):
      guard isUndo else { return }
      for slot in (first..<first + count).reversed() { try vanish(slot, wasMade: true) }
    case .delete(let slot, let cause):
      guard !isUndo else { return }
      try vanish(slot, wasMade: false)
      changes[slot]?.cause = cause
    case .column(let slot, let column, let old, let new):
      guard try canChange(slot) else { return }
      try setColumn(slot, column, isUndo ? old : new)
    case .transient(let slot, let property, let old, let new):
      guard try canChange(slot) else { return }
      transients[slot, default: [:]][property] = isUndo ? old : new
    case .reference(let slot, let property, let old, let new):
      guard try canChange(slot) else { return }
      let target = isUndo ? old : new
      let before = try knownReference(slot, property)
      try writeReference(slot, property, to: target < 0 ? nil : target)
      // Others may have moved the object to an owner of which no step of the group knows.
      if let before, before != (isUndo ? new : old) { try agree(slot, property, at: [before]) }
    case .member(let step): try apply(step, isUndo: isUndo, isExact: isExact)
    case .arrangement(let step): try apply(step, isUndo: isUndo, isExact: isExact)
    }
  }

  private func canChange(_ slot: Int32) throws -> Bool {
    try !isGone(slot) && changes[slot]?.kind != .deleted && !isLost(slot)
  }

  private func apply(_ step: MemberStep, isUndo: Bool, isExact: Bool) throws {
    let others = destinationTable(step.slot, step.property)
    guard !isGone(step.slot), !others.isGone(step.member) else { return }
    if try isLost(step.slot) || others.isLost(step.member) {
      // The parent may restore the object: then neither side may hold what the other one does not.
      guard let state = collections[CollectionKey(slot: step.slot, property: step.property)] else { return }
      guard isUndo, isExact else { return state.forget(step.member) }
      return state.takeBack(step)
    }
    let state = collection(step.slot, step.property)
    // That a member is deleted changes no other object.
    if case .join = shape(step.slot).layout.properties[step.property], others.changes[step.member]?.kind != .deleted {
      change(step.slot, .updated)
    }
    if isUndo, isExact {
      return state.takeBack(step)
    }
    state.set(step.member, isMember: isUndo != step.isMember)
    guard isUndo, !step.isMember, let place = step.place, var members = try? members(step.slot, step.property) else {
      return
    }
    members.removeLatest(step.member)
    members.insert(step.member, at: min(place, members.count))
    change(step.slot, .updated)
    state.arrangement = members
    state.resolved = members
  }

  private func apply(_ step: ArrangementStep, isUndo: Bool, isExact: Bool) throws {
    guard try canChange(step.slot) else { return }
    change(step.slot, .updated)
    let state = collection(step.slot, step.property)
    if isUndo, isExact, !step.wasChanged {
      state.arrangement = nil
    } else {
      let present = Set(try members(step.slot, step.property))
      let wanted = isUndo ? step.old : step.new
      let known = Set(wanted)
      // Members added since by other means are kept, at the end.
      state.arrangement = wanted.filter(present.contains) + (state.resolved ?? []).filter { !known.contains($0) }
    }
    state.resolved = nil
  }

  /// Removes the unsaved changes of a to-many if it equals the store's.
  func dropEmptyChanges(_ slot: Int32, _ index: Int) throws {
    let key = CollectionKey(slot: slot, property: index)
    guard try !isGone(slot) && !isLost(slot), let state = collections[key], state.isChanged else { return }
    let committed = try committedMembers(slot, index)
    let present = Set(committed)
    for (member, isMember) in state.overrides where present.contains(member) == isMember {
      // A link that is still to be saved brings the member its place.
      if try isMember && leadsHereByChange(member, slot, index) { continue }
      state.overrides[member] = nil
      if isMember { state.additions.removeLatest(member) }
    }
    if state.overrides.isEmpty, state.arrangement == committed { state.arrangement = nil }
    state.resolved = nil
  }

  /// Whether a member of the to-many at `index` leads to its owner by an unsaved change.
  private func leadsHereByChange(_ member: Int32, _ slot: Int32, _ index: Int) throws -> Bool {
    guard case .inverse(let back, _) = shape(slot).layout.properties[index] else { return false }
    let members = destinationTable(slot, index)
    guard let change = members.changes[member], change.kind == .updated,
      case .reference(let columns, _) = members.shape(member).layout.properties[back],
      change.columns.containsAny(of: columns)
    else { return false }
    return try members.knownReference(member, back) == slot
  }

  /// Removes a change whose value equals the store's.
  func dropEmptyChange(_ slot: Int32) throws {
    guard !isGone(slot), let change = changes[slot], change.kind == .updated else { return }
    if try isLost(slot) {
      changes.remove(slot)
      return setDirty(slot, false)
    }
    for (column, value) in change.columns
    where decoded(try storedColumn(slot, column), slot, column) == value {
      change.columns[column] = nil
    }
    guard change.columns.isEmpty else { return }
    let isEmpty = collectionKeys(of: slot).allSatisfy { key in
      guard let state = collections[key], state.isChanged else { return true }
      if case .join = shape(slot).layout.properties[key.property] { return false }
      return state.arrangement == nil
    }
    guard isEmpty else { return }
    changes.remove(slot)
    becomeClean(slot)
  }
}
