internal import Modeling
public import Storage

// What the store's history tells of a context, and what a context learns from it.
extension ObjectContext {
  /// Runs `body`, whose transactions the store's history tells to be of this context, and of `author` if one is given.
  public func attributed<Result>(to author: String? = nil, _ body: () throws -> Result) rethrows -> Result {
    try store.attributing(TransactionInfo(author: author ?? transactionAuthor, contextName: name), body)
  }

  /// Lets objects that are known here follow what others saved.
  ///
  /// Objects without changes are read again when they are next used, and are gone where they were deleted; changed
  /// ones keep their changes over the values that the store has now.
  public func mergeChanges(from transactions: [HistoryTransaction]) throws {
    for transaction in transactions { try mergeChanges(transaction.changes) }
  }

  /// Lets objects that are known here follow some of the changes that others saved.
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
        if !object.hasChanges { table.bury(slot) }
      }
    }
    guard mayHaveOtherMembers else { return }
    // Whoever came, went or moved may be a member of anything that leads to it.
    for table in allTables {
      for state in table.collections.values { state.resolved = nil }
    }
  }
}
