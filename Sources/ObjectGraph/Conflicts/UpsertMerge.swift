internal import Modeling
internal import Stores

/// Merges a new object with the stored row that has its unique values. The row keeps its key.
///
/// References to the new object then lead to the row. The new object becomes the row's object, unless the context
/// already has one; that one then takes the merged values, and the new object is removed.
struct UpsertMerge {
  private let resolver: ConflictResolver
  private let reference: ObjectReference
  private let owner: ObjectID
  private var context: ObjectContext { resolver.context }
  private var table: ObjectTable { reference.table }
  private var slot: Int32 { reference.slot }

  init(_ resolver: ConflictResolver, _ reference: ObjectReference, into owner: ObjectID) {
    self.resolver = resolver
    self.reference = reference
    self.owner = owner
  }

  func run() throws {
    guard let mine = table.changes[slot] else { return }
    if let known = table.slot(of: owner.key),
      !context.releaseIfUnused(table, known, pinned: resolver.slotsOfResults)
    {
      // A reference may have registered it as an object of an ancestor, which lacks what the new one has.
      try dissolve(mine, into: table.register(owner.key, owner.entity))
    } else {
      try takeOver(mine)
    }
  }

  /// Returns the columns that the new object writes under the policy; the row keeps its other values.
  private func written(_ mine: UnsavedChanges, _ stored: (Int) throws -> Value) rethrows -> ChangedColumns {
    let shape = table.shape(slot)
    let values: [Value?] = try shape.layout.columns.indices.map { column in
      guard shape.layout.columns[column].isWritable, column != shape.keyColumn,
        !shape.layout.primaryKey.contains(column)
      else { return nil }
      let value = mine.columns[column]
      switch resolver.policy {
      case .error, .rollback: return nil
      case .overwrite: return shape.layout.columns[column].hasStoreDefault ? value : value ?? .null
      case .objectTrump:
        let isDefault = shape.defaults[column] != nil && !mine.assignedDefaults.contains(column)
        return isDefault ? nil : value
      case .storeTrump:
        guard let value, !value.isNull else { return nil }
        return try stored(column).isNull ? value : nil
      }
    }
    return ChangedColumns(all: values)
  }

  // MARK: The row's object is not registered

  /// Makes the slot the row's object.
  private func takeOver(_ mine: UnsavedChanges) throws {
    let row = try context.store.rows(of: table.root, keys: [owner.key])
    defer { row.close() }
    guard try row.step() else { throw GraphError(.missingRow(entity: owner.entity.name, key: "", from: nil)) }
    let targets = try resolver.targets(reference) { _ in true }
    let temporary = table.objectID(slot)
    resolver.rekey(reference, to: owner.key)
    resolver.exchange(reference, row.pack())
    let types = table.shape(slot).layout.columns.map(\.type)
    let columns = try written(mine) { try table.storedColumn(slot, $0).decoded(as: types[$0]) }
    table.changes.set(slot, UnsavedChanges.Record(.updated, columns: columns, order: mine.order))
    try redirect(temporary)
    for (index, target) in targets { try resolver.follow(reference, index, from: target) }
    for (key, state) in table.collections where key.slot == slot {
      state.arrangement = nil
      state.resolved = nil
    }
  }

  /// Gives references to the unsaved object the key of the row.
  private func redirect(_ temporary: ObjectID) throws {
    for place in resolver.temporaryLeads.leads(to: temporary) {
      let (other, otherSlot) = (place.reference.table, place.reference.slot)
      guard let changes = other.changes[otherSlot],
        case .reference(let columns, let target) = other.shape(otherSlot).layout.properties[place.property]
      else { continue }
      var values = [Value.int(owner.key)]
      if case .columns = target {
        values = try context.store.referenceValues(
          to: owner.key, of: place.property, in: other.entity(otherSlot))
      }
      for (column, value) in zip(columns, values) { changes.columns[column] = value }
    }
  }

  // MARK: The row's object is registered

  /// Copies the new object's values to the registered object, and removes the new one.
  private func dissolve(_ mine: UnsavedChanges, into known: Int32) throws {
    if !table.isDirty(known) { resolver.exchange(ObjectReference(table: table, slot: known), nil) }
    let shape = table.shape(slot)
    let types = shape.layout.columns.map(\.type)
    let columns = try written(mine) { try table.column(known, $0).decoded(as: types[$0]) }
    let targets = try resolver.targets(reference) { _ in true }
    for (index, target) in targets where target != nil { try table.setReference(slot, index, to: nil) }
    let knownReference = ObjectReference(table: table, slot: known)
    for place in resolver.temporaryLeads.leads(to: table.objectID(slot)) {
      try place.reference.table.setReference(place.reference.slot, place.property, to: known)
    }
    try movePairs(to: known)
    for (column, value) in columns where !shape.isReferenceColumn[column] {
      guard try table.column(known, column).decoded(as: types[column]) != value else { continue }
      try table.setColumn(known, column, value)
    }
    for (index, target) in targets {
      guard columns.containsAny(of: shape.layout.properties[index].ownColumns) else { continue }
      try table.setReference(known, index, to: target)
      resolver.temporaryLeads.note(knownReference, index)
    }
    resolver.markGone(reference)
  }

  private func movePairs(to known: Int32) throws {
    for (index, property) in table.shape(slot).layout.properties.enumerated() {
      guard case .join = property else { continue }
      for member in try table.members(slot, index) {
        try table.setMember(slot, index, member, isMember: false)
        try table.setMember(known, index, member, isMember: true)
      }
    }
    // Relationships without an inverse that have the new object as a member.
    for owners in context.allTables {
      for (key, state) in owners.changedCollections where state.overrides[slot] == true {
        guard case .join = owners.shape(key.slot).layout.properties[key.property],
          owners.destinationTable(key.slot, key.property) === table
        else { continue }
        try owners.setMember(key.slot, key.property, slot, isMember: false)
        try owners.setMember(key.slot, key.property, known, isMember: true)
      }
    }
  }
}
