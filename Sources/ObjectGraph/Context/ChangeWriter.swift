internal import Modeling
internal import Stores

/// Turns the changes of a context into statements, in an order that satisfies constraints.
///
/// Reference columns are updated first, so that no cascade deletes a row that has already moved elsewhere. Then rows
/// are deleted, which frees their unique values. Then values are updated and new rows inserted, each after the rows it
/// refers to. References to new rows are written last.
struct ChangeWriter {
  let context: ObjectContext
  let changed: [ObjectReference]
  private var inProgress: Set<ObjectReference> = []
  /// References of inserted rows that wait because they are part of a cycle.
  private var postponed: [(reference: ObjectReference, column: Int, target: ObjectID)] = []

  /// The values that are written to a row, kept for the next one's.
  private var list: [(column: Int, value: Value)] = []
  private let store: any ObjectStore

  init(context: ObjectContext, changed: [ObjectReference]) {
    self.context = context
    store = context.store
    self.changed = changed
  }

  /// Writes everything, within the caller's transaction.
  mutating func write() throws {
    var (referring, deleted): ([ObjectReference], [ObjectReference]) = ([], [])
    var (updatedCount, insertedCount) = (0, 0)
    for reference in changed {
      guard let changes = reference.table.changes[reference.slot] else { continue }
      // An earlier, failed save may have assigned it.
      changes.newKey = nil
      switch changes.kind {
      case .updated:
        updatedCount += 1
        if reference.table.hasReferences { referring.append(reference) }
      case .deleted: if !changes.wasInserted { deleted.append(reference) }
      case .inserted: insertedCount += 1
      }
    }
    for reference in referring { try updateReferences(reference) }
    if !deleted.isEmpty {
      try store.delete(
        deleted.map { ObjectID(entity: $0.table.entity($0.slot), key: $0.table.key($0.slot)) })
    }
    if updatedCount > 0 {
      for reference in changed where kind(reference) == .updated { try updateAttributes(reference) }
    }
    if insertedCount > 0 {
      // Where all are new, which may be millions, the list is not copied.
      try insertAll(insertedCount == changed.count ? changed : changed.filter { kind($0) == .inserted })
    }
    for reference in referring { try updateNewReferences(reference) }
    for (reference, column, target) in postponed { try set(reference, column, to: target) }
    try writeLinks()
  }

  private func kind(_ reference: ObjectReference) -> UnsavedChanges.Kind? {
    reference.table.changes[reference.slot]?.kind
  }

  private func wasInserted(_ reference: ObjectReference) -> Bool {
    reference.table.changes[reference.slot]?.wasInserted == true
  }

  /// Whether the value refers to an object that is not yet in the store.
  private func isPending(_ value: Value) -> Bool {
    if case .object = value { true } else { false }
  }

  // MARK: Updates

  /// Updates a row's changed reference columns. A reference to a new row is NULL until that row is inserted.
  private mutating func updateReferences(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    let shape = reference.table.shape(reference.slot)
    list.removeAll(keepingCapacity: true)
    for (column, value) in changes.columns where shape.isReferenceColumn[column] {
      if !isPending(value) {
        list.append((column, value))
      } else if store.traits.allowsEmptyReferences {
        list.append((column, .null))
      }
    }
    if !list.isEmpty { try write(list, to: reference) }
  }

  /// Updates a row's changed attribute columns.
  private mutating func updateAttributes(_ reference: ObjectReference) throws {
    let table = reference.table
    guard let changes = table.changes[reference.slot] else { return }
    list.removeAll(keepingCapacity: true)
    for change in changes.columns
    where !table.hasReferences || !table.shape(reference.slot).isReferenceColumn[change.column] {
      list.append(change)
    }
    if !list.isEmpty { try write(list, to: reference) }
  }

  private func updateNewReferences(_ reference: ObjectReference) throws {
    guard let changes = reference.table.changes[reference.slot] else { return }
    for (column, value) in changes.columns {
      if case .object(let target) = value { try set(reference, column, to: target) }
    }
  }

  private func write(_ list: [(column: Int, value: Value)], to reference: ObjectReference) throws {
    let table = reference.table
    guard try store.update(table.entity(reference.slot), key: key(table, reference.slot), list) else {
      throw table.missing(reference.slot)
    }
  }

  /// Writes a reference to an object that has been inserted by now.
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

  /// From this number of new rows of one entity on, building the indexes afterwards is faster.
  private static let bulkThreshold = 10_000

