internal import Modeling
internal import Storage

extension ObjectContext {
  /// Writes all changes in one transaction, after every object was found valid.
  ///
  /// With `dryRun` everything is written and taken back, so that the store's own rules are tried too; the changes stay
  /// pending. Nothing is changed in the store or in memory if it throws.
  ///
  /// - Throws: GraphError.invalid with every violation, StoreError.
  public func save(dryRun: Bool = false) throws {
    let changed = changedReferences()
    guard !changed.isEmpty else { return }
    try Validation(context: self, changed: changed).check()
    var writer = ChangeWriter(context: self, changed: changed)
    writer.forgetNewKeys()
    do {
      try store.transaction {
        try writer.write()
        if dryRun { throw DryRunEnd() }
      }
    } catch is DryRunEnd {
      return
    }
    writer.settle()
    noticeDerivedChanges(by: changed)
    changeLog.removeAll(keepingCapacity: false)
    noticeForeignWrites()
  }

  /// Thrown through a transaction to take it back.
  private struct DryRunEnd: Error {}
}

/// Turns the changes of a context into statements, in an order that satisfies constraints.
///
/// References to deleted rows are cleared first, then rows are deleted, so that unique values become free; then values
/// are changed, new rows inserted each after those it refers to, and what refers to new rows is set last.
struct ChangeWriter {
  let context: ObjectContext
  let changed: [ObjectReference]
  private var inProgress: Set<ObjectReference> = []
  /// References of inserted rows that had to wait because of a cycle.
  private var postponed: [(reference: ObjectReference, column: Int, target: ObjectID)] = []

  private var store: SQLiteStore { context.store }

  init(context: ObjectContext, changed: [ObjectReference]) {
    self.context = context
    self.changed = changed
  }

  /// Forgets the keys that an earlier save, which failed, had given.
  func forgetNewKeys() {
    for reference in changed { reference.table.changes[reference.slot]?.newKey = nil }
  }

  /// Writes everything, within the caller's transaction.
  mutating func write() throws {
    let updated = changed.filter { kind($0) == .updated }
    for reference in updated { try update(reference, clearing: true) }
    for reference in changed where kind(reference) == .deleted && !wasInserted(reference) {
      _ = try store.delete(reference.table.entity(reference.slot), key: reference.table.key(reference.slot))
    }
    for reference in updated { try update(reference, clearing: false) }
    try insertAll(changed.filter { kind($0) == .inserted })
    for reference in updated { try updateNewReferences(reference) }
    for (reference, column, target) in postponed { try set(reference, column, to: target) }
    try writeLinks()
  }

  private func kind(_ reference: ObjectReference) -> ObjectChanges.Kind? {
    reference.table.changes[reference.slot]?.kind
  }

  private func wasInserted(_ reference: ObjectReference) -> Bool {
    reference.table.changes[reference.slot]?.wasInserted == true
  }

  /// Whether the value leads to an object that is not in the store yet.
  private func isPending(_ value: Value) -> Bool {
    if case .object = value { true } else { false }
  }

  // MARK: Updates

