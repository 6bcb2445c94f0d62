public import Modeling

extension ObjectContext {
  /// The objects with IDs that observers are told were deleted, saved or not, or rolled back before they were ever saved.
  ///
  /// They are those that the context knew, and others that say they are deleted in place of objects it never saw. An
  /// object that is there again is given as it is.
  public func deletedObjects(_ ids: [ObjectID]) -> [ManagedObject] {
    var gone: [ObjectIdentifier: [Int64: Int32]] = [:]
    return ids.map { id in
      let table = table(for: id.entity)
      if let slot = table.slot(of: id.key) { return table.checked(slot) }
      let known = gone[ObjectIdentifier(table)] ?? table.goneSlots
      gone[ObjectIdentifier(table)] = known
      if let slot = known[id.key] { return ManagedObject(table: table, slot: slot) }
      let slot = table.add(id.key, id.entity)
      table.bury(slot)
      return ManagedObject(table: table, slot: slot)
    }
  }
}

extension ObjectTable {
  /// The object of a slot, gone if its row is: others may have deleted that.
  fileprivate func checked(_ slot: Int32) -> ManagedObject {
    let object = ManagedObject(table: self, slot: slot)
    if !isDirty(slot), (try? object.exists()) == false { bury(slot) }
    return object
  }

  /// The slots of objects that are gone and that somebody may still refer to, by key; the last of each.
  fileprivate var goneSlots: [Int64: Int32] {
    var slots: [Int64: Int32] = [:]
    for slot in 0..<Int32(count) where isUsed(slot) && isGone(slot) { slots[key(slot)] = slot }
    return slots
  }
}
