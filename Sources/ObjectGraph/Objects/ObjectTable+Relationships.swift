internal import Modeling
internal import Storage

/// An object by its table and slot.
struct ObjectReference: Hashable {
  let table: ObjectTable
  let slot: Int32

  static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.slot == right.slot && left.table === right.table
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(slot)
    hasher.combine(ObjectIdentifier(table))
  }
}

// To-one relationships. The reference columns are the truth; collections on the other side follow them.
extension ObjectTable {
  /// The table of the objects that the relationship at `index` leads to.
  func destinationTable(_ slot: Int32, _ index: Int) -> ObjectTable {
    context.table(for: entity(slot).destination(at: index))
  }

  /// The slot that the to-one at `index` leads to, in `destinationTable`; nil for nil.
  ///
  /// A reference to a row that is not there gives a fault: the error comes when it is read through.
  func reference(_ slot: Int32, _ index: Int) throws -> Int32? {
    try checkLiving(slot)
    guard case .reference(let columns, let target) = shape(slot).layout.properties[index] else { return nil }
    let destination = entity(slot).destination(at: index)
    let table = context.table(for: destination)
    if case .value(.object(let id)) = try column(slot, columns[0]) { return table.slot(of: id.key) }
    if case .key = target {
      switch try column(slot, columns[0]) {
      case .integer(let key), .value(.int(let key)): return table.register(key, destination)
      case .null, .value(.null): return nil
      default: break
      }
    }
    var values: [Value] = []
    for name in columns {
      let value = try column(slot, name).decoded(as: shape(slot).layout.columns[name].type)
      if value.isNull { return nil }
      values.append(value)
    }
    guard let key = try context.store.resolve(values, of: index, in: entity(slot)) else {
      let origin = "\(objectID(slot)).\(entity(slot).properties[index].name)"
      let text = values.map { context.text(of: $0) }.joined(separator: ", ")
      throw GraphError(.missingRow(entity: destination.name, key: text, from: origin))
    }
    return table.register(key, destination)
  }

  /// The slot that the to-one at `index` leads to; nil too for values that name no row. Other failures are thrown.
  func knownReference(_ slot: Int32, _ index: Int) throws -> Int32? {
    do {
      return try reference(slot, index)
    } catch let error as GraphError {
      guard case .missingRow = error.fact else { throw error }
      return nil
    }
  }

  /// Lets the to-one at `index` lead to `target`, and keeps the inverse on both sides true.
  func setReference(_ slot: Int32, _ index: Int, to target: Int32?) throws {
    try checkWritable(slot)
    let old = try knownReference(slot, index)
    if let old, old == target { return }
    try writeReference(slot, index, to: target)
    guard let inverse = entity(slot).inverse(at: index) else { return }
    let others = destinationTable(slot, index)
    if let old { try others.detach(slot, of: self, from: old, at: inverse) }
    if let target { try others.attach(slot, of: self, to: target, at: inverse) }
  }

  /// Writes the reference columns and nothing else.
  func writeReference(_ slot: Int32, _ index: Int, to target: Int32?) throws {
    guard case .reference(let columns, let kind) = shape(slot).layout.properties[index] else { return }
    guard shape(slot).layout.columns[columns[0]].isWritable else {
      throw GraphError(
        .notWritable(
          property: entity(slot).properties[index].name, entity: entity(slot).name, reason: "the store computes it"))
    }
    guard let target else {
      for column in columns { try setColumn(slot, column, .null) }
      return
    }
    let id = destinationTable(slot, index).objectID(target)
    if id.isTemporary {
      for column in columns { try setColumn(slot, column, .null) }
      try setColumn(slot, columns[0], .object(id))
    } else if case .key = kind {
      try setColumn(slot, columns[0], .int(id.key))
    } else {
      let values = try context.store.referenceValues(to: id.key, of: index, in: entity(slot))
      for (column, value) in zip(columns, values) { try setColumn(slot, column, value) }
    }
  }

  /// Follows a to-one on the other side that no longer leads here.
  private func detach(_ member: Int32, of table: ObjectTable, from owner: Int32, at index: Int) throws {
    guard entity(owner).properties[index].relationship?.isToMany == true else {
      if try reference(owner, index) == member { try writeReference(owner, index, to: nil) }
      return
    }
    collection(owner, index).set(member, isMember: false)
  }

