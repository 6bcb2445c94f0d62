internal import Modeling
internal import Stores

/// Validates every object that is about to be saved.
struct Validation {
  let context: ObjectContext
  let changed: [ObjectReference]

  /// Throws one error with all violations of all objects.
  func check() throws {
    var violations: [ObjectViolation] = []
    var poll = InterruptionPoll()
    for reference in changed {
      try poll.step()
      let own = try ownViolations(of: reference)
      if !own.isEmpty { violations += own }
    }
    let deleted = changed.filter { isStoredAndDeleted($0) }
    violations += try heldDeletes(deleted) + lackingCollections(deleted)
    if !violations.isEmpty { throw GraphError(.invalid(violations)) }
  }

  /// Returns the violations of the object at `reference`, and those that its deletion would cause in others.
  func violations(of reference: ObjectReference) throws -> [ObjectViolation] {
    let deleted = isStoredAndDeleted(reference) ? [reference] : []
    return try ownViolations(of: reference) + heldDeletes(deleted)
  }

  private func isStoredAndDeleted(_ reference: ObjectReference) -> Bool {
    guard let changes = reference.table.changes[reference.slot] else { return false }
    return changes.kind == .deleted
  }

  private func ownViolations(of reference: ObjectReference) throws -> [ObjectViolation] {
    let table = reference.table
    guard let changes = table.changes[reference.slot] else {
      return try all(table, reference.slot, in: nil, .update)
    }
    if changes.isVoid { return [] }
    if changes.kind == .deleted {
      return try deniedDeletes(table, reference.slot) + hooked(table, reference.slot, .delete)
    }
    let occasion: ValidationOccasion = changes.kind == .inserted ? .insert : .update
    return try all(table, reference.slot, in: changes, occasion)
  }

  private func all(
    _ table: ObjectTable, _ slot: Int32, in changes: UnsavedChanges?, _ occasion: ValidationOccasion
  ) throws -> [ObjectViolation] {
    let own = try all(table, slot, in: changes)
    return context.hooks.validate == nil ? own : own + (try hooked(table, slot, occasion))
  }

  /// Returns the violations that the hook reports. It must not change anything, so that the written values are the
  /// validated ones.
  private func hooked(_ table: ObjectTable, _ slot: Int32, _ occasion: ValidationOccasion) throws -> [ObjectViolation] {
    guard let validate = context.hooks.validate else { return [] }
    let outer = context.progress.isValidating
    context.progress.isValidating = true
    defer { context.progress.isValidating = outer }
    return try validate(ManagedObject(table: table, slot: slot), occasion).map { report(table, slot, $0) }
  }

