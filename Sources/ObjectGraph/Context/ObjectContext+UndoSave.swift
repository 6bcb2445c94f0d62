public import Modeling

extension ObjectContext {
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
