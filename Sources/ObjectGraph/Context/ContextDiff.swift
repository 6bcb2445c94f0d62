internal import Modeling

/// The unsaved changes of a context as data.
public struct ContextDiff {
  /// Inserted objects, which have no row yet.
  public var inserted: [ManagedObject] = []
  /// Updated objects with their changed properties.
  public var updated: [(object: ManagedObject, changes: [PropertyChange])] = []
  /// Deleted objects, whose rows the next save deletes.
  public var deleted: [ManagedObject] = []
}

extension ObjectContext {
  /// Returns what the next save will write, including references that become nil because their target is deleted.
  ///
  /// - Throws: StoreError.
  public func diff() throws -> ContextDiff {
    var diff = ContextDiff(inserted: insertedObjects, deleted: deletedObjects)
    var places: [ObjectID: Int] = [:]
    for object in updatedObjects {
      places[object.objectID] = diff.updated.count
      diff.updated.append((object, try object.changes().map { try withCause($0, of: object) }))
    }
    let deleted = diff.deleted.map { ObjectReference(table: $0.table, slot: $0.slot) }
    try LooseReferrers(context: self).visit(deleted, where: { $0.effect == .emptied }) { referrer in
      let table = table(for: referrer.reference.entity)
      let object = ManagedObject(table: table, slot: table.register(referrer.holder, referrer.reference.entity))
      guard !object.isInserted else { return }
      let target = referrer.target.table.objectID(referrer.target.slot)
      let change = PropertyChange(
        property: referrer.reference.relationship.name, old: .object(target), new: .null, cause: target)
      guard let place = places[object.objectID] else {
        places[object.objectID] = diff.updated.count
        diff.updated.append((object, [change]))
        return
      }
      diff.updated[place].changes.removeAll { $0.property == change.property }
      diff.updated[place].changes.append(change)
    }
    return diff
  }

  /// Returns the change, marked as a consequence if the to-one's former target is deleted.
  private func withCause(_ change: PropertyChange, of object: ManagedObject) throws -> PropertyChange {
    guard change.new.isNull, let index = object.entity.index(of: change.property),
      case .reference(let columns, let target) = object.table.shape(object.slot).layout.properties[index],
      case let table = object.table.destinationTable(object.slot, index), !table.changes.isEmpty
    else { return change }
    var key: Int64?
    switch change.old {
    case .object(let id): key = id.key
    case .int(let number) where target == .key: key = number
    default:
      let values = try columns.map {
        object.table.decoded(try object.table.storedColumn(object.slot, $0), object.slot, $0)
      }
      key = try store.resolve(values, of: index, in: object.entity)
    }
    guard let slot = key.flatMap(table.slot(of:)), table.changes[slot]?.kind == .deleted else { return change }
    let cause = table.objectID(slot)
    return PropertyChange(property: change.property, old: .object(cause), new: .null, cause: cause)
  }

  /// Describes every broken invariant of the identity map, dirty flags, inverse relationships, undo steps and order
  /// keys; for tests.
  ///
  /// - Throws: StoreError.
  public func checkInvariants() throws -> [String] {
    try allTables.flatMap { try $0.checkIndex() + $0.checkInverses() + $0.checkPendingKeys() } + checkUndo()
      + store.checkInvariants()
  }

  /// Checks that every slot an undo step names is in use, and that every deleted object can be restored.
  private func checkUndo() -> [String] {
    guard let undoManager else { return [] }
    return undoManager.allEntries.flatMap { entry -> [String] in
      let table = entry.table
      let slots: [Int32] =
        switch entry.step {
        case .insert(let first, let count): Array(first..<first + count)
        case .delete(let slot, _), .column(let slot, _, _, _), .transient(let slot, _, _, _),
          .reference(let slot, _, _, _):
          [slot]
        case .member(let step): [step.slot]
        case .arrangement(let step): [step.slot]
        }
      return slots.compactMap { slot in
        guard table.isUsed(slot) else {
          return "an undo step leads to slot \(slot) of \(table.root.name), which is free"
        }
        guard table.isGone(slot), table.deletedStates[slot] == nil, case .delete = entry.step else { return nil }
        return "\(table.objectID(slot)) was deleted, and nothing is known of it to undo that"
      }
    }
  }
}

extension ObjectTable {
  /// Checks that both sides of each relationship in memory agree.
  func checkInverses() throws -> [String] {
    var problems: [String] = []
    // In their order, because the check reads from the store, and must read the same each time.
    let states = collections.sorted { ($0.key.slot, $0.key.property) < ($1.key.slot, $1.key.property) }
    for (key, state) in states where !isGone(key.slot) && changes[key.slot]?.kind != .deleted {
      // Reading an object that the parent or another connection has deleted is an error.
      if try isLost(key.slot) { continue }
      guard state.resolved != nil || state.isChanged, let inverse = entity(key.slot).inverse(at: key.property) else {
        continue
      }
      let table = destinationTable(key.slot, key.property)
      for member in try members(key.slot, key.property)
      where table.changes[member]?.kind != .deleted && !table.isGone(member) {
        if try table.isLost(member) || !ManagedObject(table: table, slot: member).exists() { continue }
        let isToMany = table.entity(member).properties[inverse].relationship?.isToMany == true
        let leadsBack =
          try isToMany
          ? table.members(member, inverse).contains(key.slot) : table.reference(member, inverse) == key.slot
        if !leadsBack {
          problems.append("\(table.objectID(member)) is in \(objectID(key.slot)) but does not lead back")
        }
      }
    }
    return problems
  }
}
