public import Modeling
public import Stores

// The store's history: how it names a context, and how a context merges it.
extension ObjectContext {
  /// Runs `body`. The store's history attributes its transactions to this context and, if given, to `author`.
  public func attributed<Result>(to author: String? = nil, _ body: () throws -> Result) rethrows -> Result {
    try store.attributing(TransactionInfo(author: author ?? transactionAuthor, contextName: name), body)
  }

  /// Merges transactions that others saved into this context's objects.
  ///
  /// Clean objects are read again on the next access, or become deleted objects. Changed
  /// objects keep their changes on top of the store's new values.
  ///
  /// - Throws: StoreError.
  public func mergeChanges(from transactions: [HistoryTransaction]) throws {
    for transaction in transactions { try mergeChanges(transaction.changes) }
  }

  /// Merges some of the changes that others saved into this context's objects.
  ///
  /// - Throws: StoreError.
  public func mergeChanges(_ changes: [HistoryChange]) throws {
    var mayHaveOtherMembers = false
    for change in changes {
      guard let entity = store.model.entity(named: change.entityName) else { continue }
      mayHaveOtherMembers = true
      let table = table(for: entity)
      guard change.kind != .insert, let slot = table.slot(of: change.key) else { continue }
      let object = ManagedObject(table: table, slot: slot)
      switch change.kind {
      case .insert: break
      case .update: try object.refresh(mergeChanges: true)
      case .delete:
        if !object.hasChanges, !table.hasUnsavedMembers(slot) { table.markGone(slot) }
      }
    }
    guard mayHaveOtherMembers else { return }
    // An inserted, deleted or moved object may be a member of any relationship to its entity.
    for table in allTables {
      for state in table.collections.values { state.resolved = nil }
    }
  }

  /// Throws if objects of a save that is about to be undone have unsaved changes in this context.
  ///
  /// - Throws: GraphError.pendingChangesToSave.
  public func checkNoPendingChanges(to objects: @autoclosure () throws -> [ObjectID]) throws {
    guard hasChanges else { return }
    let ids = try objects()
    for table in allTables where !table.changes.isEmpty {
      let keys = Set(ids.lazy.filter { $0.entity.root === table.root }.map(\.key))
      let count = table.changes.keys.count { keys.contains(table.key($0)) }
      if count > 0 { throw GraphError(.pendingChangesToSave(entity: table.root.name, count: count)) }
    }
  }
}
