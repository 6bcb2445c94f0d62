public import Modeling
internal import Stores

extension ObjectContext {
  /// Returns the changed objects in the order of their first change.
  func changedReferences() -> [ObjectReference] {
    let count = allTables.reduce(0) { $0 + $1.changes.count }
    // Each change stands at a place of its own, so that there are no others: the list, of a million perhaps, is not copied.
    if count == changeLog.count { return changeLog }
    var changed: [ObjectReference] = []
    changed.reserveCapacity(count)
    for (place, reference) in changeLog.enumerated()
    where reference.table.changes[reference.slot]?.order == place { changed.append(reference) }
    return changed
  }

  /// The number of objects with unsaved changes.
  public var changeCount: Int { allTables.reduce(0) { $0 + $1.savableChangeCount } }

  /// Whether the next save has anything to write.
  public var hasChanges: Bool { allTables.contains { !$0.changes.isEmpty } && changeCount > 0 }

  /// Inserted objects that have no row yet, in the order they were created.
  public var insertedObjects: [ManagedObject] { changed(.inserted) }
  /// Objects with changed values, in the order of their first change.
  public var updatedObjects: [ManagedObject] { changed(.updated) }
  /// Objects whose rows the next save will delete.
  public var deletedObjects: [ManagedObject] { changed(.deleted) }

  private func changed(_ kind: UnsavedChanges.Kind) -> [ManagedObject] {
    changedReferences().compactMap { reference in
      guard let changes = reference.table.changes[reference.slot], changes.kind == kind else { return nil }
      if kind == .deleted, changes.wasInserted { return nil }
      return ManagedObject(table: reference.table, slot: reference.slot)
    }
  }

  /// Discards all unsaved changes and the undo history.
  public func rollback() {
    let counts = onTakeBack == nil ? WorkCounts() : WorkCounts(changedReferences())
    defer { onTakeBack?(.rolledBack, counts) }
    PendingState.empty.restore(in: self)
    for table in allTables { table.changes.trim() }
    undoManager?.clear()
    hasStaleBases = false
  }

  /// Runs `body` and saves. If either throws, the changes of `body` are undone; earlier pending changes remain.
  ///
  /// A save within `body` only validates; the write happens at the end. The changes of `body` form one undo group.
  ///
  /// - Throws: GraphError.saving within a save; what `body` and `save` throw.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try checkNotSaving()
    return try undoingFailure {
      let result = try withoutSaving(body)
      try save()
      return result
    }
  }

  /// Runs `body`. If it throws, its changes are undone; earlier pending changes remain. O(changes).
  ///
  /// - Throws: What `body` throws.
  public func undoingFailure<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = PendingState(of: self)
    let steps = undoManager?.snapshot()
    openStates.append(before)
    defer { openStates.removeLast() }
    do { return try body() } catch {
      before.restore(in: self)
      if let steps { undoManager?.restore(steps) }
      throw error
    }
  }

  private func withoutSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    return try body()
  }

  /// What the unsaved changes would write.
  public var unsavedCounts: [Entity: WorkCounts] {
    changedReferences().reduce(into: [:]) { counts, reference in
      counts[reference.table.entity(reference.slot), default: WorkCounts()].add(reference)
    }.filter { !$0.value.isEmpty }
  }

  /// Returns the deleted objects to report to observers: deleted, saved or not, or rolled back before their first save.
  ///
  /// Objects that the context never registered are represented by deleted objects. An
  /// object that exists again is returned as it is.
  public func deletedObjects(_ ids: [ObjectID]) -> [ManagedObject] {
    var gone: [ObjectIdentifier: [Int64: Int32]] = [:]
    return ids.map { id in
      let table = table(for: id.entity)
      if let slot = table.slot(of: id.key) { return table.checked(slot) }
      let known = gone[ObjectIdentifier(table)] ?? table.goneSlots
      gone[ObjectIdentifier(table)] = known
      if let slot = known[id.key] { return ManagedObject(table: table, slot: slot) }
      let slot = table.add(id.key, id.entity)
      table.markGone(slot)
      return ManagedObject(table: table, slot: slot)
    }
  }
}

