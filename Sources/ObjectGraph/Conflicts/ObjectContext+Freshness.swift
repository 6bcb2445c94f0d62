public import Modeling
internal import Stores

/// How a context stays up to date with writes to the store.
///
/// Values are never copied into objects: rows are dropped, and the next access reads the store. Who wrote decides when:
///
/// - **other connections and contexts:** every turn, fetch and transaction begins or ends with `noticeRemoteWrites`,
///   which compares the store's stamp with the one seen last. A context that does not merge automatically waits for
///   `refreshAllObjects`, and keeps the values it saves itself by `keepValues`.
/// - **a save of this context:** `ChangeWriter.settle` drops the written rows. `noticeDerivedChanges` drops values that
///   the store has recomputed in other objects, and tells the other contexts.
/// - **past all contexts** (batch requests, imports, the end of a dry run): `refreshAllObjects` unconditionally, and
///   `forgetDeletedRows` if rows may be gone.
/// - **a fetch with `shouldRefreshRefetchedObjects`:** `FetchResult.refreshClean` drops the rows of clean objects that
///   it found.
/// - **a parent context:** its children drop all rows by `forgetRows`.
///
/// Changed objects keep the row that their changes are based on. If it may be out of date, `hasStaleBases` is set, and
/// the next save compares it with the store's row.
extension ObjectContext {
  /// Turns every clean object into a fault, so that the next access reads what others wrote.
  public func refreshAllObjects() { refresh(at: store.stamp) }

  /// Refreshes the clean objects if another connection has written since the last check. The check takes a microsecond.
  public func noticeRemoteWrites() {
    if let parent { return parent.noticeRemoteWrites() }
    guard automaticallyMergesChangesFromParent, case let stamp = store.stamp, stamp != seenStamp else { return }
    refresh(at: stamp, keepsTransients: true)
  }

  /// Drops all clean rows; `stamp` was taken before.
  func refresh(at stamp: StoreStamp, keepsTransients: Bool = false) {
    if parent == nil, stamp != seenStamp, allTables.contains(where: { !$0.changes.isEmpty }) { hasStaleBases = true }
    for table in allTables { table.refreshClean(keepsTransients: keepsTransients) }
    (seenStamp, mayMissRows) = (stamp, true)
    for child in liveChildren { child.forgetRows() }
  }

  /// Drops the rows of all objects, because their base is their state in the parent.
  func forgetRows() {
    mayMissRows = true
    for table in allTables {
      for slot in 0..<Int32(clamping: table.count) where table.isUsed(slot) { table.dropRow(slot) }
      table.refreshClean()
    }
    for child in liveChildren { child.forgetRows() }
  }

  /// Reads the rows of saved objects at once, so that they keep their values while others go on writing.
  func keepValues(of saved: [ObjectReference]) {
    for (_, group) in Dictionary(grouping: saved, by: { ObjectIdentifier($0.table) }) {
      let table = group[0].table
      let faults = group.filter { !table.isGone($0.slot) && table.isFault($0.slot) }
      // The save is complete; rows that cannot be read now are read on access.
      try? table.fill(keys: faults.map { table.key($0.slot) })
    }
  }

  /// The slots held by fetch results, by table.
  func slotsOfResults() -> [ObjectIdentifier: Set<Int32>] {
    var pinned: [ObjectIdentifier: Set<Int32>] = [:]
    for result in results { result.result?.pin(into: &pinned) }
    return pinned
  }

  /// Frees a clean slot that is not referenced; returns false if it may be.
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

  /// Invalidates the members of all to-many relationships.
  func forgetResolvedCollections() {
    for table in allTables {
      table.collections = table.collections.filter { $0.value.isChanged }
      for state in table.collections.values { state.forgetMembers() }
    }
  }

  /// Discards the index, because many objects may have changed.
  func forgetPendingKeys() {
    for table in allTables { table.pendingKeys = [] }
  }

  // MARK: Derived values

  /// Turns the clean objects of root entities into faults, because the store has recomputed some of their values.
  public func refreshDerivedValues(of roots: Set<Entity>) {
    for table in allTables where roots.contains(table.root) { table.dropCleanRows() }
  }

  /// Refreshes derived values that a save changed, here and, through `onDerivedChange`, in other contexts.
  func noticeDerivedChanges(by written: [ObjectReference]) {
    if derivedDependencies.isEmpty { return }
    let affected = derivedDependencies.affected(by: Set(written.map(\.table.root)))
    guard !affected.isEmpty else { return }
    refreshDerivedValues(of: affected)
    onDerivedChange?(affected)
  }
}