  private mutating func insertAll(_ inserted: [ObjectReference]) throws {
    // Restored rows come first, so that no new row gets one of their old keys.
    for reference in inserted where reference.table.key(reference.slot) > ObjectID.temporaryLimit {
      try insert(reference)
    }
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

  /// A row that is about to be inserted, with its values, of which some may still lead to objects without a row.
  private struct Insertion {
    let reference: ObjectReference
    let changes: UnsavedChanges
    var values: [Value]
  }

  /// The insertion of an object that has no row yet; nil for others.
  private func insertion(of reference: ObjectReference) -> Insertion? {
    let table = reference.table
    guard let changes = table.changes[reference.slot], changes.kind == .inserted, changes.newKey == nil else {
      return nil
    }
    let values = changes.columns.row(count: table.shape(reference.slot).columnCount)
    return Insertion(reference: reference, changes: changes, values: values)
  }

  /// Inserts a row after the rows it refers to. An update at the end closes a cycle.
  private mutating func insert(_ reference: ObjectReference) throws {
    guard let first = insertion(of: reference) else { return }
    guard first.values.contains(where: isPending) else { return try write(first) }
    // A list, because rows that each refer to the next may be a chain of any length.
    var open = [first]
    inProgress.insert(reference)
    while let last = open.indices.last {
      guard let column = open[last].values.firstIndex(where: isPending),
        case .object(let target) = open[last].values[column]
      else {
        let complete = open.removeLast()
        inProgress.remove(complete.reference)
        try write(complete)
        continue
      }
      let reference = open[last].reference
      let table = context.table(for: target.entity)
      if let slot = table.slot(of: target.key), let next = insertion(of: ObjectReference(table: table, slot: slot)) {
        if inProgress.insert(next.reference).inserted {
          open.append(next)
        } else {
          postponed.append((reference, column, target))
          open[last].values[column] = .null
        }
        continue
      }
      open[last].values[column] = .null
      guard let property = reference.table.shape(reference.slot).referenceAtColumn[column] else { continue }
      for (column, value) in try referenceValues(reference, property, to: target) { open[last].values[column] = value }
    }
  }

  private func write(_ insertion: Insertion) throws {
    let id = insertion.reference.table.objectID(insertion.reference.slot)
    // An undo may restore a deleted row.
    insertion.changes.newKey = try store.insert(id.entity, insertion.values, key: id.isTemporary ? nil : id.key)
  }

  // MARK: Pairs and order

  /// New pairs of a relationship.
  private struct NewPairs {
    let entity: Entity
    let relationship: Int
    var pairs: [(owner: Int64, member: Int64)] = []
  }

  private func writeLinks() throws {
    var added: [NewPairs] = []
    for table in context.allTables {
      for (key, state) in table.changedCollections where !table.isGone(key.slot) {
        try writeLinks(table, key.slot, key.property, state, &added)
      }
    }
    for new in added { try store.link(new.relationship, in: new.entity, pairs: new.pairs) }
    // A pair must exist before it can be given a position; either side may have written it.
    for table in context.allTables {
      for (key, _) in table.changedCollections where !table.isGone(key.slot) {
        try writeOrder(table, key.slot, key.property)
      }
    }
  }

  private func writeLinks(
    _ table: ObjectTable, _ slot: Int32, _ index: Int, _ state: CollectionState, _ added: inout [NewPairs]
  ) throws {
    guard table.changes[slot]?.kind != .deleted else { return try unlinkDeleted(table, slot, index, state) }
    let entity = table.entity(slot)
    let owner = key(table, slot)
    let members = context.table(for: entity.destination(at: index))
    if case .join = table.shape(slot).layout.properties[index], isCanonical(entity, index) {
      for (member, isMember) in state.overrides.sorted(by: { key(members, $0.key) < key(members, $1.key) }) {
        guard !members.isGone(member), isMember == false || members.changes[member]?.kind != .deleted else { continue }
        if isMember {
          var place = added.firstIndex { $0.entity === entity && $0.relationship == index }
          if place == nil {
            added.append(NewPairs(entity: entity, relationship: index))
            place = added.count - 1
          }
          if let place { added[place].pairs.append((owner, key(members, member))) }
        } else if !ObjectID(entity: entity, key: key(members, member)).isTemporary {
          try store.unlink(index, in: entity, owner: owner, member: key(members, member))
        }
      }
    }
  }

  private func writeOrder(_ table: ObjectTable, _ slot: Int32, _ index: Int) throws {
    let entity = table.entity(slot)
    guard entity.properties[index].relationship?.isOrdered == true, table.changes[slot]?.kind != .deleted else {
      return
    }
    let owner = key(table, slot)
    let members = context.table(for: entity.destination(at: index))
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

  /// Returns a row's key; for a row inserted in this save, its new key.
  private func key(_ table: ObjectTable, _ slot: Int32) -> Int64 { table.changes[slot]?.newKey ?? table.key(slot) }

  private func key(of target: ObjectID) -> Int64 {
    let table = context.table(for: target.entity)
    guard let slot = table.slot(of: target.key) else { return target.key }
    return key(table, slot)
  }

  /// Whether this side of a many-to-many writes the changes. Both sides record them.
  private func isCanonical(_ entity: Entity, _ index: Int) -> Bool {
    guard let inverse = entity.inverse(at: index) else { return true }
    let other = entity.destination(at: index)
    let here = (entity.root.name, entity.properties[index].name)
    return here <= (other.root.name, other.properties[inverse].name)
  }

  // MARK: After the commit

  /// Updates the context's objects after the commit: keys become permanent, changes are cleared, and values are read
  /// again on the next access.
  ///
  /// The rows of `merged` objects now include what others wrote.
  func settle(merged: Set<ObjectReference>) {
    context.forgetTransientTargets(changed.filter { kind($0) == .deleted && !wasInserted($0) })
    for reference in changed {
      let table = reference.table
      guard let changes = table.changes[reference.slot] else { continue }
      context.noteSaved(table, reference.slot, changes, isMerged: merged.contains(reference))
      if changes.kind == .deleted {
        table.markGone(reference.slot)
        continue
      }
      if let key = changes.newKey {
        // Other programs reuse the keys of deleted rows: the object that had this key is gone.
        if let former = table.slot(of: key), former != reference.slot { table.markGone(former) }
        rekey(reference, to: key)
      }
      table.changes.remove(reference.slot)
      table.setDirty(reference.slot, false)
      table.dropRow(reference.slot)
    }
    for table in context.allTables {
      if !table.collections.isEmpty { table.collections = table.collections.filter { !$0.value.isChanged } }
      table.forgetAnswers()
      table.changes.trim()
    }
  }

  /// Makes a temporary key permanent, here and in the contexts below.
  private func rekey(_ reference: ObjectReference, to key: Int64) {
    let old = reference.table.objectID(reference.slot)
    reference.table.rekey(reference.slot, to: key)
    context.noteTransientTarget(old.key, is: key)
    for child in context.liveChildren { child.follow(old, to: key) }
  }
}
