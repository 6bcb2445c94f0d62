public import Modeling

extension ObjectContext {
  /// Returns the deleted objects to report to observers: deleted, saved or not, or rolled back before their first save.
  ///
  /// Objects that the context never registered are represented by deleted objects. An
  /// object that exists again is returned as it is.
  public func deletedObjects(_ ids: [ObjectID]) -> [ManagedObject] {
    var gone: [ObjectIdentifier: [Int64: Int32]] = [:]
    return ids.map { id in
      let table = table(for: id.entity)
      if let slot = table.slot(of: id.key) { return table.checked(slot) }
      let known = gone[ObjectIdentifier(table)] ?? table.goneSlots
      gone[ObjectIdentifier(table)] = known
      if let slot = known[id.key] { return ManagedObject(table: table, slot: slot) }
      let slot = table.add(id.key, id.entity)
      table.markGone(slot)
      return ManagedObject(table: table, slot: slot)
    }
  }
}

extension ObjectTable {
  /// Returns the object of a slot, marked as deleted if others have deleted its row, unless it has unsaved changes.
  fileprivate func checked(_ slot: Int32) -> ManagedObject {
    let object = ManagedObject(table: self, slot: slot)
    if !isDirty(slot), !hasUnsavedMembers(slot), (try? object.exists()) == false { markGone(slot) }
    return object
  }

  /// Returns the slots of deleted objects that may still be referenced, by key; the latest of each key.
  fileprivate var goneSlots: [Int64: Int32] {
    var slots: [Int64: Int32] = [:]
    for slot in 0..<Int32(count) where isUsed(slot) && isGone(slot) { slots[key(slot)] = slot }
    return slots
  }
}