  /// Sets the changed columns of a row: those that became nil (`clearing`), or the others without new references.
  private func update(_ reference: ObjectReference, clearing: Bool) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let shape = reference.table.shape(reference.slot)
    var list: [(column: Int, value: Value)] = []
    for (column, value) in changes.columns.enumerated() {
      guard let value, !isPending(value) else { continue }
      if (value.isNull && shape.isReferenceColumn[column]) == clearing { list.append((column, value)) }
    }
    guard !list.isEmpty else { return }
    try write(list, to: reference)
  }

  private func updateNewReferences(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    for (column, value) in changes.columns.enumerated() {
      if case .object(let target)? = value { try set(reference, column, to: target) }
    }
  }

  private func write(_ list: [(column: Int, value: Value)], to reference: ObjectReference) throws {
    let table = reference.table
    guard try store.update(table.entity(reference.slot), key: key(table, reference.slot), list) else {
      throw table.missing(reference.slot)
    }
  }

  /// Writes a reference to an object that was inserted meanwhile.
  private func set(_ reference: ObjectReference, _ column: Int, to target: ObjectID) throws {
    guard let property = reference.table.shape(reference.slot).referenceAtColumn[column] else { return }
    try write(try referenceValues(reference, property, to: target), to: reference)
  }

  private func referenceValues(
    _ reference: ObjectReference, _ property: Int, to target: ObjectID
  ) throws -> [(column: Int, value: Value)] {
    guard case .reference(let columns, let kind) = reference.table.shape(reference.slot).layout.properties[property]
    else { return [] }
    let key = key(of: target)
    if case .key = kind { return [(columns[0], .int(key))] }
    let values = try store.referenceValues(to: key, of: property, in: reference.table.entity(reference.slot))
    return Array(zip(columns, values))
  }

  // MARK: Inserts

  /// The number of new rows of one entity from which indexes are better built after them.
  private static let bulkThreshold = 10_000

  private mutating func insertAll(_ inserted: [ObjectReference]) throws {
    var counts: [Entity: Int] = [:]
    for reference in inserted { counts[reference.table.entity(reference.slot), default: 0] += 1 }
    let bulky = counts.filter { $0.value >= Self.bulkThreshold }.map { ($0.key, $0.value) }
    try bulkInsert(bulky[...], inserted)
  }

  private mutating func bulkInsert(_ entities: ArraySlice<(Entity, Int)>, _ inserted: [ObjectReference]) throws {
    guard let (entity, count) = entities.first else {
      for reference in inserted { try insert(reference) }
      return
    }
    var writer = self
    defer { self = writer }
    try store.bulkInsert(into: entity, expecting: count) { try writer.bulkInsert(entities.dropFirst(), inserted) }
  }

  /// Inserts a row after those it refers to; a cycle is closed by an update at the end.
  private mutating func insert(_ reference: ObjectReference) throws {
    let table = reference.table
    guard let changes = table.changes[reference.slot], changes.newKey == nil else { return }
    var values = changes.columns.map { $0 ?? .null }
    for (column, value) in changes.columns.enumerated() {
      guard case .object(let target)? = value else { continue }
      inProgress.insert(reference)
      try resolve(target, in: &values, column, of: reference)
      inProgress.remove(reference)
    }
    changes.newKey = try store.insert(table.entity(reference.slot), values)
  }

  private mutating func resolve(
    _ target: ObjectID, in values: inout [Value], _ column: Int, of reference: ObjectReference
  ) throws {
    values[column] = .null
    let table = context.table(for: target.entity)
    if target.isTemporary, let slot = table.slot(of: target.key), table.changes[slot]?.newKey == nil {
      let other = ObjectReference(table: table, slot: slot)
      if inProgress.contains(other) {
        postponed.append((reference, column, target))
        return
      }
      try insert(other)
    }
    guard let property = reference.table.shape(reference.slot).referenceAtColumn[column] else { return }
    for (column, value) in try referenceValues(reference, property, to: target) { values[column] = value }
  }

  // MARK: Pairs and order

  private func writeLinks() throws {
    for table in context.allTables {
      for (key, state) in table.collections where state.isChanged && !table.isGone(key.slot) {
        try writeLinks(table, key.slot, key.property, state)
      }
    }
  }

  private func writeLinks(_ table: ObjectTable, _ slot: Int32, _ index: Int, _ state: CollectionState) throws {
    guard table.changes[slot]?.kind != .deleted else { return try unlinkDeleted(table, slot, index, state) }
    let entity = table.entity(slot)
    let owner = key(table, slot)
    let members = context.table(for: entity.destination(at: index))
    if case .join = table.shape(slot).layout.properties[index], isCanonical(entity, index) {
      for (member, isMember) in state.overrides.sorted(by: { key(members, $0.key) < key(members, $1.key) }) {
        guard !members.isGone(member), isMember == false || members.changes[member]?.kind != .deleted else { continue }
        if isMember {
          try store.link(index, in: entity, owner: owner, member: key(members, member), order: nil)
        } else if !ObjectID(entity: entity, key: key(members, member)).isTemporary {
          try store.unlink(index, in: entity, owner: owner, member: key(members, member))
        }
      }
    }
    guard entity.properties[index].relationship?.isOrdered == true else { return }
    let order = try table.members(slot, index).filter { members.changes[$0]?.kind != .deleted }
    try store.setOrder(index, in: entity, owner: owner, members: order.map { key(members, $0) })
  }

  private func unlinkDeleted(_ table: ObjectTable, _ slot: Int32, _ index: Int, _ state: CollectionState) throws {
    guard case .join = table.shape(slot).layout.properties[index],
      !wasInserted(ObjectReference(table: table, slot: slot))
    else { return }
    let members = context.table(for: table.entity(slot).destination(at: index))
    for (member, _) in state.overrides where !ObjectID(entity: members.root, key: key(members, member)).isTemporary {
      try store.unlink(index, in: table.entity(slot), owner: table.key(slot), member: key(members, member))
    }
  }

  /// The key of a row, the new one if it was inserted in this save.
  private func key(_ table: ObjectTable, _ slot: Int32) -> Int64 { table.changes[slot]?.newKey ?? table.key(slot) }

  private func key(of target: ObjectID) -> Int64 {
    guard target.isTemporary, case let table = context.table(for: target.entity), let slot = table.slot(of: target.key)
    else { return target.key }
    return key(table, slot)
  }

  /// Whether this side of a many-to-many is the one whose changes are written; both sides record them.
  private func isCanonical(_ entity: Entity, _ index: Int) -> Bool {
    guard let inverse = entity.inverse(at: index) else { return true }
    let other = entity.destination(at: index)
    let here = (entity.root.name, entity.properties[index].name)
    return here <= (other.root.name, other.properties[inverse].name)
  }

  // MARK: After the commit

  /// Lets the context's objects follow: keys become permanent, changes are gone, values are read again when touched.
  func settle() {
    for reference in changed {
      let table = reference.table
      guard let changes = table.changes[reference.slot] else { continue }
      if changes.kind == .deleted {
        table.bury(reference.slot)
        continue
      }
      if let key = changes.newKey { table.rekey(reference.slot, to: key) }
      table.changes[reference.slot] = nil
      table.setDirty(reference.slot, false)
      table.dropRow(reference.slot)
    }
    for table in context.allTables { table.collections = table.collections.filter { !$0.value.isChanged } }
  }
}
