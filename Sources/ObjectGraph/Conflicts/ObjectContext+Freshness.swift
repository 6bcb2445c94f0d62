internal import Storage

/// How a context follows what is written.
///
/// Values are never carried into objects: rows are let go, and whoever touches an object next reads the store. Each way
/// of writing has its occasion:
///
/// - **others, and other contexts of the store:** every turn, fetch and transaction begins or ends with
///   `noticeForeignWrites`, which compares the store's stamp with the one seen last. A context that does not merge
///   automatically waits for `refreshAllObjects`, and keeps what it saves itself by `keepValues`.
/// - **a save of this context:** `ChangeWriter.settle` lets the written rows go. What the store computed anew because of
///   them, in other objects, is let go by `noticeDerivedChanges`, which tells the other contexts too.
/// - **past all contexts** (batch requests, imports, a dry run taken back): `refreshAllObjects` without asking, and
///   `forgetDeletedRows` where rows may be gone.
/// - **a parent:** its child contexts have no row of their own to keep: `forgetRows`.
///
/// Changed objects keep the row that their changes are based on. When it may be out of date `hasStaleBases` says so, and
/// the next save compares it with the store's.
extension ObjectContext {
  /// Turns every clean object into a fault, so that what others wrote is seen.
  public func refreshAllObjects() { refresh(at: store.stamp) }

  /// Refreshes the clean objects when somebody else wrote since the last look. About a microsecond.
  public func noticeForeignWrites() {
    if let parent { return parent.noticeForeignWrites() }
    guard automaticallyMergesChangesFromParent, case let stamp = store.stamp, stamp != seenStamp else { return }
    refresh(at: stamp, keepsTransients: true)
  }

  /// Lets go of all clean rows; `stamp` was taken before.
  func refresh(at stamp: StoreStamp, keepsTransients: Bool = false) {
    if parent == nil, stamp != seenStamp, allTables.contains(where: { !$0.changes.isEmpty }) { hasStaleBases = true }
    for table in allTables { table.refreshClean(keepsTransients: keepsTransients) }
    seenStamp = stamp
    for child in liveChildren { child.forgetRows() }
  }

  /// Lets go of the rows of all objects: what they are before their changes is what they are in the parent.
  func forgetRows() {
    for table in allTables {
      for slot in 0..<Int32(clamping: table.count) where table.isUsed(slot) { table.dropRow(slot) }
      table.refreshClean()
    }
    for child in liveChildren { child.forgetRows() }
  }

  /// Reads the rows of saved objects at once, which shall keep their values although others go on writing.
  func keepValues(of saved: [ObjectReference]) {
    for (_, group) in Dictionary(grouping: saved, by: { ObjectIdentifier($0.table) }) {
      let table = group[0].table
      let faults = group.filter { !table.isGone($0.slot) && table.isFault($0.slot) }
      // The save is done; what cannot be read now is read when it is touched.
      try? table.fill(keys: faults.map { table.key($0.slot) })
    }
  }

  /// The slots that fetch results hold, by table.
  func slotsOfResults() -> [ObjectIdentifier: Set<Int32>] {
    var pinned: [ObjectIdentifier: Set<Int32>] = [:]
    for result in results { result.result?.pin(into: &pinned) }
    return pinned
  }

  /// Gives a clean slot back that nobody refers to; false if somebody may.
  func releaseIfUnused(_ table: ObjectTable, _ slot: Int32, pinned: [ObjectIdentifier: Set<Int32>]) -> Bool {
    guard let isReferenced, !table.isDirty(slot), slot != table.currentSlot, !isReferenced(table)(slot),
      undoManager?.isEmpty ?? true, openStates.isEmpty
    else { return false }
    if pinned[ObjectIdentifier(table)]?.contains(slot) == true { return false }
    for owners in allTables {
      for (key, state) in owners.collections where state.isChanged {
        if owners === table, key.slot == slot { return false }
        let members = self.table(for: owners.entity(key.slot).destination(at: key.property))
        guard members === table else { continue }
        if state.overrides[slot] != nil || state.arrangement?.contains(slot) == true { return false }
      }
    }
    forgetResolvedCollections()
    table.release(slot)
    return true
  }

  /// Has the members of all to-many relationships worked out again when they are next asked for.
  func forgetResolvedCollections() {
    for table in allTables {
      table.collections = table.collections.filter { $0.value.isChanged }
      for state in table.collections.values where state.arrangement == nil { state.resolved = nil }
    }
  }
}
