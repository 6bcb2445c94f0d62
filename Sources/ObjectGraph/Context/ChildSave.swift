internal import Modeling

/// Carries the changes of a child context to its parent, where they are unsaved changes like any other.
struct ChildSave {
  let context: ObjectContext
  let parent: ObjectContext
  let changed: [ObjectReference]

  /// Carries everything over as one group to be taken back, or nothing.
  func push(dryRun: Bool) throws {
    let before = PendingState(of: parent)
    let steps = parent.undoManager?.snapshot()
    do {
      try pushAll()
      if dryRun { try parent.save(dryRun: true) }
    } catch {
      before.restore(in: parent)
      if let steps { parent.undoManager?.restore(steps) }
      throw error
    }
    if dryRun {
      before.restore(in: parent)
      if let steps { parent.undoManager?.restore(steps) }
    } else {
      parent.undoManager?.closeGroup()
      settle()
    }
  }

  private func pushAll() throws {
    let living = changed.filter { kind($0) != .deleted }
    // As they are here: what goes to the parent first is seen here at once.
    let orders = try arrangements()
    for reference in living where kind(reference) == .inserted { try makeInParent(reference) }
    let untouched = changed.filter { reference in
      knownPlace(reference).map { $0.0.changes[$0.1] == nil } ?? false
    }
    for reference in living { try pushAttributes(reference) }
    for reference in living { try pushReferences(reference) }
    for table in context.allTables {
      for (key, state) in table.collections where state.isChanged && !table.isGone(key.slot) {
        guard table.changes[key.slot]?.kind != .deleted else { continue }
        try pushMembers(table, key, state)
      }
    }
    for (table, key, members) in orders { try pushOrder(table, key, members) }
    for reference in changed where kind(reference) == .deleted && !wasInserted(reference) {
      // What is gone there, too, is what was wanted.
      guard let (table, slot) = knownPlace(reference) else { continue }
      if !table.isGone(slot) { try table.delete(slot) }
    }
    for reference in untouched { pushBase(reference) }
  }

  private func kind(_ reference: ObjectReference) -> ObjectChanges.Kind? {
    reference.table.changes[reference.slot]?.kind
  }

  private func wasInserted(_ reference: ObjectReference) -> Bool {
    reference.table.changes[reference.slot]?.wasInserted == true
  }

  /// Where the parent keeps the object.
  ///
  /// - Throws: GraphError.deletedObject for one without a row whose making the parent took back.
  private func parentPlace(_ reference: ObjectReference) throws -> (ObjectTable, Int32) {
    guard let place = knownPlace(reference) else { throw reference.table.missing(reference.slot) }
    return place
  }

  /// Where the parent keeps the object; nil for one without a row that is gone there.
  private func knownPlace(_ reference: ObjectReference) -> (ObjectTable, Int32)? {
    let id = reference.table.objectID(reference.slot)
    let table = parent.table(for: id.entity)
    if id.isTemporary { return table.slotOfUnsaved(id).map { (table, $0) } }
    return (table, table.register(id.key, id.entity))
  }

  private func makeInParent(_ reference: ObjectReference) throws {
    let id = reference.table.objectID(reference.slot)
    let table = parent.table(for: id.entity)
    // It may be one that was deleted there too, and is back.
    guard let slot = table.slot(of: id.key) else { return table.insert(table.add(id.key, id.entity)) }
    guard table.changes[slot]?.kind == .deleted else { return table.insert(slot) }
    try table.appear(slot)
    try table.joinOwners(slot)
  }

  /// Lets the parent's changes be based on the rows that the child's were, so that what others wrote since is found.
  private func pushBase(_ reference: ObjectReference) {
    guard let base = reference.table.changes[reference.slot]?.base, let (table, slot) = knownPlace(reference),
      let changes = table.changes[slot]
    else { return }
    if table.isChild {
      changes.base = base
    } else if table.row(slot)?.isEqual(to: base.row) != true {
      table.exchangeRow(slot, base.row.copy())?.free()
      parent.hasStaleBases = true
    }
  }

  private func pushAttributes(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let (table, slot) = try parentPlace(reference)
    let shape = table.shape(slot)
    for (column, value) in changes.columns.enumerated() where !shape.isReferenceColumn[column] {
      if let value { try table.setColumn(slot, column, value) }
    }
    for (index, value) in reference.table.transients[reference.slot] ?? [:] {
      try table.setAttribute(slot, index, value)
    }
  }

  private func pushReferences(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let (table, slot) = try parentPlace(reference)
    let shape = table.shape(slot)
    for (index, layout) in shape.layout.properties.enumerated() {
      guard case .reference(let columns, _) = layout, columns.contains(where: { changes.columns[$0] != nil }) else {
        continue
      }
      let target = try reference.table.knownReference(reference.slot, index)
      let others = reference.table.destinationTable(reference.slot, index)
      let place = try target.map { try parentPlace(ObjectReference(table: others, slot: $0)).1 }
      try table.setReference(slot, index, to: place)
    }
  }

  private func pushMembers(_ table: ObjectTable, _ key: ObjectTable.CollectionKey, _ state: CollectionState) throws {
    let (owners, owner) = try parentPlace(ObjectReference(table: table, slot: key.slot))
    let members = table.destinationTable(key.slot, key.property)
    if case .join = table.shape(key.slot).layout.properties[key.property] {
      for (member, isMember) in state.overrides where !isMember && !members.isGone(member) {
        guard let (_, place) = knownPlace(ObjectReference(table: members, slot: member)) else { continue }
        try owners.setMember(owner, key.property, place, isMember: false)
      }
      for member in state.additions where members.changes[member]?.kind != .deleted {
        try owners.setMember(
          owner, key.property, try parentPlace(ObjectReference(table: members, slot: member)).1, isMember: true)
      }
    }
  }

  /// The members of each ordered relationship that was changed.
  private func arrangements() throws -> [(ObjectTable, ObjectTable.CollectionKey, [Int32])] {
    var found: [(ObjectTable, ObjectTable.CollectionKey, [Int32])] = []
    for table in context.allTables {
      for (key, state) in table.collections where state.isChanged && !table.isGone(key.slot) {
        guard table.changes[key.slot]?.kind != .deleted,
          table.entity(key.slot).properties[key.property].relationship?.isOrdered == true
        else { continue }
        found.append((table, key, try table.members(key.slot, key.property)))
      }
    }
    return found
  }

  private func pushOrder(_ table: ObjectTable, _ key: ObjectTable.CollectionKey, _ members: [Int32]) throws {
    let (owners, owner) = try parentPlace(ObjectReference(table: table, slot: key.slot))
    let others = table.destinationTable(key.slot, key.property)
    let living = members.filter { others.changes[$0]?.kind != .deleted && !others.isGone($0) }
    try owners.setMembers(
      owner, key.property, try living.map { try parentPlace(ObjectReference(table: others, slot: $0)).1 })
  }

  /// Lets the child's objects follow: their state in the parent is what they are now.
  private func settle() {
    for reference in changed {
      guard let changes = reference.table.changes[reference.slot] else { continue }
      context.noteSettled(reference.table, reference.slot, changes)
      if changes.kind == .deleted {
        reference.table.bury(reference.slot)
        continue
      }
      reference.table.changes[reference.slot] = nil
      reference.table.setDirty(reference.slot, false)
      reference.table.transients[reference.slot] = nil
      reference.table.dropRow(reference.slot)
    }
    for table in context.allTables {
      table.collections = table.collections.filter { !$0.value.isChanged }
      for state in table.collections.values { state.resolved = nil }
    }
  }
}
