internal import Modeling
internal import Stores

/// Finds what deleting objects does to objects that refer to them by relationships without an inverse.
///
/// One query per relationship asks the store; objects with unsaved changes, here or in a parent, are examined in
/// memory.
struct LooseReferrers {
  /// An object that refers to a deleted object, identified by its key. The context may not have it in memory.
  struct Referrer {
    var reference: LooseReference
    var holder: Int64
    var target: ObjectReference
  }

  let context: ObjectContext

  /// Calls `body` for each object whose to-one refers to one of the deleted objects.
  func visit(
    _ deleted: [ObjectReference], where isWanted: (LooseReference) -> Bool = { _ in true },
    _ body: (Referrer) throws -> Void
  ) throws {
    for (entity, targets) in Self.grouped(deleted) {
      for reference in context.store.looseReferences(to: entity) where isWanted(reference) {
        try visit(reference, entity, targets, body)
      }
    }
  }

  private func visit(
    _ reference: LooseReference, _ entity: Entity, _ targets: [ObjectReference], _ body: (Referrer) throws -> Void
  ) throws {
    let table = context.table(for: entity)
    let slots = Set(targets.map(\.slot))
    let keys = targets.map { table.key($0.slot) }.filter { !ObjectID(entity: entity, key: $0).isTemporary }
    let unsaved = Set(unsavedKeys(of: reference))
    try context.store.visitReferrers(of: reference, to: entity, keys: keys) { holder, target in
      guard !unsaved.contains(holder), let slot = table.slot(of: target) else { return }
      try body(Referrer(reference: reference, holder: holder, target: ObjectReference(table: table, slot: slot)))
    }
    let holders = context.table(for: reference.entity)
    for key in unsaved.sorted() {
      let slot = holders.register(key, reference.entity)
      let object = ManagedObject(table: holders, slot: slot)
      guard !object.isDeleted, object.entity.isKind(of: reference.entity), try object.exists(),
        let target = try holders.knownReference(slot, reference.property), slots.contains(target)
      else { continue }
      try body(Referrer(reference: reference, holder: key, target: ObjectReference(table: table, slot: target)))
    }
  }

  /// Returns the keys of objects whose unsaved changes make their rows out of date.
  private func unsavedKeys(of reference: LooseReference) -> [Int64] {
    var keys: [Int64] = []
    var next: ObjectContext? = context
    while let context = next {
      let table = context.table(for: reference.entity)
      keys += table.changes.keys.map { table.key($0) }
      next = context.parent
    }
    return keys
  }

  /// Returns the violations of minimum counts of to-manys without an inverse that lose deleted members.
  func collectionViolations(_ deleted: [ObjectReference]) throws -> [(owner: ObjectReference, violation: Violation)] {
    var found: [(owner: ObjectReference, violation: Violation)] = []
    var seen: Set<LooseReference> = []
    for (entity, _) in Self.grouped(deleted) {
      for reference in context.store.looseCollections(to: entity) {
        let relationship = reference.relationship
        guard !relationship.isOptional || relationship.minimumCount != nil, seen.insert(reference).inserted else {
          continue
        }
        found += try violations(of: reference, deleted.filter { $0.table.root === entity.root })
      }
    }
    return found
  }

  private func violations(
    of reference: LooseReference, _ deleted: [ObjectReference]
  ) throws -> [(owner: ObjectReference, violation: Violation)] {
    let keys = deleted.filter { !$0.table.objectID($0.slot).isTemporary }.map { $0.table.key($0.slot) }
    let owners = context.table(for: reference.entity)
    var found: [(owner: ObjectReference, violation: Violation)] = []
    for key in try context.store.owners(of: reference, members: keys).sorted() {
      let slot = owners.register(key, reference.entity)
      let owner = ManagedObject(table: owners, slot: slot)
      guard !owner.isDeleted, try owner.exists() else { continue }
      let members = owners.destinationTable(slot, reference.property)
      let left = try owners.members(slot, reference.property).count {
        !members.isGone($0) && members.changes[$0]?.kind != .deleted
      }
      found += reference.relationship.violations(count: left, in: owner.entity.name).map {
        (ObjectReference(table: owners, slot: slot), $0)
      }
    }
    return found
  }

  /// Groups the deleted objects by entity, ordered by entity name.
  private static func grouped(_ deleted: [ObjectReference]) -> [(Entity, [ObjectReference])] {
    Dictionary(grouping: deleted) { $0.table.entity($0.slot) }.sorted { $0.key.name < $1.key.name }
  }
}

extension ObjectContext {
  /// Returns the objects that the next save deletes.
  func deletedReferences() -> [ObjectReference] {
    // Most saves delete nothing, and then the order of the changes need not be found.
    guard allTables.contains(where: { $0.changes.values.contains { $0.kind == .deleted } }) else { return [] }
    return changedReferences().filter { $0.table.changes[$0.slot]?.kind == .deleted }
  }

  /// Returns unsaved objects that refer, by a to-one without an inverse, to objects that the next save deletes.
  ///
  /// The store sets the to-ones of its own rows to NULL; it does not know these objects.
  func unsavedReferrersOfDeleted() throws -> [(holder: ObjectReference, property: Int)] {
    let deleted = Set(deletedReferences())
    if deleted.isEmpty { return [] }
    var found: [(holder: ObjectReference, property: Int)] = []
    var loose: [Entity: [LooseReference]] = [:]
    for entity in Set(deleted.map { $0.table.entity($0.slot) }) {
      for reference in store.looseReferences(to: entity) where reference.relationship.isOptional {
        loose[reference.entity.root, default: []].append(reference)
      }
    }
    if loose.isEmpty { return [] }
    for holder in changedReferences() {
      guard let references = loose[holder.table.root], let changes = holder.table.changes[holder.slot],
        changes.kind != .deleted
      else { continue }
      for reference in Set(references) where holder.table.entity(holder.slot).isKind(of: reference.entity) {
        let columns = holder.table.shape(holder.slot).layout.properties[reference.property].ownColumns
        guard columns.contains(where: { changes.columns[$0]?.isNull == false }),
          let target = try holder.table.knownReference(holder.slot, reference.property),
          deleted.contains(
            ObjectReference(table: holder.table.destinationTable(holder.slot, reference.property), slot: target))
        else { continue }
        found.append((holder, reference.property))
      }
    }
    return found
  }
}
