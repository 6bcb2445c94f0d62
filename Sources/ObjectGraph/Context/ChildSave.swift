internal import Modeling
internal import Stores

/// Copies a child context's changes to its parent, where they become unsaved changes.
struct ChildSave {
  let context: ObjectContext
  let parent: ObjectContext
  let changed: [ObjectReference]

  /// Copies all changes as one undo group, or none of them.
  func push(dryRun: Bool) throws {
    let before = PendingState(of: parent)
    let steps = parent.undoManager?.snapshot()
    var rows = ExchangedRows()
    do {
      try pushAll(&rows)
      if dryRun { try parent.save(dryRun: true) }
    } catch {
      rows.putBack()
      before.restore(in: parent)
      if let steps { parent.undoManager?.restore(steps) }
      throw error
    }
    if dryRun {
      rows.putBack()
      before.restore(in: parent)
      if let steps { parent.undoManager?.restore(steps) }
    } else {
      rows.free()
      parent.undoManager?.closeGroup()
      settle()
    }
  }

  private func pushAll(_ rows: inout ExchangedRows) throws {
    let living = changed.filter { kind($0) != .deleted }
    // Read before anything is copied: the child sees each change to the parent at once.
    let orders = try arrangements()
    var poll = InterruptionPoll()
    for reference in living where kind(reference) == .inserted {
      try poll.step()
      try makeInParent(reference)
    }
    let columns = changed.map(columnsInParent)
    for reference in living {
      try poll.step()
      try pushAttributes(reference)
    }
    for reference in living {
      try poll.step()
      try pushReferences(reference)
    }
    for table in context.allTables {
      for (key, state) in table.changedCollections where !table.isGone(key.slot) {
        guard table.changes[key.slot]?.kind != .deleted else { continue }
        try pushMembers(table, key, state)
      }
    }
    for (table, key, members) in orders { try pushOrder(table, key, members) }
    for reference in changed where kind(reference) == .deleted && !wasInserted(reference) {
      try poll.step()
      // An object that is gone in the parent, too, needs no delete.
      guard let (table, slot) = knownPlace(reference) else { continue }
      if !table.isGone(slot) { try table.delete(slot) }
    }
    for (reference, columns) in zip(changed, columns) { pushBase(reference, besides: columns, &rows) }
    if !rows.isEmpty {
      // Members that were read meanwhile are those of the rows that the parent had before.
      parent.forgetResolvedCollections()
      parent.membershipSerial += 1
    }
  }

  private func kind(_ reference: ObjectReference) -> UnsavedChanges.Kind? {
    reference.table.changes[reference.slot]?.kind
  }

  private func wasInserted(_ reference: ObjectReference) -> Bool {
    reference.table.changes[reference.slot]?.wasInserted == true
  }

  /// Returns the object's table and slot in the parent.
  ///
  /// - Throws: GraphError.deletedObject if the object has no row and the parent has undone its insertion.
  private func parentPlace(_ reference: ObjectReference) throws -> (ObjectTable, Int32) {
    guard let place = knownPlace(reference) else { throw reference.table.missing(reference.slot) }
    return place
  }

  /// Returns the object's table and slot in the parent; nil if the object has no row and is gone there.
  private func knownPlace(_ reference: ObjectReference) -> (ObjectTable, Int32)? {
    let id = reference.table.objectID(reference.slot)
    let table = parent.table(for: id.entity)
    if id.isTemporary { return table.slotOfUnsaved(id).map { (table, $0) } }
    return (table, table.register(id.key, id.entity))
  }

  private func makeInParent(_ reference: ObjectReference) throws {
    let id = reference.table.objectID(reference.slot)
    let table = parent.table(for: id.entity)
    // The parent may have deleted the object and restored it.
    guard let slot = table.slot(of: id.key) else { return table.insert(table.add(id.key, id.entity)) }
    guard table.changes[slot]?.kind == .deleted else { return table.insert(slot) }
    try table.appear(slot)
    try table.agreeEverywhere(slot)
  }

  /// Returns the columns of an object that the parent itself has changed.
  private func columnsInParent(_ reference: ObjectReference) -> Set<Int> {
    guard let (table, slot) = knownPlace(reference), let changes = table.changes[slot] else { return [] }
    return Set(changes.columns.map(\.column))
  }

  /// Bases the parent's changes on the row that the child's changes were based on, so that conflicts are found. Columns
  /// that only the parent changed keep the parent's own base.
  private func pushBase(_ reference: ObjectReference, besides columns: Set<Int>, _ rows: inout ExchangedRows) {
    guard let own = reference.table.changes[reference.slot], let base = own.base?.row,
      let (table, slot) = knownPlace(reference), let changes = table.changes[slot]
    else { return }
    let known = table.isChild ? changes.base?.row : table.row(slot)
    let new = known.map { known in
      base.merged(with: known) { columns.contains($0) && own.columns[$0] == nil }
    }
    let row = new ?? base.copy()
    if table.isChild {
      changes.base = BaseRow(row)
    } else if known?.isEqual(to: row) == true {
      row.free()
    } else {
      rows.exchange(table, slot, row)
      parent.hasStaleBases = true
    }
  }

  private func pushAttributes(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let (table, slot) = try parentPlace(reference)
    let shape = table.shape(slot)
    for (column, value) in changes.columns where !shape.isReferenceColumn[column] {
      try table.setColumn(slot, column, value)
    }
    for (index, value) in reference.table.transients[reference.slot] ?? [:] {
      guard reference.table.isTransient(reference.slot, index) else {
        try table.setAttribute(slot, index, value)
        continue
      }
      let targets = reference.table.transientTargets(reference.slot, index)
      let others = reference.table.destinationTable(reference.slot, index)
      let places = try targets.map { try parentPlace(ObjectReference(table: others, slot: $0)).1 }
      try table.setTransientTargets(slot, index, places)
    }
  }

  private func pushReferences(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let (table, slot) = try parentPlace(reference)
    let shape = table.shape(slot)
    for (index, layout) in shape.layout.properties.enumerated() {
      guard case .reference(let columns, _) = layout, changes.columns.containsAny(of: columns) else { continue }
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
      for member in state.removals where !members.isGone(member) {
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
      for (key, _) in table.changedCollections where !table.isGone(key.slot) {
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

  /// Clears the child's changes: the objects now equal those of the parent.
  private func settle() {
    for reference in changed {
      guard let changes = reference.table.changes[reference.slot] else { continue }
      context.noteSaved(reference.table, reference.slot, changes)
      if changes.kind == .deleted {
        reference.table.markGone(reference.slot)
        continue
      }
      reference.table.changes.remove(reference.slot)
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

/// The rows that the parent's objects had before they received the child's rows.
private struct ExchangedRows {
  private var rows: [(table: ObjectTable, slot: Int32, row: PackedRow?)] = []

  var isEmpty: Bool { rows.isEmpty }

  mutating func exchange(_ table: ObjectTable, _ slot: Int32, _ row: PackedRow) {
    rows.append((table, slot, table.exchangeRow(slot, row)))
  }

  mutating func putBack() {
    for (table, slot, row) in rows.reversed() { table.exchangeRow(slot, row)?.free() }
    rows = []
  }

  mutating func free() {
    for (_, _, row) in rows { row?.free() }
    rows = []
  }
}
