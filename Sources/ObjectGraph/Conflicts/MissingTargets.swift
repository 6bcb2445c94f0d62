internal import Modeling
internal import Stores

/// Finds the targets of new references that others have deleted.
///
/// Comparing rows does not show them, because the reference is new. If the store wins, the reference is dropped;
/// otherwise the save fails with an error that names both objects.
struct MissingTargets {
  private let resolver: ConflictResolver
  private var context: ObjectContext { resolver.context }

  /// A new reference to a row: its name in messages, and how to drop it.
  private struct Lead {
    var from: String
    /// Whether the reference can be dropped silently, because no user set it.
    var isOptional = false
    var drop: () throws -> Void
  }

  init(_ resolver: ConflictResolver) { self.resolver = resolver }

  func resolve() throws {
    var targets: [ObjectReference] = []
    var seen: Set<ObjectReference> = []
    try visit { target, _ in
      if seen.insert(target).inserted { targets.append(target) }
    }
    let missing = try self.missing(targets)
    guard !missing.isEmpty else { return }
    var leads: [(target: ObjectReference, lead: Lead)] = []
    try visit { target, lead in
      if missing.contains(target) { leads.append((target, lead())) }
    }
    for (target, lead) in leads {
      guard lead.isOptional || resolver.policy == .storeTrump || resolver.policy == .rollback else {
        throw target.table.missing(target.slot, from: lead.from)
      }
    }
    resolver.prepare()
    for (_, lead) in leads { try lead.drop() }
  }

  /// Returns the targets that have no row.
  private func missing(_ targets: [ObjectReference]) throws -> Set<ObjectReference> {
    var missing = Set(targets)
    for (_, group) in Dictionary(grouping: targets, by: { ObjectIdentifier($0.table) }) {
      let table = group[0].table
      let rows = try context.store.rows(of: table.root, keys: group.map { table.key($0.slot) }.sorted())
      defer { rows.close() }
      while try rows.step() {
        if let slot = table.slot(of: rows.key) { missing.remove(ObjectReference(table: table, slot: slot)) }
      }
    }
    return missing
  }

  /// Calls `body` for every stored object that a new reference leads to.
  private func visit(_ body: (ObjectReference, () -> Lead) throws -> Void) throws {
    for reference in context.changedReferences() {
      let (table, slot) = (reference.table, reference.slot)
      guard let changes = table.changes[slot], changes.kind != .deleted else { continue }
      for (index, property) in table.shape(slot).layout.properties.enumerated() {
        guard case .reference(let columns, _) = property, let value = changes.columns[columns[0]], !value.isNull,
          let target = try table.knownReference(slot, index)
        else { continue }
        let place = ObjectReference(table: table.destinationTable(slot, index), slot: target)
        if isStored(place) { try body(place) { lead(reference, index, to: target) } }
      }
    }
    for table in context.allTables {
      for (key, state) in table.changedCollections {
        guard case .join = table.shape(key.slot).layout.properties[key.property] else { continue }
        let members = table.destinationTable(key.slot, key.property)
        for member in state.additions {
          let place = ObjectReference(table: members, slot: member)
          if isStored(place) { try body(place) { lead(table, key, member) } }
        }
      }
    }
  }

  /// Whether the target must have a row. Inserted targets get theirs in time, and delete rules handle deleted targets.
  private func isStored(_ reference: ObjectReference) -> Bool {
    let kind = reference.table.changes[reference.slot]?.kind
    return !reference.table.objectID(reference.slot).isTemporary && kind != .inserted && kind != .deleted
  }

  /// A to-one of a changed object.
  private func lead(_ reference: ObjectReference, _ index: Int, to target: Int32) -> Lead {
    let (table, slot) = (reference.table, reference.slot)
    return Lead(
      from: name(table, slot, index),
      isOptional: resolver.restored.contains(.init(reference: reference, property: index))
    ) { [resolver] in
      if table.changes[slot]?.kind == .inserted {
        try table.writeReference(slot, index, to: nil)
      } else {
        table.revertReference(slot, index)
      }
      try resolver.follow(reference, index, from: target)
    }
  }

  /// An added pair of a many-to-many.
  private func lead(_ table: ObjectTable, _ key: ObjectTable.CollectionKey, _ member: Int32) -> Lead {
    Lead(from: name(table, key.slot, key.property)) {
      table.collections[key]?.forget(member)
      guard let inverse = table.entity(key.slot).inverse(at: key.property) else { return }
      let members = table.destinationTable(key.slot, key.property)
      members.collections[.init(slot: member, property: inverse)]?.forget(key.slot)
    }
  }

  private func name(_ table: ObjectTable, _ slot: Int32, _ index: Int) -> String {
    "\(table.objectID(slot)).\(table.entity(slot).properties[index].name)"
  }
}
