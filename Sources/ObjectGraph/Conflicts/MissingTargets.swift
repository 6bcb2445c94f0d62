internal import Modeling
internal import Storage

/// Finds what changed objects were made to lead to although others deleted it meanwhile.
///
/// Nothing in a row tells of it: the reference is new. Where the store wins the reference is dropped, else the save ends
/// with an error that names both.
struct MissingTargets {
  private let resolver: ConflictResolver
  private var context: ObjectContext { resolver.context }

  /// Something that leads to a row: how messages name it, and how it is dropped.
  private struct Lead {
    var from: String
    /// Whether it can go without being missed: nobody asked for it.
    var isOptional = false
    var drop: () throws -> Void
  }
  private struct Target {
    var table: ObjectTable
    var leads: [Int32: [Lead]] = [:]
  }

  init(_ resolver: ConflictResolver) { self.resolver = resolver }

  func resolve() throws {
    var targets: [ObjectIdentifier: Target] = [:]
    for reference in context.changedReferences() { try addReferences(of: reference, to: &targets) }
    for table in context.allTables {
      for (key, state) in table.collections where state.isChanged { addPairs(table, key, state, to: &targets) }
    }
    for target in targets.values.sorted(by: { $0.table.root.name < $1.table.root.name }) { try check(target) }
  }

  private func check(_ target: Target) throws {
    let table = target.table
    var missing: [Int64: Int32] = [:]
    for slot in target.leads.keys { missing[table.key(slot)] = slot }
    let rows = try context.store.rows(of: table.root, keys: missing.keys.sorted())
    defer { rows.close() }
    while try rows.step() { missing[rows.key] = nil }
    for slot in missing.values.sorted() {
      for lead in target.leads[slot] ?? [] {
        guard lead.isOptional || resolver.policy == .storeTrump || resolver.policy == .rollback else {
          throw table.missing(slot, from: lead.from)
        }
        resolver.prepare()
        try lead.drop()
      }
    }
  }

  private func add(_ lead: Lead, to slot: Int32, _ table: ObjectTable, _ targets: inout [ObjectIdentifier: Target]) {
    // Rows to be made are there in time, and those to be deleted are looked after by the delete rules.
    guard !table.objectID(slot).isTemporary, table.changes[slot]?.kind != .inserted,
      table.changes[slot]?.kind != .deleted
    else { return }
    targets[ObjectIdentifier(table), default: Target(table: table)].leads[slot, default: []].append(lead)
  }

  private func addReferences(of reference: ObjectReference, to targets: inout [ObjectIdentifier: Target]) throws {
    let (table, slot) = (reference.table, reference.slot)
    guard let changes = table.changes[slot], changes.kind != .deleted else { return }
    for (index, property) in table.shape(slot).layout.properties.enumerated() {
      guard case .reference(let columns, _) = property, let value = changes.columns[columns[0]], !value.isNull,
        let target = try table.knownReference(slot, index)
      else { continue }
      let drop = { [resolver] in
        if changes.kind == .inserted {
          try table.writeReference(slot, index, to: nil)
        } else {
          table.revertReference(slot, index)
        }
        try resolver.follow(reference, index, from: target)
      }
      let from = "\(table.objectID(slot)).\(table.entity(slot).properties[index].name)"
      let isRestored = resolver.restored.contains(.init(reference: reference, property: index))
      add(
        Lead(from: from, isOptional: isRestored, drop: drop), to: target, table.destinationTable(slot, index), &targets)
    }
  }

  private func addPairs(
    _ table: ObjectTable, _ key: ObjectTable.CollectionKey, _ state: CollectionState,
    to targets: inout [ObjectIdentifier: Target]
  ) {
    guard case .join = table.shape(key.slot).layout.properties[key.property] else { return }
    let members = table.destinationTable(key.slot, key.property)
    let inverse = table.entity(key.slot).inverse(at: key.property)
    let from = "\(table.objectID(key.slot)).\(table.entity(key.slot).properties[key.property].name)"
    for (member, isMember) in state.overrides where isMember {
      let drop = {
        state.forget(member)
        guard let inverse else { return }
        members.collections[.init(slot: member, property: inverse)]?.forget(key.slot)
      }
      add(Lead(from: from, drop: drop), to: member, members, &targets)
    }
  }
}