  /// Follows a to-one on the other side that now leads here.
  private func attach(_ member: Int32, of table: ObjectTable, to owner: Int32, at index: Int) throws {
    guard entity(owner).properties[index].relationship?.isToMany == true else {
      guard let inverse = entity(owner).inverse(at: index) else { return }
      if let rival = try reference(owner, index), rival != member { try table.writeReference(rival, inverse, to: nil) }
      try writeReference(owner, index, to: member)
      return
    }
    collection(owner, index).set(member, isMember: true)
  }
}

// To-many relationships.
extension ObjectTable {
  /// What is known of the to-many at `index`.
  func collection(_ slot: Int32, _ index: Int) -> CollectionState {
    let key = CollectionKey(slot: slot, property: index)
    if let state = collections[key] { return state }
    let state = CollectionState()
    collections[key] = state
    return state
  }

  /// The members of the to-many at `index` as slots of `destinationTable`, in its order.
  func members(_ slot: Int32, _ index: Int) throws -> [Int32] {
    try checkLiving(slot)
    let state = collection(slot, index)
    if let resolved = state.resolved { return resolved }
    let destination = entity(slot).destination(at: index)
    let table = context.table(for: destination)
    var members: [Int32] = []
    if !objectID(slot).isTemporary {
      for pair in try context.store.members(of: index, in: entity(slot), owners: CollectionOfOne(key(slot))) {
        members.append(table.register(pair.member, destination))
      }
    }
    resolve(state, with: members)
    return state.resolved ?? []
  }

  /// Works the committed members and the unsaved changes into the present arrangement.
  func resolve(_ state: CollectionState, with committed: [Int32]) {
    if let arrangement = state.arrangement {
      state.resolved = arrangement
      return
    }
    guard !state.overrides.isEmpty else {
      state.resolved = committed
      return
    }
    // Within a save the rows of new members are written already, before their places are.
    state.resolved = committed.filter { state.overrides[$0] == nil } + state.additions
  }

  /// How many members the to-many at `index` has; counted in the store when they are not in memory.
  func memberCount(_ slot: Int32, _ index: Int) throws -> Int {
    try checkLiving(slot)
    let state = collections[CollectionKey(slot: slot, property: index)]
    if let resolved = state?.resolved { return resolved.count }
    if state?.isChanged == true { return try members(slot, index).count }
    if objectID(slot).isTemporary { return 0 }
    return try context.store.memberCount(of: index, in: entity(slot), owner: key(slot))
  }

  /// Makes `member` one of the to-many at `index`, or no longer.
  func setMember(_ slot: Int32, _ index: Int, _ member: Int32, isMember: Bool) throws {
    try checkWritable(slot)
    let table = destinationTable(slot, index)
    switch shape(slot).layout.properties[index] {
    case .inverse(let back, _):
      let owner = try table.reference(member, back)
      if isMember {
        guard owner != slot else { return }
        try table.setReference(member, back, to: slot)
      } else if owner == slot {
        try table.setReference(member, back, to: nil)
      }
    case .join:
      guard try members(slot, index).contains(member) != isMember else { return }
      change(slot, .updated)
      collection(slot, index).set(member, isMember: isMember)
      if let inverse = entity(slot).inverse(at: index) {
        table.collection(member, inverse).set(slot, isMember: isMember)
      }
    default:
      let name = entity(slot).properties[index].name
      throw GraphError(
        .notWritable(property: name, entity: entity(slot).name, reason: "the store keeps no such relationship"))
    }
  }

  /// Replaces all members of the to-many at `index`; the order counts where the relationship is ordered.
  func setMembers(_ slot: Int32, _ index: Int, _ new: [Int32]) throws {
    let wanted = Set(new)
    let old = try members(slot, index)
    let present = Set(old)
    for member in old where !wanted.contains(member) { try setMember(slot, index, member, isMember: false) }
    for member in new where !present.contains(member) { try setMember(slot, index, member, isMember: true) }
    guard entity(slot).properties[index].relationship?.isOrdered == true else { return }
    let state = collection(slot, index)
    change(slot, .updated)
    state.arrangement = new
    state.resolved = new
  }
}
