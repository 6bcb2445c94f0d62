internal import Modeling
internal import Stores

/// Finds the owners of unique values that changed objects were given, and resolves the duplicates by the merge policy.
///
/// It runs only after a constraint has failed, so that saves without a conflict look nothing up.
struct DuplicateResolver {
  private let resolver: ConflictResolver
  private var context: ObjectContext { resolver.context }

  /// Unique values of a changed object that belong to a stored row.
  private struct Duplicate {
    var reference: ObjectReference
    var constraint: UniqueConstraint
    var values: [Value]
    var owner: ObjectID
  }
  private struct Claim: Hashable {
    var root: Entity
    var properties: [Int]
    var declaring: Entity
    var values: [Value]
  }

  init(_ resolver: ConflictResolver) { self.resolver = resolver }

  func resolve() throws {
    // Dropping a change may restore a value that another object was given. Each round drops a change, so the loop ends.
    while try resolveOnce() {}
    for reference in context.changedReferences() { try vacate(reference) }
  }

  /// Resolves the present duplicates; returns false if there were none.
  private func resolveOnce() throws -> Bool {
    var claims: [Claim: ObjectReference] = [:]
    var refused: [ObjectConflict] = []
    var duplicates: [Duplicate] = []
    for reference in context.changedReferences() {
      for constraint in UniqueConstraint.all(of: reference.table.entity(reference.slot)) {
        guard let values = try changedValues(reference, constraint) else { continue }
        let claim = Claim(
          root: reference.table.root, properties: constraint.properties, declaring: constraint.entity, values: values)
        if let rival = claims.updateValue(reference, forKey: claim) {
          refused.append(
            facts(reference, constraint, values, .notUniqueAmongChanges(rival.table.objectID(rival.slot))))
        } else if let owner = try owner(of: values, constraint, but: reference) {
          duplicates.append(Duplicate(reference: reference, constraint: constraint, values: values, owner: owner))
        }
      }
    }
    let byObject = Dictionary(grouping: duplicates, by: \.reference)
    for duplicate in duplicates where !isSettled(duplicate.reference, byObject[duplicate.reference] ?? []) {
      refused.append(
        facts(duplicate.reference, duplicate.constraint, duplicate.values, .notUnique(duplicate.owner)))
    }
    if !refused.isEmpty { throw GraphError(.conflicts(refused)) }
    guard !duplicates.isEmpty else { return false }
    resolver.prepare()
    for reference in context.changedReferences() {
      guard let owned = byObject[reference], let first = owned.first else { continue }
      if isNew(reference) {
        try UpsertMerge(resolver, reference, into: first.owner).run()
      } else {
        try giveUp(owned, reference)
      }
    }
    resolver.forgetDropped()
    return true
  }

  /// Clears unique values that are about to change, so that rows can exchange them.
  private func vacate(_ reference: ObjectReference) throws {
    let (table, slot) = (reference.table, reference.slot)
    guard let changes = table.changes[slot], changes.kind == .updated else { return }
    let shape = table.shape(slot)
    let properties = Set(UniqueConstraint.all(of: shape.entity).flatMap(\.properties))
    let columns = properties.flatMap { shape.layout.properties[$0].ownColumns }.sorted()
    let empty = columns.compactMap { column -> (column: Int, value: Value)? in
      guard let value = changes.columns[column], !value.isNull, !shape.layout.primaryKey.contains(column) else {
        return nil
      }
      return (column, .null)
    }
    do {
      // A part of its own: on some stores a write that is refused ends the transaction around it.
      _ = try context.store.transaction { try context.store.update(shape.entity, key: table.key(slot), empty) }
    } catch let error as StoreError {
      // A NOT NULL column keeps its value; the write shows whether it causes a conflict.
      guard case .constraint = error.fact else { throw error }
    }
  }

  private func isNew(_ reference: ObjectReference) -> Bool {
    reference.table.objectID(reference.slot).isTemporary
  }

  /// Whether the policy can resolve the object's duplicates.
  private func isSettled(_ reference: ObjectReference, _ duplicates: [Duplicate]) -> Bool {
    switch resolver.policy {
    case .error: return false
    case .storeTrump, .rollback:
      if !isNew(reference) { return reference.table.changes[reference.slot]?.kind == .updated }
    case .objectTrump, .overwrite:
      if !isNew(reference) { return false }
    }
    // Two stored rows cannot be merged into one.
    guard let owner = duplicates.first?.owner, duplicates.allSatisfy({ $0.owner == owner }) else { return false }
    return owner.entity === reference.table.entity(reference.slot)
  }

  /// Returns the constraint's values if the object's changes concern them; nil if one of them is nil.
  private func changedValues(_ reference: ObjectReference, _ constraint: UniqueConstraint) throws -> [Value]? {
    let (table, slot) = (reference.table, reference.slot)
    guard let changes = table.changes[slot], changes.kind != .deleted else { return nil }
    let isTouched = constraint.properties.contains { index in
      table.shape(slot).layout.properties[index].ownColumns.contains { changes.columns[$0] != nil }
    }
    guard changes.kind == .inserted || isTouched else { return nil }
    var values: [Value] = []
    for index in constraint.properties {
      let value: Value
      if table.entity(slot).properties[index].attribute != nil {
        value = try table.attribute(slot, index)
      } else {
        let others = table.destinationTable(slot, index)
        value = try table.knownReference(slot, index).map { .object(others.objectID($0)) } ?? .null
      }
      if value.isNull { return nil }
      values.append(value)
    }
    return values
  }

  /// Returns the stored row that has the values and will keep them in this save.
  private func owner(
    of values: [Value], _ constraint: UniqueConstraint, but reference: ObjectReference
  ) throws -> ObjectID? {
    for case .object(let id) in values where id.isTemporary { return nil }
    let table = reference.table
    guard let key = try context.store.key(of: constraint.entity, where: constraint.properties, equal: values),
      key != table.key(reference.slot)
    else { return nil }
    if let slot = table.slot(of: key), let changes = table.changes[slot] {
      if changes.kind == .deleted { return nil }
      let own = ObjectReference(table: table, slot: slot)
      if let changed = try changedValues(own, constraint), changed != values { return nil }
    }
    let row = try context.store.rows(of: table.root, keys: [key])
    defer { row.close() }
    return try row.step() ? ObjectID(entity: row.entity, key: key) : nil
  }

  /// Reverts the change that gave a stored object another's unique values.
  private func giveUp(_ duplicates: [Duplicate], _ reference: ObjectReference) throws {
    let (table, slot) = (reference.table, reference.slot)
    guard resolver.policy == .storeTrump else {
      try resolver.dropColumns(reference)
      return resolver.drop(reference)
    }
    let properties = Set(duplicates.flatMap(\.constraint.properties))
    let shape = table.shape(slot)
    let columns = shape.companions(of: Set(properties.flatMap { shape.layout.properties[$0].ownColumns }))
    let targets = try resolver.targets(reference) { columns.contains($0) }
    for column in columns { table.changes[slot]?.columns[column] = nil }
    for (index, target) in targets { try resolver.follow(reference, index, from: target) }
  }

  private func facts(
    _ reference: ObjectReference, _ constraint: UniqueConstraint, _ values: [Value], _ kind: ObjectConflict.Kind
  ) -> ObjectConflict {
    var conflict = reference.table.conflict(reference.slot, kind)
    conflict.properties = zip(constraint.properties, values).map { index, value in
      PropertyConflict(
        property: constraint.entity.properties[index].name, base: .null, mine: value, theirs: value, isMine: true)
    }
    return conflict
  }
}
