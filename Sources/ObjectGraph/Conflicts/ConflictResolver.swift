internal import Modeling
internal import Stores

/// Resolves, within the transaction of a save, the conflicts with what others wrote since the changed objects were
/// read.
///
/// If the save fails, `undo()` reverts everything in memory. Rows are compared only if another connection has written.
/// The write lock is held, so one pass is enough.
final class ConflictResolver {
  let context: ObjectContext
  /// The unsaved changes before the resolver changed any of them.
  private var before: PendingState?
  /// Rows removed from slots, to be freed at the end or restored.
  private var exchanged: [(reference: ObjectReference, row: PackedRow?)] = []
  /// Slots that took over the key of a stored row, with their former keys.
  private var rekeyed: [(reference: ObjectReference, key: Int64)] = []
  /// Objects that will be removed, because their rows are gone or another object represents the row.
  private(set) var gone: [ObjectReference] = []
  /// Objects whose changes were dropped; collections still contain the effects.
  private var dropped: Set<ObjectReference> = []
  /// The deleted objects, by the object whose deletion caused theirs.
  private(set) lazy var deletedFamilies = families()
  /// To-ones that `overwrite` restored although the object had not changed them.
  var restored: Set<Place> = []
  /// The slots held by fetch results, by table.
  private(set) lazy var slotsOfResults = context.slotsOfResults()
  /// The references to objects without a row.
  private(set) lazy var temporaryLeads = TemporaryLeads(context)
  private var isStale = false
  private var endStamp: StoreStamp?
  /// The store's count of rows changed by triggers at the beginning of the write.
  private var triggeredChanges: Int64 = 0

  /// A to-one of an object.
  struct Place: Hashable {
    var reference: ObjectReference
    var property: Int
  }

  var policy: MergePolicy { context.mergePolicy }

  init(_ context: ObjectContext) { self.context = context }

  /// Finds and resolves the conflicts; `findingDuplicates` also looks for the owners of unique values.
  ///
  /// Returns whether the unsaved changes are different now.
  ///
  /// - Throws: GraphError.conflicts; GraphError.invalid if the merged objects break a rule; StoreError.
  func resolve(findingDuplicates: Bool) throws -> Bool {
    isStale = context.hasStaleBases || context.store.stamp != context.seenStamp
    if isStale {
      if context.automaticallyMergesChangesFromParent {
        for table in context.allTables { table.refreshClean(keepsTransients: true) }
      } else {
        context.forgetResolvedCollections()
      }
      try resolveRows()
      try followDeletes()
      if before != nil { try settlePairs() }
      try MissingTargets(self).resolve()
    }
    if findingDuplicates { try DuplicateResolver(self).resolve() }
    triggeredChanges = context.store.triggeredChangeCount
    guard before != nil else { return false }
    try Validation(context: context, changed: context.changedReferences()).check()
    return true
  }

  private func resolveRows() throws {
    let conflicts = try StaleRows(context: context).conflicts()
    guard !conflicts.isEmpty else { return }
    let refused = conflicts.filter { !$0.isIdle }
    if policy == .error, !refused.isEmpty { throw GraphError(.conflicts(refused.map { $0.facts() })) }
    prepare()
    for conflict in conflicts { try resolve(conflict) }
    forgetDropped()
  }

  /// Applies delete rules to objects that others made refer to an object deleted here.
  private func followDeletes() throws {
    let deleted = context.changedReferences().filter {
      guard let changes = $0.table.changes[$0.slot] else { return false }
      return changes.kind == .deleted && !changes.wasInserted
    }
    guard !deleted.isEmpty else { return }
    prepare()
    for start in stride(from: 0, to: deleted.count, by: Self.deletionsReadAtOnce) {
      let some = deleted[start..<min(start + Self.deletionsReadAtOnce, deleted.count)]
      for ofTable in Dictionary(grouping: some, by: { ObjectIdentifier($0.table) }).values {
        try ofTable[0].table.readMembersAgain(of: ofTable.map(\.slot))
      }
      for reference in some {
        if let changes = reference.table.changes[reference.slot] { changes.columns = ChangedColumns() }
        try reference.table.deleteAgain(reference.slot)
      }
    }
  }

  private static let deletionsReadAtOnce = 1_000

  // MARK: Undoing the resolution

  /// Saves the unsaved changes before they are modified.
  func prepare() {
    if before == nil { before = PendingState(of: context) }
  }

  /// Replaces a slot's row.
  func exchange(_ reference: ObjectReference, _ row: PackedRow?) {
    exchanged.append((reference, reference.table.exchangeRow(reference.slot, row)))
  }

  /// Registers a slot under the key of a stored row.
  func rekey(_ reference: ObjectReference, to key: Int64) {
    rekeyed.append((reference, reference.table.key(reference.slot)))
    reference.table.rekey(reference.slot, to: key)
  }

  /// Discards an object's changes, so that it has its row's values again.
  func drop(_ reference: ObjectReference) {
    let (table, slot) = (reference.table, reference.slot)
    table.changes.remove(slot)
    table.setDirty(slot, false)
    dropped.insert(reference)
  }

  /// Removes the effects of all dropped changes from collections.
  func forgetDropped() {
    guard !dropped.isEmpty else { return }
    for owners in context.allTables {
      for (key, state) in owners.collections {
        if dropped.contains(ObjectReference(table: owners, slot: key.slot)) {
          if case .join = owners.shape(key.slot).layout.properties[key.property] {
            owners.collections[key] = nil
            continue
          }
          if state.arrangement != nil { (state.arrangement, state.resolved) = (nil, nil) }
        }
        guard state.isChanged else { continue }
        let members = owners.destinationTable(key.slot, key.property)
        for member in state.overrides.keys where dropped.contains(ObjectReference(table: members, slot: member)) {
          state.forget(member)
        }
      }
    }
    for reference in gone {
      for property in reference.table.entity(reference.slot).properties.indices {
        reference.table.collections[.init(slot: reference.slot, property: property)] = nil
      }
    }
    dropped = []
  }

  /// Removes an object from the context.
  func markGone(_ reference: ObjectReference) {
    drop(reference)
    exchange(reference, nil)
    gone.append(reference)
  }

  /// Restores the state before the save.
  func undo() {
    for (reference, key) in rekeyed.reversed() { reference.table.rekey(reference.slot, to: key) }
    for (reference, row) in exchanged.reversed() { reference.table.exchangeRow(reference.slot, row)?.free() }
    (rekeyed, exchanged, gone, dropped) = ([], [], [], [])
    before?.restore(in: context)
    if before != nil { context.forgetResolvedCollections() }
    before = nil
  }

  // MARK: After the write

  /// Records the store's stamp after this save's own writes, before others can write.
  func noteWritten() {
    endStamp = context.store.stamp
    // Rows changed by triggers count as changed by others.
    if context.store.triggeredChangeCount != triggeredChanges { isStale = true }
  }

  /// The objects that were merged with what others wrote.
  var merged: Set<ObjectReference> { Set(exchanged.map(\.0)) }

  /// Updates the context after the commit.
  func settle() {
    for (_, row) in exchanged { row?.free() }
    for reference in gone { reference.table.markGone(reference.slot) }
    guard let endStamp else { return }
    context.hasStaleBases = false
    if !isStale {
      context.seenStamp = endStamp
    } else if context.automaticallyMergesChangesFromParent {
      context.refresh(at: endStamp, keepsTransients: true)
    }
  }
}
