internal import Modeling
internal import Stores

// Reference columns are merged like other columns; afterwards the inverse side is brought into agreement.
extension ConflictResolver {
  /// Returns the to-ones whose columns match `isWanted`, with their present targets.
  func targets(
    _ reference: ObjectReference, _ isWanted: (Int) -> Bool
  ) throws -> [(index: Int, target: Int32?)] {
    let (table, slot) = (reference.table, reference.slot)
    return try table.shape(slot).layout.properties.enumerated().compactMap { index, property in
      guard case .reference(let columns, _) = property, columns.contains(where: isWanted) else { return nil }
      return (index, try table.knownReference(slot, index))
    }
  }

  /// Updates the inverse side of a to-one after its columns changed; `before` is its former target.
  func follow(_ reference: ObjectReference, _ index: Int, from before: Int32?) throws {
    let (table, slot) = (reference.table, reference.slot)
    guard let inverse = table.entity(slot).inverse(at: index) else { return }
    let destination = table.entity(slot).destination(at: index)
    let others = table.destinationTable(slot, index)
    let now = try table.knownReference(slot, index)
    let stored = try table.storedReference(slot, index)
    guard destination.properties[inverse].relationship?.isToMany == true else {
      for other in [before, stored] {
        guard let other, other != now, !others.isGone(other), others.changes[other]?.kind != .deleted,
          try others.knownReference(other, inverse) == slot
        else { continue }
        if try others.storedReference(other, inverse) == slot {
          try others.writeReference(other, inverse, to: nil)
        } else {
          try takeBack(others, other, inverse)
        }
      }
      return
    }
    for owner in [before, now, stored] {
      guard let owner, let state = others.collections[.init(slot: owner, property: inverse)] else { continue }
      state.forget(slot)
      if state.arrangement == nil { state.resolved = nil }
    }
    guard now != stored else { return }
    if let stored { others.collection(stored, inverse).set(slot, isMember: false) }
    if let now { others.collection(now, inverse).set(slot, isMember: true) }
  }

  /// Reverts the change of one side of a one-to-one, and its effect on the former partner.
  private func takeBack(_ table: ObjectTable, _ slot: Int32, _ index: Int) throws {
    guard table.changes[slot]?.kind == .updated else { return try table.writeReference(slot, index, to: nil) }
    table.revertReference(slot, index)
    guard let inverse = table.entity(slot).inverse(at: index), let partner = try table.knownReference(slot, index)
    else { return }
    let others = table.destinationTable(slot, index)
    if others.isNullified(partner, inverse), try others.storedReference(partner, inverse) == slot {
      others.revertReference(partner, inverse)
    }
  }

  /// Clears one-to-ones whose target refers to another object, because the two rows were merged separately.
  func settlePairs() throws {
    for reference in context.changedReferences() {
      let (table, slot) = (reference.table, reference.slot)
      guard table.changes[slot]?.kind != .deleted else { continue }
      for index in table.shape(slot).partnerships {
        guard let inverse = table.entity(slot).inverse(at: index), let target = try table.knownReference(slot, index)
        else { continue }
        let others = table.destinationTable(slot, index)
        guard others.changes[target]?.kind != .deleted, try others.exists(target) else {
          try table.writeReference(slot, index, to: nil)
          continue
        }
        if try others.knownReference(target, inverse) != slot { try table.writeReference(slot, index, to: nil) }
      }
    }
  }
}

extension ObjectTable {
  /// Returns the target of a to-one in the store; nil for objects without a row.
  func storedReference(_ slot: Int32, _ index: Int) throws -> Int32? {
    guard let changes = changes[slot] else { return try knownReference(slot, index) }
    guard changes.kind != .inserted, !changes.wasInserted else { return nil }
    let columns = changes.columns
    for column in shape(slot).layout.properties[index].ownColumns { changes.columns[column] = nil }
    defer { changes.columns = columns }
    return try knownReference(slot, index)
  }

  /// Whether the slot has a row or will have one after the save.
  fileprivate func exists(_ slot: Int32) throws -> Bool {
    if isGone(slot) { return false }
    if changes[slot] == nil, isFault(slot) { try fill(slot) }
    return changes[slot] != nil || !isFault(slot)
  }

  /// Whether the to-one of a stored object has an unsaved change to nil.
  func isNullified(_ slot: Int32, _ index: Int) -> Bool {
    guard let changes = changes[slot], changes.kind == .updated else { return false }
    return shape(slot).layout.properties[index].ownColumns.allSatisfy { changes.columns[$0] == .some(.null) }
  }

  /// Discards the unsaved change of a to-one, without updating the inverse side.
  func revertReference(_ slot: Int32, _ index: Int) {
    for column in shape(slot).layout.properties[index].ownColumns { changes[slot]?.columns[column] = nil }
  }
}

extension EntityShape {
  /// Returns the columns, and all others that share a property or a table column with one of them.
  func companions(of columns: Set<Int>) -> Set<Int> {
    var wide = columns
    for property in layout.properties where property.ownColumns.contains(where: columns.contains) {
      wide.formUnion(property.ownColumns)
    }
    let names = Set(wide.map { layout.columns[$0].name })
    return wide.union(layout.columns.indices.filter { names.contains(layout.columns[$0].name) })
  }
}