  /// Returns the violations of attributes and relationships. Of an updated object only changed properties are checked.
  private func all(_ table: ObjectTable, _ slot: Int32, in changes: UnsavedChanges?) throws -> [ObjectViolation] {
    let shape = table.shape(slot)
    var found: [Violation] = []
    // Read once: each reading of a field counts a reference.
    let (columns, isNew) = (changes?.columns, changes?.kind == .inserted)
    let mayBreakRules = columns.map { isNew || !shape.areKept($0) } ?? true
    for checked in shape.checkedAttributes where mayBreakRules {
      var value: Value?
      let isNull: Bool
      if let columns {
        guard let isChangedToNull = columns.isNull(checked.column) ?? (isNew ? true : nil) else { continue }
        isNull = isChangedToNull
      } else {
        value = try table.attribute(slot, checked.property)
        isNull = value?.isNull == true
      }
      // The store assigns a missing key itself.
      if isNull, checked.column == shape.keyColumn { continue }
      // Most values need not be looked at.
      let isKept = checked.rules.isKept(byNull: isNull)
      if isKept, checked.conditions == nil { continue }
      let checkedValue = value ?? columns?[checked.column] ?? .null
      if !isKept { found += checked.rules.violations(of: checkedValue) }
      if let conditions = checked.conditions {
        found += conditions.violations(of: checkedValue, ManagedObject(table: table, slot: slot))
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
    return found.isEmpty ? [] : found.map { report(table, slot, $0) }
  }

  /// Whether the relationship may have changed since it was last validated.
  private func needsCounting(
    _ relationship: Relationship, _ table: ObjectTable, _ slot: Int32, _ index: Int, _ changes: UnsavedChanges?
  ) -> Bool {
    guard let changes, changes.kind != .inserted else { return true }
    if relationship.isToMany { return table.collections[.init(slot: slot, property: index)]?.isChanged == true }
    return changes.columns.containsAny(of: table.shape(slot).layout.properties[index].ownColumns)
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

  /// Returns violations of mandatory to-ones, without an inverse, that refer to deleted objects.
  private func heldDeletes(_ deleted: [ObjectReference]) throws -> [ObjectViolation] {
    struct Place: Hashable {
      var target: ObjectReference
      var reference: LooseReference
    }
    var holds: [Place: (count: Int, some: [Int64])] = [:]
    var order: [Place] = []
    try LooseReferrers(context: context).visit(deleted, where: { !$0.relationship.isOptional }) { referrer in
      let place = Place(target: referrer.target, reference: referrer.reference)
      if holds[place] == nil { order.append(place) }
      holds[place, default: (0, [])].count += 1
      guard holds[place]!.some.count < Violation.Hold.mostNames else { return }
      holds[place]!.some.append(referrer.holder)
    }
    return try order.map { place in
      let (count, some) = holds[place]!
      let (entity, name) = (place.reference.entity, place.reference.relationship.name)
      let table = place.target.table
      var violation = Violation(
        entity: table.entity(place.target.slot).name, property: "", kind: .deleteDenied, value: .int(Int64(count)))
      violation.hold = Violation.Hold(
        entity: entity.name, property: name, names: try some.map { try title($0, entity) }, count: count)
      return report(table, place.target.slot, violation)
    }
  }

  /// Returns the name of an object for messages.
  private func title(_ key: Int64, _ entity: Entity) throws -> String {
    let table = context.table(for: entity)
    let slot = table.register(key, entity)
    if let index = table.entity(slot).titleAttribute, case let value = try table.attribute(slot, index), !value.isNull {
      return context.text(of: value)
    }
    return context.keyText(of: table.objectID(slot))
  }

  /// Returns violations of minimum counts by unchanged objects whose to-manys lose members.
  private func lackingCollections(_ deleted: [ObjectReference]) throws -> [ObjectViolation] {
    var found = try LooseReferrers(context: context).collectionViolations(deleted)
    for table in context.allTables {
      for (key, state) in table.collections where state.isChanged && table.changes[key.slot] == nil {
        guard !table.isGone(key.slot), table.shape(key.slot).checkedRelationships.contains(key.property),
          let relationship = table.entity(key.slot).properties[key.property].relationship
        else { continue }
        let violations = relationship.violations(
          count: try table.memberCount(key.slot, key.property), in: table.entity(key.slot).name)
        found += violations.map { (ObjectReference(table: table, slot: key.slot), $0) }
      }
    }
    return found.map { report($0.owner.table, $0.owner.slot, $0.violation) }.sorted { $0.label < $1.label }
  }

  private func report(_ table: ObjectTable, _ slot: Int32, _ violation: Violation) -> ObjectViolation {
    let id = table.objectID(slot)
    return ObjectViolation(
      object: id, label: id.isTemporary ? id.entity.name : "\(id.entity.name) \(context.keyText(of: id))",
      violation: violation)
  }
}

extension ManagedObject {
  /// Returns the violations that would prevent the object from being saved.
  ///
  /// - Throws: StoreError; what the hook validate throws.
  public func violations() throws -> [ObjectViolation] {
    let reference = ObjectReference(table: table, slot: slot)
    return try Validation(context: context, changed: [reference]).violations(of: reference)
  }
}
