internal import Modeling
internal import Storage

/// Settles, within the transaction of a save, what others wrote since the changed objects were read.
///
/// Everything it does in memory is taken back by `undo()` when the save fails; rows are compared only when somebody wrote.
/// The write lock is held, so one pass is enough.
final class ConflictResolver {
  let context: ObjectContext
  /// The unsaved changes before the first of them was touched.
  private var before: PendingState?
  /// Rows that were taken from slots, to be freed at the end or put back.
  private var exchanged: [(reference: ObjectReference, row: PackedRow?)] = []
  /// Slots that took over the key of a stored row, with the key they had.
  private var rekeyed: [(reference: ObjectReference, key: Int64)] = []
  /// Objects that will be gone: their rows are, or another object stands for them.
  private(set) var gone: [ObjectReference] = []
  /// Objects whose changes were dropped; collections still tell of them.
  private var dropped: Set<ObjectReference> = []
  /// The deleted objects by the one whose deletion, step by step, led to theirs.
  private(set) lazy var deletedFamilies = Dictionary(
    grouping: context.changedReferences().filter { $0.table.changes[$0.slot]?.kind == .deleted },
    by: { origin(of: $0) })
  /// To-ones that `overwrite` set back to where they led, although the object had not changed them.
  var restored: Set<Place> = []
  /// The slots that fetch results hold, by table.
  private(set) lazy var slotsOfResults = context.slotsOfResults()
  /// Who leads to objects without a row.
  private(set) lazy var temporaryLeads = TemporaryLeads(context)
  private var isStale = false
  private var endStamp: StoreStamp?
  /// The store's count of rows changed by triggers when the writing began.
  private var triggeredChanges: Int64 = 0

  /// A to-one of an object.
  struct Place: Hashable {
    var reference: ObjectReference
    var property: Int
  }

  var policy: MergePolicy { context.mergePolicy }

  init(_ context: ObjectContext) { self.context = context }

  /// Finds the conflicts and settles them; `findingDuplicates` looks for the owners of unique values as well.
  ///
  /// Returns whether the unsaved changes are other ones now.
  ///
  /// - Throws: GraphError.conflicts, GraphError.invalid when what came of it breaks a rule, StoreError.
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

  /// Objects that others let lead to one that is deleted here fall under its delete rules, too.
  private func followDeletes() throws {
    let deleted = context.changedReferences().filter {
      guard let changes = $0.table.changes[$0.slot] else { return false }
      return changes.kind == .deleted && !changes.wasInserted
    }
    guard !deleted.isEmpty else { return }
    prepare()
    for reference in deleted {
      if let changes = reference.table.changes[reference.slot] { changes.columns = changes.columns.map { _ in nil } }
      try reference.table.deleteAgain(reference.slot)
    }
  }

  // MARK: What can be taken back

  /// Notes the unsaved changes before they are touched.
  func prepare() {
    if before == nil { before = PendingState(of: context) }
  }

  /// Gives a slot another row.
  func exchange(_ reference: ObjectReference, _ row: PackedRow?) {
    exchanged.append((reference, reference.table.exchangeRow(reference.slot, row)))
  }

  /// Files a slot under the key of a stored row.
  func rekey(_ reference: ObjectReference, to key: Int64) {
    rekeyed.append((reference, reference.table.key(reference.slot)))
    reference.table.rekey(reference.slot, to: key)
  }

  /// Takes an object's changes away; it shows its row again.
  func drop(_ reference: ObjectReference) {
    let (table, slot) = (reference.table, reference.slot)
    table.changes[slot] = nil
    table.setDirty(slot, false)
    dropped.insert(reference)
  }

  /// Takes what dropped changes meant out of the collections, for all of them at once.
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

  /// Takes an object out of the context.
  func bury(_ reference: ObjectReference) {
    drop(reference)
    exchange(reference, nil)
    gone.append(reference)
  }

  /// Puts everything back as it was before the save.
  func undo() {
    for (reference, key) in rekeyed.reversed() { reference.table.rekey(reference.slot, to: key) }
    for (reference, row) in exchanged.reversed() { reference.table.exchangeRow(reference.slot, row)?.free() }
    (rekeyed, exchanged, gone, dropped) = ([], [], [], [])
    before?.restore(in: context)
    if before != nil { context.forgetResolvedCollections() }
    before = nil
  }

  // MARK: After the writing

  /// Notes the moment at which this save's own writes are done; others cannot have written yet.
  func noteWritten() {
    endStamp = context.store.stamp
    // What triggers did to rows in memory is as if others had done it.
    if context.store.triggeredChangeCount != triggeredChanges { isStale = true }
  }

  /// The objects that hold what others wrote, too.
  var merged: Set<ObjectReference> { Set(exchanged.map(\.0)) }

  /// Lets the context follow a save that was committed.
  func settle() {
    for (_, row) in exchanged { row?.free() }
    for reference in gone { reference.table.bury(reference.slot) }
    guard let endStamp else { return }
    context.hasStaleBases = false
    if !isStale {
      context.seenStamp = endStamp
    } else if context.automaticallyMergesChangesFromParent {
      context.refresh(at: endStamp, keepsTransients: true)
    }
  }
}
