internal import Modeling
internal import Stores

extension ConflictResolver {
  /// Resolves one conflict by the policy, which is not `.error`.
  func resolve(_ conflict: RowConflict) throws {
    // An earlier resolution may have resolved this conflict, too.
    guard let changes = conflict.reference.table.changes[conflict.reference.slot] else { return }
    let storeWins = policy == .storeTrump || policy == .rollback
    switch (changes.kind, conflict.theirs) {
    case (.deleted, .some):
      if storeWins { return try revive(conflict.reference) }
      // The delete rules must apply to the targets that others have set.
      exchange(conflict.reference, conflict.takeTheirs())
    case (.updated, .some): try merge(conflict, changes)
    case (.updated, .none): if storeWins { try vanish(conflict.reference) } else { try bringBack(conflict) }
    case (.inserted, _), (.deleted, .none): break
    }
  }

  /// Merges a row that both changed, choosing one of the two values for each column.
  private func merge(_ conflict: RowConflict, _ changes: UnsavedChanges) throws {
    let (table, slot) = (conflict.reference.table, conflict.reference.slot)
    let shape = table.shape(slot)
    let touched = Set(conflict.columns)
    for (column, _) in changes.columns where !conflict.isMine(column) {
      changes.columns[column] = nil
    }
    // Changes of many-to-manys alone do not need to write the row.
    let policy = conflict.isIdle ? .storeTrump : policy
    let targets = try self.targets(conflict.reference) { touched.contains($0) || changes.columns[$0] != nil }
    var seen: [(column: Int, value: Value)] = []
    if policy == .overwrite {
      for (index, _) in targets {
        let own = shape.layout.properties[index].ownColumns
        if changes.columns.containsAny(of: own) { continue }
        restored.insert(Place(reference: conflict.reference, property: index))
      }
      for column in conflict.columns where changes.columns[column] == nil {
        seen.append((column, try table.storedColumn(slot, column).decoded(as: shape.layout.columns[column].type)))
      }
    }
    exchange(conflict.reference, conflict.takeTheirs())
    switch policy {
    case .error, .objectTrump: break
    case .overwrite: for (column, value) in seen { changes.columns[column] = value }
    case .storeTrump: for column in shape.companions(of: touched) { changes.columns[column] = nil }
    case .rollback: changes.columns = ChangedColumns()
    }
    for (index, target) in targets { try follow(conflict.reference, index, from: target) }
    if policy == .rollback { drop(conflict.reference) }
  }

  /// Drops the changes of an object whose row is gone.
  private func vanish(_ reference: ObjectReference) throws {
    try dropColumns(reference)
    markGone(reference)
  }

  /// Reverts all changed columns, and the inverse sides of changed references.
  func dropColumns(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let targets = try self.targets(reference) { changes.columns[$0] != nil }
    changes.columns = ChangedColumns()
    for (index, target) in targets { try follow(reference, index, from: target) }
  }

  /// Inserts a deleted row again, under its key and with the object's values.
  private func bringBack(_ conflict: RowConflict) throws {
    let (table, slot) = (conflict.reference.table, conflict.reference.slot)
    guard let changes = table.changes[slot], table.row(slot) != nil else { throw table.missing(slot) }
    let layout = table.shape(slot).layout
    var values = try layout.columns.indices.map { column in
      try changes.columns[column] ?? table.storedColumn(slot, column).decoded(as: layout.columns[column].type)
    }
    // The targets of its references may have been deleted together with it.
    for (index, property) in layout.properties.enumerated() {
      guard case .reference(let own, _) = property, !changes.columns.containsAny(of: own) else { continue }
      if try context.store.resolve(own.map { values[$0] }, of: index, in: table.entity(slot)) == nil {
        for column in own { values[column] = .null }
      }
    }
    table.changes.set(
      slot, UnsavedChanges.Record(.inserted, columns: ChangedColumns(all: values), order: changes.order))
  }

  // MARK: Dropped deletes

  /// Reverts the deletion of an object that others changed, with everything that its delete rules did.
  private func revive(_ reference: ObjectReference) throws {
    let family = deletedFamilies[origin(of: reference)] ?? []
    for member in family {
      if let changes = member.table.changes[member.slot], changes.wasInserted {
        (changes.kind, changes.wasInserted, changes.cause) = (.inserted, false, nil)
      } else {
        drop(member)
        exchange(member, nil)
      }
    }
    for member in family {
      for (index, target) in try targets(member, { _ in true }) { try follow(member, index, from: target) }
      try takeBackNullifying(member)
    }
  }

  /// Returns the object whose deletion, directly or through delete rules, caused that of another.
  func origin(of reference: ObjectReference) -> ObjectReference {
    var origin = reference
    while let cause = cause(of: origin) { origin = cause }
    return origin
  }

  /// Returns the deleted object because of which another was deleted.
  private func cause(of reference: ObjectReference) -> ObjectReference? {
    guard let cause = reference.table.changes[reference.slot]?.cause, cause.table.changes[cause.slot]?.kind == .deleted
    else { return nil }
    return cause
  }

  /// Returns the deleted objects, by the object whose deletion caused theirs.
  func families() -> [ObjectReference: [ObjectReference]] {
    let deleted = context.changedReferences().filter { $0.table.changes[$0.slot]?.kind == .deleted }
    // Cascades may be a chain: what lies on the way to an origin is looked at once.
    var origins: [ObjectReference: ObjectReference] = [:]
    return Dictionary(grouping: deleted) { reference in
      var (way, origin) = ([] as [ObjectReference], reference)
      while origins[origin] == nil, let cause = cause(of: origin) {
        way.append(origin)
        origin = cause
      }
      origin = origins[origin] ?? origin
      for passed in way { origins[passed] = origin }
      return origin
    }
  }

  /// Restores the references to a revived object, unless they have been set since.
  private func takeBackNullifying(_ reference: ObjectReference) throws {
    let (table, slot) = (reference.table, reference.slot)
    guard !table.objectID(slot).isTemporary else { return }
    for (index, property) in table.shape(slot).layout.properties.enumerated() {
      guard let inverse = table.entity(slot).inverse(at: index) else { continue }
      let others = table.destinationTable(slot, index)
      var members: [Int32] = []
      if case .inverse = property {
        table.collections[.init(slot: slot, property: index)] = nil
        let pairs = try context.store.members(
          of: index, in: table.entity(slot), owners: [table.key(slot)])
        members = pairs.compactMap { others.slot(of: $0.member) }
      } else if case .reference = property, let target = try table.knownReference(slot, index) {
        members = [target]
      }
      for member in members where others.isNullified(member, inverse) {
        if try others.storedReference(member, inverse) == slot { others.revertReference(member, inverse) }
      }
    }
  }
}
