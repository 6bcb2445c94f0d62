internal import Modeling
internal import Stores

/// An object, identified by its table and slot.
struct ObjectReference: Hashable {
  /// The context owns the table and holds the references, so that none needs to be counted.
  unowned(unsafe) let table: ObjectTable
  let slot: Int32

  static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.slot == right.slot && left.table === right.table
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(slot)
    hasher.combine(ObjectIdentifier(table))
  }
}

// To-one relationships. The reference columns are authoritative; collections on the other side follow them.
extension ObjectTable {
  /// Returns the table of the destination objects of the relationship at `index`.
  func destinationTable(_ slot: Int32, _ index: Int) -> ObjectTable {
    context.table(for: entity(slot).destination(at: index))
  }

  /// Returns the target slot of the to-one at `index`, in `destinationTable`; nil for nil.
  ///
  /// A reference to a missing row gives a fault; reading its values throws.
  func reference(_ slot: Int32, _ index: Int) throws -> Int32? {
    try checkLiving(slot)
    relationshipReads &+= 1
    guard case .reference(let columns, let target) = shape(slot).layout.properties[index] else {
      return isTransient(slot, index) ? transientTargets(slot, index).first : nil
    }
    let destination = entity(slot).destination(at: index)
    let table = context.table(for: destination)
    if case .value(.object(let id)) = try column(slot, columns[0]) { return table.slotOfUnsaved(id) }
    if case .key = target {
      switch try column(slot, columns[0]) {
      case .integer(let key), .value(.int(let key)): return approach(key, in: table, destination, slot, index)
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
    guard let key = try keyNamed(by: values, index, from: slot) else {
      let origin = "\(objectID(slot)).\(entity(slot).properties[index].name)"
      let text = values.map { context.text(of: $0) }.joined(separator: ", ")
      throw GraphError(.missingRow(entity: destination.name, key: text, from: origin))
    }
    return approach(key, in: table, destination, slot, index)
  }

  /// Returns the slot of a key that a to-one of `slot` refers to.
  private func approach(
    _ key: Int64, in table: ObjectTable, _ destination: Entity, _ slot: Int32, _ index: Int
  ) -> Int32 {
    let target = table.register(key, destination)
    table.approach = Approach(table: self, slot: slot, entity: entity(slot), property: index, target: target)
    return target
  }

  /// Returns the target slot of the to-one at `index`; nil also if no row matches. Other failures are thrown.
  func knownReference(_ slot: Int32, _ index: Int) throws -> Int32? {
    do {
      return try reference(slot, index)
    } catch let error as GraphError {
      switch error.fact {
      case .missingRow, .missingInParent: return nil
      default: throw error
      }
    }
  }

  /// Sets the to-one at `index` to `target`, and updates the inverse on both sides.
  func setReference(_ slot: Int32, _ index: Int, to target: Int32?) throws {
    if isTransient(slot, index) { return try setTransientTargets(slot, index, target.map { [$0] } ?? []) }
    try checkWritable(slot)
    let old = try knownReference(slot, index)
    if let old, old == target { return }
    try writeReference(slot, index, to: target)
    guard let inverse = entity(slot).inverse(at: index) else { return }
    let others = destinationTable(slot, index)
    if let old { try others.detach(slot, of: self, from: old, at: inverse) }
    if let target { try others.attach(slot, of: self, to: target, at: inverse) }
  }

  /// Writes only the reference columns.
  func writeReference(_ slot: Int32, _ index: Int, to target: Int32?) throws {
    guard case .reference(let columns, let kind) = shape(slot).layout.properties[index] else { return }
    guard shape(slot).layout.columns[columns[0]].isWritable else { throw notWritable(slot, index) }
    // What a deletion empties is filled again when that is discarded, whichever group the object was inserted in.
    guard let undo = target == nil ? recorder : recorder(of: slot) else {
      return try write(columns, kind, slot, index, to: target)
    }
    let old = try knownReference(slot, index)
    // A value that identifies no row is restored column by column.
    if try old == nil && !hasNull(slot, columns) { return try write(columns, kind, slot, index, to: target) }
    try undo.suspended { try write(columns, kind, slot, index, to: target) }
    undo.record(self, .reference(slot, property: index, old: old ?? -1, new: target ?? -1))
  }

  private func hasNull(_ slot: Int32, _ columns: [Int]) throws -> Bool {
    try columns.contains { column in
      try self.column(slot, column).decoded(as: shape(slot).layout.columns[column].type).isNull
    }
  }

  private func write(
    _ columns: [Int], _ kind: ReferenceTarget, _ slot: Int32, _ index: Int, to target: Int32?
  ) throws {
    guard let target else {
      for column in columns { try setColumn(slot, column, .null) }
      return
    }
    let others = destinationTable(slot, index)
    let id = others.objectID(target)
    // A restored object has no row yet to read its identifying values from.
    if id.isTemporary || kind != .key && others.changes[target]?.kind == .inserted {
      for column in columns { try setColumn(slot, column, .null) }
      try setColumn(slot, columns[0], .object(id))
    } else if case .key = kind {
      try setColumn(slot, columns[0], .int(id.key))
    } else {
      let values = try context.store.referenceValues(to: id.key, of: index, in: entity(slot))
      for (column, value) in zip(columns, values) { try setColumn(slot, column, value) }
    }
  }

  /// Updates the to-many after a to-one on the other side has left it.
  private func detach(_ member: Int32, of table: ObjectTable, from owner: Int32, at index: Int) throws {
    guard entity(owner).properties[index].relationship?.isToMany == true else {
      if try reference(owner, index) == member { try writeReference(owner, index, to: nil) }
      return
    }
    try noteMember(owner, index, member, isMember: false)
  }

  /// Updates the to-many after a to-one on the other side has joined it.
  private func attach(_ member: Int32, of table: ObjectTable, to owner: Int32, at index: Int) throws {
    guard entity(owner).properties[index].relationship?.isToMany == true else {
      guard let inverse = entity(owner).inverse(at: index) else { return }
      if let rival = try reference(owner, index), rival != member { try table.writeReference(rival, inverse, to: nil) }
      try writeReference(owner, index, to: member)
      return
    }
    try noteMember(owner, index, member, isMember: true)
  }
}

// To-many relationships.
extension ObjectTable {
  /// The state of the to-many at `index`.
  func collection(_ slot: Int32, _ index: Int) -> CollectionState {
    let key = CollectionKey(slot: slot, property: index)
    if let state = collections[key] { return state }
    let state = CollectionState()
    collections[key] = state
    return state
  }

  /// The to-manys with unsaved changes, in the order of their objects, so that a save does the same each time.
  var changedCollections: [(key: CollectionKey, state: CollectionState)] {
    if collections.isEmpty { return [] }
    let changed = collections.lazy.filter { $0.value.isChanged }.map { (key: $0.key, state: $0.value) }
    return changed.sorted { ($0.key.slot, $0.key.property) < ($1.key.slot, $1.key.property) }
  }

  /// Whether a to-many of the object has unsaved changes. The references of its members may be all that has changed, and then the
  /// object itself counts as unchanged.
  func hasUnsavedMembers(_ slot: Int32) -> Bool {
    if collections.isEmpty { return false }
    return entity(slot).properties.indices.contains {
      collections[CollectionKey(slot: slot, property: $0)]?.isChanged == true
    }
  }

  /// Returns the members of the to-many at `index` as slots of `destinationTable`, in order.
  func members(_ slot: Int32, _ index: Int) throws -> [Int32] {
    try checkLiving(slot)
    relationshipReads &+= 1
    if isTransient(slot, index) { return transientTargets(slot, index) }
    if let state = collections[CollectionKey(slot: slot, property: index)], let resolved = state.resolved,
      state.baseSerial == context.baseSerial
    {
      return resolved
    }
    trimCollections()
    let state = collection(slot, index)
    state.baseSerial = context.baseSerial
    if isChild || isTemporary(slot) {
      resolve(state, with: try withoutMoved(committedMembers(slot, index), slot, index))
    } else {
      let question = Question(kind: .members, entity: entity(slot), property: index)
      let owners = batch(at: slot, for: question) {
        collections[CollectionKey(slot: $0, property: index)]?.resolved == nil
      }
      let count = try fillCollections(index, of: owners, in: entity(slot))
      // A loop that ends early must not have read the members of all objects.
      if count > 20_000 { restart(question) }
    }
    return state.resolved ?? []
  }

  /// Drops cached members that can be read again, after a loop over very many objects.
  private func trimCollections() {
    if collections.count > 200_000 { collections = collections.filter { $0.value.isChanged } }
  }

  /// Returns the members in the store or the parent, without this context's unsaved changes.
  func committedMembers(_ slot: Int32, _ index: Int) throws -> [Int32] {
    if isChild { return try parentMembers(slot, index) }
    if isTemporary(slot) { return [] }
    let destination = entity(slot).destination(at: index)
    let table = context.table(for: destination)
    let members = try context.store.members(of: index, in: entity(slot), owners: [key(slot)]).map {
      table.register($0.member, destination)
    }
    return try asShown(members, slot, index)
  }

  /// A child's members in its parent without those that lead elsewhere by an unsaved change of this context.
  private func withoutMoved(_ members: [Int32], _ slot: Int32, _ index: Int) throws -> [Int32] {
    guard isChild, case .inverse(let back, _) = shape(slot).layout.properties[index] else { return members }
    let table = destinationTable(slot, index)
    if table.changes.isEmpty { return members }
    return try members.filter { member in
      guard let changes = table.changes[member], changes.kind == .updated,
        case .reference(let columns, _) = table.shape(member).layout.properties[back],
        changes.columns.containsAny(of: columns)
      else { return true }
      return try table.knownReference(member, back) == slot
    }
  }

  /// Combines the committed members and the unsaved changes.
  func resolve(_ state: CollectionState, with committed: [Int32]) {
    if let arrangement = state.arrangement {
      state.resolved = arranged(state, arrangement, committed)
      return
    }
    guard !state.overrides.isEmpty else {
      state.resolved = committed
      return
    }
    // During a save, new members' rows are already written, but not their positions.
    state.resolved = committed.filter { state.overrides[$0] == nil } + state.additions
  }

  /// The present members in this context's order: others may have added or removed some since.
  private func arranged(_ state: CollectionState, _ order: [Int32], _ committed: [Int32]) -> [Int32] {
    let members = committed.filter { state.overrides[$0] == nil } + state.additions
    let (known, present) = (Set(order), Set(members))
    return order.filter(present.contains) + members.filter { !known.contains($0) }
  }

  /// Returns the number of members of the to-many at `index`, counted in the store if they are not in memory.
  func memberCount(_ slot: Int32, _ index: Int) throws -> Int {
    try checkLiving(slot)
    relationshipReads &+= 1
    if isTransient(slot, index) { return transientTargets(slot, index).count }
    let key = CollectionKey(slot: slot, property: index)
    if isChild { return try members(slot, index).count }
    if let resolved = collections[key]?.resolved { return resolved.count }
    if collections[key]?.isChanged == true || context.hasStaleBases { return try members(slot, index).count }
    if isTemporary(slot) { return 0 }
    if let count = collections[key]?.storedCount { return count }
    trimCollections()
    let question = Question(kind: .count, entity: entity(slot), property: index)
    let owners = batch(at: slot, for: question) { other in
      guard let state = collections[CollectionKey(slot: other, property: index)] else { return true }
      return state.resolved == nil && state.storedCount == nil && !state.isChanged
    }
    try fillCounts(index, of: owners, in: entity(slot))
    return collections[key]?.storedCount ?? 0
  }

  /// Adds `member` to the to-many at `index`, or removes it.
  func setMember(_ slot: Int32, _ index: Int, _ member: Int32, isMember: Bool) throws {
    if isTransient(slot, index) {
      let others = transientTargets(slot, index).filter { $0 != member }
      return try setTransientTargets(slot, index, isMember ? others + [member] : others)
    }
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
      try noteMember(slot, index, member, isMember: isMember)
      if let inverse = entity(slot).inverse(at: index) {
        try table.noteMember(member, inverse, slot, isMember: isMember)
      }
    default:
      let name = entity(slot).properties[index].name
      throw GraphError(
        .notWritable(property: name, entity: entity(slot).name, reason: "the store keeps no such relationship"))
    }
  }

  /// Replaces all members of the to-many at `index`; the order matters if the relationship is ordered.
  func setMembers(_ slot: Int32, _ index: Int, _ new: [Int32]) throws {
    if isTransient(slot, index) { return try setTransientTargets(slot, index, new) }
    let wanted = Set(new)
    let old = try members(slot, index)
    let present = Set(old)
    for member in old where !wanted.contains(member) { try setMember(slot, index, member, isMember: false) }
    for member in new where !present.contains(member) { try setMember(slot, index, member, isMember: true) }
    guard entity(slot).properties[index].relationship?.isOrdered == true else { return }
    change(slot, .updated)
    noteArrangement(slot, index, from: old, to: new)
  }
}
