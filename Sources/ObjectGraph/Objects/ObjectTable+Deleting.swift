internal import Modeling
internal import Storage

extension ObjectTable {
  /// Deletes the slot's object and applies its delete rules; `deny` is checked at the save.
  func delete(_ slot: Int32) throws {
    try checkWritable(slot)
    guard changes[slot]?.kind != .deleted else { return }
    if context.hooks.prepareForDeletion != nil {
      try context.prepareForDeletion(of: self, slot)
      try checkWritable(slot)
      guard changes[slot]?.kind != .deleted else { return }
    }
    let relationships = entity(slot).properties.indices.filter { entity(slot).properties[$0].relationship != nil }
    let related = try relationships.map { ($0, try destinations(slot, $0)) }
    recorder?.record(self, .delete(slot))
    let change = change(slot, .deleted)
    change.wasInserted = change.kind == .inserted
    change.kind = .deleted
    for (index, others) in related { try propagate(slot, index, to: others) }
  }

  /// Applies delete rules to objects that were made to refer to a deleted object after its deletion.
  func deleteAgain(_ slot: Int32) throws {
    for index in entity(slot).properties.indices where entity(slot).properties[index].relationship != nil {
      collections[CollectionKey(slot: slot, property: index)]?.resolved = nil
      try propagate(slot, index, to: try destinations(slot, index))
    }
  }

  /// Returns the slots that a to-one or to-many refers to.
  func destinations(_ slot: Int32, _ index: Int) throws -> [Int32] {
    if entity(slot).properties[index].relationship?.isToMany == true { return try members(slot, index) }
    guard let target = try knownReference(slot, index) else { return [] }
    return [target]
  }

  private func propagate(_ slot: Int32, _ index: Int, to others: [Int32]) throws {
    guard let relationship = entity(slot).properties[index].relationship else { return }
    let table = destinationTable(slot, index)
    if relationship.deleteRule == .cascade {
      for other in others where !table.isGone(other) && table.changes[other]?.kind != .deleted {
        try table.delete(other)
        table.changes[other]?.cause = ObjectReference(table: self, slot: slot)
      }
    }
    guard relationship.deleteRule != .noAction else { return }
    for other in others { try forget(slot, index, in: table, other) }
  }

  /// Removes the deleted object from the other side of a relationship.
  private func forget(_ slot: Int32, _ index: Int, in table: ObjectTable, _ other: Int32) throws {
    guard table.changes[other]?.kind != .deleted, !table.isGone(other) else { return }
    // Transient relationships need no nullify rule: they skip deleted objects.
    guard !isTransient(slot, index), let inverse = entity(slot).inverse(at: index) else { return }
    if table.entity(other).properties[inverse].relationship?.isToMany == true {
      try table.noteMember(other, inverse, slot, isMember: false)
      if case .join = shape(slot).layout.properties[index] { try noteMember(slot, index, other, isMember: false) }
    } else if entity(slot).properties[index].relationship?.deleteRule != .deny,
      try table.reference(other, inverse) == slot
    {
      try table.writeReference(other, inverse, to: nil)
      if entity(slot).properties[index].relationship?.isToMany == true {
        try noteMember(slot, index, other, isMember: false)
      }
    }
  }

  /// Discards the unsaved changes of an updated object, and their effects on other objects' collections.
  func discardChanges(_ slot: Int32) {
    changes[slot] = nil
    becomeClean(slot)
    context.forgetCollections(of: self, slot)
  }
}
