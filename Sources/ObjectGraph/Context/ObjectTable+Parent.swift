internal import Modeling
internal import Storage

// What the objects of a child context are before its own changes: what they are in the parent.
extension ObjectTable {
  /// The table of the same objects in the parent.
  private var parentTable: ObjectTable? { context.parent?.table(for: root) }

  /// The slot of an object without a row, also of one that the parent made.
  func slotOfUnsaved(_ id: ObjectID) -> Int32? {
    if let slot = slot(of: id.key) { return slot }
    guard let parentTable, parentTable.slotOfUnsaved(id) != nil else { return nil }
    return register(id.key, id.entity)
  }

  /// The entity of an object that is registered as one of `entity`: an unsaved one has no row that would tell.
  func ownEntity(_ key: Int64, _ entity: Entity) -> Entity {
    guard let parentTable, ObjectID(entity: entity, key: key).isTemporary, let slot = parentTable.slot(of: key) else {
      return entity
    }
    return parentTable.entity(slot)
  }

  /// The slot in the parent's table of the object in one of this table; nil for an object made here.
  private func parentSlot(_ slot: Int32) -> (table: ObjectTable, slot: Int32)? {
    guard let parentTable else { return nil }
    let id = objectID(slot)
    if id.isTemporary { return parentTable.slotOfUnsaved(id).map { (parentTable, $0) } }
    return (parentTable, parentTable.register(id.key, id.entity))
  }

  /// What the parent has changed of a column; nil when it has what the store has.
  func parentColumn(_ slot: Int32, _ column: Int) throws -> RawColumn? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    if table.isGone(other) || table.changes[other]?.kind == .deleted {
      throw GraphError(.deletedObject(objectID(slot).description))
    }
    if table.isDirty(other) || table.context.parent != nil { return try table.column(other, column) }
    return nil
  }

  /// What the parent has in a transient attribute.
  func parentTransient(_ slot: Int32, _ index: Int) -> Value? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    return table.transients[other]?[index] ?? table.parentTransient(other, index)
  }

  /// The members that a to-many has in the parent.
  func parentMembers(_ slot: Int32, _ index: Int) throws -> [Int32] {
    guard let (table, other) = parentSlot(slot), !table.isGone(other), table.changes[other]?.kind != .deleted else {
      return []
    }
    let members = table.destinationTable(other, index)
    let own = destinationTable(slot, index)
    return try table.members(other, index).map { own.register(members.key($0), members.entity($0)) }
  }

  /// The row that the parent's changes of an object are based on; nil where it has none.
  func parentBase(_ slot: Int32) -> PackedRow? {
    guard let (table, other) = parentSlot(slot), table.isDirty(other) else { return nil }
    return table.baseRow(other)
  }

  /// The row that changes of an object are based on, or would be if they were made now; nil where that cannot be read.
  private func baseRow(_ slot: Int32) -> PackedRow? {
    if isChild, isDirty(slot) { return changes[slot]?.base?.row.copy() }
    if let (table, other) = parentSlot(slot) { return table.baseRow(other) }
    if row(slot) == nil, !isDirty(slot) { try? fill(slot) }
    return row(slot)?.copy()
  }

  /// Lets changes be based on what the parent has now.
  func renewBase(_ slot: Int32) {
    guard let changes = changes[slot], changes.base != nil, let (table, other) = parentSlot(slot) else { return }
    changes.base = table.isGone(other) ? nil : table.baseRow(other).map { BaseRow($0) }
  }

  /// Whether the object is none of a child's own and the parent has it no more.
  func isLost(_ slot: Int32) throws -> Bool {
    guard context.parent != nil else { return false }
    if let change = changes[slot], change.kind == .inserted || change.wasInserted { return false }
    return try existsInParent(slot) != true
  }

  /// Whether the parent has the object; nil where there is no parent or it was made here.
  func existsInParent(_ slot: Int32) throws -> Bool? {
    guard let (table, other) = parentSlot(slot) else { return nil }
    return try !table.isGone(other) && table.changes[other]?.kind != .deleted
      && ManagedObject(table: table, slot: other).exists()
  }
}

extension ObjectContext {
  /// Lets changes be based on what the parent has just saved of the same objects.
  func renewBases(of saved: [ObjectReference]) {
    for reference in saved where !reference.table.isGone(reference.slot) {
      let table = table(for: reference.table.root)
      guard !table.changes.isEmpty, let slot = table.slot(of: reference.table.key(reference.slot)) else { continue }
      table.renewBase(slot)
    }
    for child in liveChildren { child.renewBases(of: saved) }
  }

  /// Follows an object whose temporary key became permanent in the parent.
  func follow(_ old: ObjectID, to key: Int64) {
    let table = table(for: old.entity)
    if let slot = table.slot(of: old.key) { table.rekey(slot, to: key) }
    noteTransientTarget(old.key, is: key)
    let permanent = ObjectID(entity: old.entity, key: key)
    for other in allTables {
      for change in other.changes.values {
        for (column, value) in change.columns.enumerated() {
          guard case .object(let id)? = value, id.key == old.key, id.entity.root === old.entity.root else { continue }
          change.columns[column] = .object(permanent)
        }
      }
    }
    for child in liveChildren { child.follow(old, to: key) }
  }
}
