internal import Modeling
internal import Stores

extension ObjectTable {
  /// Deletes the slot's object and applies its delete rules; `deny` is checked at the save.
  func delete(_ slot: Int32) throws {
    if let deletion = try beginDeleting(slot) { try finish(deletion) }
  }

  /// Reads the members of deleted objects as they are now, with one statement for each to-many.
  func readMembersAgain(of slots: [Int32]) throws {
    for alike in Dictionary(grouping: slots, by: { ObjectIdentifier(entity($0)) }).values {
      let entity = entity(alike[0])
      for index in entity.properties.indices where entity.properties[index].relationship?.isToMany == true {
        for slot in alike { collections[CollectionKey(slot: slot, property: index)]?.resolved = nil }
        if !entity.properties[index].isTransient { try fillCollections(index, of: alike, in: entity) }
      }
    }
  }

  /// Applies delete rules to objects that were made to refer to a deleted object after its deletion, and whose members were
  /// read again.
  func deleteAgain(_ slot: Int32) throws {
    for index in entity(slot).properties.indices where entity(slot).properties[index].relationship != nil {
      try finish(Deletion(table: self, slot: slot, related: [(index, try destinations(slot, index))]))
    }
  }

  /// Marks the slot's object as deleted, by a delete rule of `cause`; returns the work on its destinations, nil if it was
  /// deleted before.
  private func beginDeleting(_ slot: Int32, cause: ObjectReference? = nil) throws -> Deletion? {
    try checkWritable(slot)
    guard changes[slot]?.kind != .deleted else { return nil }
    if context.hooks.prepareForDeletion != nil {
      try context.prepareForDeletion(of: self, slot)
      try checkWritable(slot)
      guard changes[slot]?.kind != .deleted else { return nil }
    }
    let relationships = entity(slot).properties.indices.filter { entity(slot).properties[$0].relationship != nil }
    let related = try relationships.map { ($0, try destinations(slot, $0)) }
    recorder?.record(self, .delete(slot, cause: cause))
    let change = change(slot, .deleted)
    change.wasInserted = change.kind == .inserted
    change.kind = .deleted
    change.cause = cause
    return Deletion(table: self, slot: slot, related: related)
  }

  /// Applies the delete rules of a deleted object, and of those that are deleted with it.
  private func finish(_ deletion: Deletion) throws {
    // A list, because cascades are as deep as the data.
    var open = [deletion]
    while let last = open.indices.last {
      let deleted = open[last]
      guard let (index, others) = deleted.relationship else {
        open.removeLast()
        continue
      }
      let table = deleted.table.destinationTable(deleted.slot, index)
      if deleted.table.entity(deleted.slot).properties[index].relationship?.deleteRule == .cascade,
        let place = others[deleted.member...].firstIndex(where: {
          !table.isGone($0) && table.changes[$0]?.kind != .deleted
        })
      {
        open[last].member = place + 1
        let cause = ObjectReference(table: deleted.table, slot: deleted.slot)
        if let next = try table.beginDeleting(others[place], cause: cause) { open.append(next) }
        continue
      }
      try deleted.table.forget(deleted.slot, index, others)
      open[last].next()
    }
  }

  /// Returns the slots that a to-one or to-many refers to.
  func destinations(_ slot: Int32, _ index: Int) throws -> [Int32] {
    if entity(slot).properties[index].relationship?.isToMany == true { return try members(slot, index) }
    guard let target = try knownReference(slot, index) else { return [] }
    return [target]
  }

  /// Removes a deleted object from the other sides of a relationship, unless its delete rule leaves them as they are.
  private func forget(_ slot: Int32, _ index: Int, _ others: [Int32]) throws {
    guard let relationship = entity(slot).properties[index].relationship, relationship.deleteRule != .noAction else {
      return
    }
    let table = destinationTable(slot, index)
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
  func discardChanges(_ slot: Int32) throws {
    changes.remove(slot)
    becomeClean(slot)
    context.forgetCollections(of: self, slot)
    // Its row may lead to an object that is deleted.
    for index in entity(slot).properties.indices {
      guard case .reference = shape(slot).layout.properties[index], let inverse = entity(slot).inverse(at: index),
        case let others = destinationTable(slot, index), !others.changes.isEmpty,
        let target = try knownReference(slot, index), others.changes[target]?.kind == .deleted
      else { continue }
      try others.forget(target, inverse, [slot])
    }
  }
}

/// What the deletion of an object has not done yet with the objects that it led to.
private struct Deletion {
  let table: ObjectTable
  let slot: Int32
  /// The objects at the other ends of its relationships, by their properties.
  let related: [(index: Int, others: [Int32])]
  /// The relationship whose turn it is.
  private var place = 0
  /// The first of its objects that may have to be deleted, too.
  var member = 0

  init(table: ObjectTable, slot: Int32, related: [(index: Int, others: [Int32])]) {
    (self.table, self.slot, self.related) = (table, slot, related)
  }

  /// The relationship whose turn it is; nil after the last one.
  var relationship: (index: Int, others: [Int32])? { place < related.count ? related[place] : nil }

  /// Goes on with the next relationship.
  mutating func next() { (place, member) = (place + 1, 0) }
}
