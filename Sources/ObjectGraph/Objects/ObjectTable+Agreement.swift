internal import Modeling

// Agreement of both sides of a relationship after one of them was set on its own: the to-one is what the store keeps, so
// the to-many follows it.
extension ObjectTable {
  /// Makes the other side of the to-one at `index` hold the object where the to-one leads to it, and nowhere else among
  /// `owners`, its present target, and its target in the store.
  func agree(_ slot: Int32, _ index: Int, at owners: [Int32]) throws {
    guard let inverse = entity(slot).inverse(at: index), try isPresent(slot) else { return }
    let others = destinationTable(slot, index)
    let now = try knownReference(slot, index)
    let stored = try storedReference(slot, index)
    let isToMany = entity(slot).destination(at: index).properties[inverse].relationship?.isToMany == true
    var concerned = owners
    if let now, !concerned.contains(now) { concerned.append(now) }
    if let stored, !concerned.contains(stored) { concerned.append(stored) }
    for owner in concerned where !others.isGone(owner) {
      if isToMany {
        others.hold(owner, inverse, slot, isMember: owner == now, isStored: owner == stored)
      } else if owner != now, try others.isPresent(owner), try others.knownReference(owner, inverse) == slot {
        try others.writeReference(owner, inverse, to: nil)
      }
    }
  }

  /// Agrees at all to-ones of an object that was restored.
  func agreeEverywhere(_ slot: Int32) throws {
    for index in entity(slot).properties.indices {
      if case .reference = shape(slot).layout.properties[index] { try agree(slot, index, at: []) }
    }
  }

  /// Sets whether a to-many holds a member, by no more than the unsaved change that this takes.
  private func hold(_ slot: Int32, _ index: Int, _ member: Int32, isMember: Bool, isStored: Bool) {
    let known = collections[CollectionKey(slot: slot, property: index)]
    guard (known?.overrides[member] ?? isStored) != isMember else { return }
    let state = known ?? collection(slot, index)
    if isMember == isStored { state.forget(member) } else { state.set(member, isMember: isMember) }
    context.membershipSerial += 1
  }

  /// Whether the slot's object is there: neither deleted here nor lost in the parent.
  private func isPresent(_ slot: Int32) throws -> Bool {
    try !isGone(slot) && changes[slot]?.kind != .deleted && !isLost(slot)
  }

  /// Returns the members in the store, corrected by changed objects that still have an older row.
  ///
  /// This keeps both sides of a relationship in agreement although others have moved a member.
  func asShown(_ committed: [Int32], _ slot: Int32, _ index: Int) throws -> [Int32] {
    guard context.hasStaleBases, case .inverse(let back, _) = shape(slot).layout.properties[index] else {
      return committed
    }
    let table = destinationTable(slot, index)
    func shows(_ member: Int32) throws -> Bool? {
      guard table.changes[member]?.kind == .updated, table.row(member) != nil else { return nil }
      guard case .reference(let columns, .key) = table.shape(member).layout.properties[back] else {
        return try table.knownReference(member, back) == slot
      }
      switch try table.column(member, columns[0]) {
      case .integer(let key), .value(.int(let key)): return key == self.key(slot)
      case .value(.object(let id)): return id.key == self.key(slot)
      default: return false
      }
    }
    let members = try committed.filter { try shows($0) ?? true }
    let present = Set(members)
    let destination = entity(slot).destination(at: index)
    return try members
      + table.changes.keys.filter {
        try !present.contains($0) && table.entity($0).isKind(of: destination) && shows($0) == true
      }
  }
}
