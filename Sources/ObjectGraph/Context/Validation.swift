internal import Modeling
internal import Storage

/// Holds every object that is about to be saved against the model.
struct Validation {
  let context: ObjectContext
  let changed: [ObjectReference]

  /// Throws every violation of every object at once.
  func check() throws {
    let violations = try changed.flatMap { try self.violations(of: $0) }
    if !violations.isEmpty { throw GraphError(.invalid(violations)) }
  }

  /// What the object at `reference` violates.
  func violations(of reference: ObjectReference) throws -> [ObjectViolation] {
    let table = reference.table
    guard let changes = table.changes[reference.slot] else {
      return try all(table, reference.slot, in: nil) + hooked(table, reference.slot, .update)
    }
    if changes.isVoid { return [] }
    if changes.kind == .deleted {
      return try deniedDeletes(table, reference.slot) + hooked(table, reference.slot, .delete)
    }
    let occasion: ValidationOccasion = changes.kind == .inserted ? .insert : .update
    return try all(table, reference.slot, in: changes) + hooked(table, reference.slot, occasion)
  }

  /// What the hook finds, which must not change anything: what was found valid is what is written.
  private func hooked(_ table: ObjectTable, _ slot: Int32, _ occasion: ValidationOccasion) throws -> [ObjectViolation] {
    guard let validate = context.hooks.validate else { return [] }
    let outer = context.progress.isValidating
    context.progress.isValidating = true
    defer { context.progress.isValidating = outer }
    return try validate(ManagedObject(table: table, slot: slot), occasion).map { report(table, slot, $0) }
  }

  /// The violations of attributes and relationships; of an updated object only what changed can be wrong.
  private func all(_ table: ObjectTable, _ slot: Int32, in changes: ObjectChanges?) throws -> [ObjectViolation] {
    let shape = table.shape(slot)
    var found: [Violation] = []
    for (index, rules) in shape.rules.enumerated() {
      guard let rules, shape.columnOfAttribute[index] >= 0, shape.isWritable[index] else { continue }
      let column = shape.columnOfAttribute[index]
      let value: Value
      if let changes {
        guard changes.kind == .inserted || changes.columns[column] != nil else { continue }
        value = changes.columns[column] ?? .null
      } else {
        value = try table.attribute(slot, index)
      }
      // A row id that SQLite gives by itself may be missing in a new object.
      if column == shape.rowIDColumn, value.isNull { continue }
      found += rules.violations(of: value)
      if let conditions = shape.conditions[index] {
        found += conditions.violations(of: value, ManagedObject(table: table, slot: slot))
      }
    }
    for index in shape.checkedRelationships {
      guard let relationship = shape.entity.properties[index].relationship,
        needsCounting(relationship, table, slot, index, changes)
      else { continue }
      let count =
        try relationship.isToMany ? table.memberCount(slot, index) : (table.reference(slot, index) == nil ? 0 : 1)
      found += relationship.violations(count: count, in: shape.entity.name)
    }
    return found.map { report(table, slot, $0) }
  }

  /// Whether the relationship may have changed since its rule was last held against it.
  private func needsCounting(
    _ relationship: Relationship, _ table: ObjectTable, _ slot: Int32, _ index: Int, _ changes: ObjectChanges?
  ) -> Bool {
    guard let changes, changes.kind != .inserted else { return true }
    if relationship.isToMany { return table.collections[.init(slot: slot, property: index)]?.isChanged == true }
    return table.shape(slot).layout.properties[index].ownColumns.contains { changes.columns[$0] != nil }
  }

  private func deniedDeletes(_ table: ObjectTable, _ slot: Int32) throws -> [ObjectViolation] {
    let entity = table.entity(slot)
    var found: [ObjectViolation] = []
    for (index, property) in entity.properties.enumerated() {
      guard let relationship = property.relationship, relationship.deleteRule == .deny else { continue }
      let others = context.table(for: entity.destination(at: index))
      let left = try table.destinations(slot, index).filter {
        !others.isGone($0) && others.changes[$0]?.kind != .deleted
      }
      guard !left.isEmpty else { continue }
      found.append(
        report(
          table, slot,
          Violation(
            entity: entity.name, property: relationship.name, kind: .deleteDenied, value: .int(Int64(left.count)))))
    }
    return found
  }

  private func report(_ table: ObjectTable, _ slot: Int32, _ violation: Violation) -> ObjectViolation {
    let id = table.objectID(slot)
    return ObjectViolation(
      object: id, label: id.isTemporary ? id.entity.name : "\(id.entity.name) \(context.keyText(of: id))",
      violation: violation)
  }
}

extension ManagedObject {
  /// What would keep the object from being saved; empty if nothing.
  public func violations() throws -> [ObjectViolation] {
    let reference = ObjectReference(table: table, slot: slot)
    return try Validation(context: context, changed: [reference]).violations(of: reference)
  }
}
