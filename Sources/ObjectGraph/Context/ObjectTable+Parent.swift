internal import Modeling
internal import Stores

// The state of a child context's objects before its own changes, which is their state in the parent.
extension ObjectTable {
  /// The table of the same objects in the parent.
  private var parentTable: ObjectTable? { context.parent?.table(for: root) }

  /// Returns the slot of an object without a row, including one that the parent inserted.
  func slotOfUnsaved(_ id: ObjectID) -> Int32? {
    if let slot = slot(of: id.key) { return slot }
    guard let parentTable, parentTable.slotOfUnsaved(id) != nil else { return nil }
    return register(id.key, id.entity)
  }

  /// Returns the exact entity of an object registered as `entity`. An unsaved object has no row to read it from.
  func ownEntity(_ key: Int64, _ entity: Entity) -> Entity {
    guard let parentTable, ObjectID(entity: entity, key: key).isTemporary, let slot = parentTable.slot(of: key) else {
      return entity
    }
    return parentTable.entity(slot)
  }

  /// Returns the parent's slot of an object; nil for an object that was inserted here.
  private func parentSlot(_ slot: Int32) -> (table: ObjectTable, slot: Int32)? {
    guard let parentTable else { return nil }
    let id = objectID(slot)
    if id.isTemporary { return parentTable.slotOfUnsaved(id).map { (parentTable, $0) } }
    return (parentTable, parentTable.register(id.key, id.entity))
  }

  /// Returns the parent's unsaved value of a column; nil if the parent has the store's value.
  func parentColumn(_ slot: Int32, _ column: Int) throws -> RawColumn? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    if table.isGone(other) || table.changes[other]?.kind == .deleted {
      throw GraphError(.deletedObject(objectID(slot).description))
    }
    if table.isDirty(other) || table.context.parent != nil { return try table.column(other, column) }
    return nil
  }

  /// Returns the parent's value of a transient attribute.
  func parentTransient(_ slot: Int32, _ index: Int) -> Value? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    return table.transients[other]?[index] ?? table.parentTransient(other, index)
  }

  /// Returns the members of a to-many in the parent. What the parent has deleted does not exist here, although the store,
  /// or others who write it, may still have it there.
  func parentMembers(_ slot: Int32, _ index: Int) throws -> [Int32] {
    guard let (table, other) = parentSlot(slot), !table.isGone(other), table.changes[other]?.kind != .deleted else {
      return []
    }
    let members = table.destinationTable(other, index)
    let own = destinationTable(slot, index)
    let found = try table.members(other, index)
    let present = members.changes.isEmpty ? found : found.filter { members.changes[$0]?.kind != .deleted }
    return present.map { own.register(members.key($0), members.entity($0)) }
  }

  /// Returns the row that the parent's changes are based on; nil if the parent has no changes.
  func parentBase(_ slot: Int32) -> PackedRow? {
    guard let (table, other) = parentSlot(slot), table.isDirty(other) else { return nil }
    return table.baseRow(other)
  }

  /// Returns the row that an object's changes are, or would be, based on; nil if it cannot be read.
  private func baseRow(_ slot: Int32) -> PackedRow? {
    if isChild, isDirty(slot) { return changes[slot]?.base?.row.copy() }
    if let (table, other) = parentSlot(slot) { return table.baseRow(other) }
    if row(slot) == nil, !isDirty(slot) { try? fill(slot) }
    return row(slot)?.copy()
  }

  /// Rebases changes on the parent's present state.
  func renewBase(_ slot: Int32) {
    guard let changes = changes[slot], changes.base != nil, let (table, other) = parentSlot(slot) else { return }
    changes.base = table.isGone(other) ? nil : table.baseRow(other).map { BaseRow($0) }
  }

  /// Whether the object came from the parent, which no longer has it.
  func isLost(_ slot: Int32) throws -> Bool {
    guard context.parent != nil else { return false }
    if let change = changes[slot], change.kind == .inserted || change.wasInserted { return false }
    return try existsInParent(slot) != true
  }

  /// Whether the parent has the object, whose entity is known from there then; nil if there is no parent or the object was
  /// inserted here.
  func existsInParent(_ slot: Int32) throws -> Bool? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    guard
      try !table.isGone(other) && table.changes[other]?.kind != .deleted
        && ManagedObject(table: table, slot: other).exists()
    else { return false }
    // Where the parent has an object of another entity under the key, it is another object.
    return isGone(slot) || register(rowOf: key(slot), table.entity(other)) == slot
  }

  /// Returns the object of a key as the results of the parent, or of the store, have it: with the unsaved changes of the parents.
  /// `stored` is a context without any.
  func base(of key: Int64, _ entity: Entity, stored: ObjectContext) -> ManagedObject {
    var above = parentTable
    while let table = above {
      if let slot = table.slot(of: key), table.isDirty(slot) { return ManagedObject(table: table, slot: slot) }
      above = table.parentTable
    }
    return stored.object(ObjectID(entity: entity, key: key))
  }
}

extension ObjectContext {
  /// Rebases changes on what the parent has just saved.
  func renewBases(of saved: [ObjectReference]) {
    for reference in saved where !reference.table.isGone(reference.slot) {
      let table = table(for: reference.table.root)
      guard !table.changes.isEmpty, let slot = table.slot(of: reference.table.key(reference.slot)) else { continue }
      table.renewBase(slot)
    }
    for child in liveChildren { child.renewBases(of: saved) }
  }

  /// Replaces a temporary key by the permanent one that the parent's object received.
  func follow(_ old: ObjectID, to key: Int64) {
    let table = table(for: old.entity)
    let slot = table.slot(of: old.key)
    // As in the parent: the object that had this key before is gone, with its links.
    if let former = table.slot(of: key), former != slot {
      table.markGone(former)
      forgetCollections(of: table, former)
    }
    if let slot { table.rekey(slot, to: key) }
    noteTransientTarget(old.key, is: key)
    let permanent = ObjectID(entity: old.entity, key: key)
    for other in allTables {
      for change in other.changes.values {
        for (column, value) in change.columns {
          guard case .object(let id) = value, id.key == old.key, id.entity.root === old.entity.root else { continue }
          change.columns[column] = .object(permanent)
        }
      }
    }
    for child in liveChildren { child.follow(old, to: key) }
  }
}