extension ObjectTable {
  /// Returns the object of a slot, marked as deleted if others have deleted its row, unless it has unsaved changes.
  fileprivate func checked(_ slot: Int32) -> ManagedObject {
    let object = ManagedObject(table: self, slot: slot)
    if !isDirty(slot), !hasUnsavedMembers(slot), (try? object.exists()) == false { markGone(slot) }
    return object
  }

  /// Returns the slots of deleted objects that may still be referenced, by key; the latest of each key.
  fileprivate var goneSlots: [Int64: Int32] {
    var slots: [Int64: Int32] = [:]
    for slot in 0..<Int32(count) where isUsed(slot) && isGone(slot) { slots[key(slot)] = slot }
    return slots
  }

  /// The number of changes that a save must write.
  var savableChangeCount: Int {
    changes.isEmpty ? 0 : changes.values.count { !$0.isVoid }
  }
}

extension ObjectTable {
  /// Pins the slots that changed to-manys refer to.
  func pinMembers(
    of collections: [CollectionKey: CollectionState], into pinned: inout [ObjectIdentifier: Set<Int32>]
  ) {
    for (key, state) in collections where state.isChanged {
      let members = ObjectIdentifier(destinationTable(key.slot, key.property))
      pinned[members, default: []].formUnion(state.overrides.keys)
      pinned[members, default: []].formUnion(state.arrangement ?? [])
    }
  }

  /// Pins the slots that restorable objects refer to.
  func pinTargets(of deletedStates: [Int32: DeletedState], into pinned: inout [ObjectIdentifier: Set<Int32>]) {
    for (slot, deletedState) in deletedStates {
      for (property, target) in deletedState.references {
        pinned[ObjectIdentifier(destinationTable(slot, property)), default: []].insert(target)
      }
      pinMembers(of: deletedState.collections, into: &pinned)
    }
  }
}

/// The unsaved changes of a context at one moment.
struct PendingState {
  private struct TableState {
    var changes = ChangeMap()
    var transients: [Int32: [Int: Value]] = [:]
    var collections: [ObjectTable.CollectionKey: CollectionState] = [:]
    var deletedStates: [Int32: DeletedState] = [:]
  }

  private var tables: [ObjectIdentifier: TableState] = [:]
  private var log: [ObjectReference] = []

  /// A state without changes.
  static var empty: PendingState { PendingState() }

  private init() {}

  /// Copies the changes of `context`. O(changes).
  init(of context: ObjectContext) {
    log = context.changeLog
    for table in context.allTables {
      tables[ObjectIdentifier(table)] = TableState(
        changes: table.changes.copy(), transients: table.transients,
        collections: table.collections.filter { $0.value.isChanged }.mapValues { $0.copy() },
        deletedStates: table.deletedStates)
    }
  }

  /// Restores these changes in `context`. Objects created since then are removed.
  func restore(in context: ObjectContext) {
    context.forgetPendingKeys()
    for table in context.allTables {
      let state = tables[ObjectIdentifier(table)] ?? TableState()
      for (slot, changes) in zip(table.changes.keys, table.changes.values) where state.changes[slot] == nil {
        if changes.kind == .inserted || changes.wasInserted { table.markGone(slot) } else { table.becomeClean(slot) }
      }
      table.changes.replaceAll(by: state.changes)
      for slot in state.changes.keys {
        table.reregister(slot)
        table.setDirty(slot, true)
      }
      table.transients = state.transients
      table.collections = state.collections
      table.deletedStates = state.deletedStates
    }
    context.changeLog = log
    context.membershipSerial += 1
  }

  /// Pins the slots that must not be reused: changed objects and the objects they refer to.
  func pin(into pinned: inout [ObjectIdentifier: Set<Int32>], of context: ObjectContext) {
    for table in context.allTables {
      guard let state = tables[ObjectIdentifier(table)] else { continue }
      pinned[ObjectIdentifier(table), default: []].formUnion(state.changes.keys)
      pinned[ObjectIdentifier(table), default: []].formUnion(state.deletedStates.keys)
      table.pinMembers(of: state.collections, into: &pinned)
      table.pinTargets(of: state.deletedStates, into: &pinned)
    }
  }
}
