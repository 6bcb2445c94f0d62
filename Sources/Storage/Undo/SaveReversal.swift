import Modeling

/// Reverts a save, within a transaction without foreign key enforcement.
struct SaveReversal {
  let store: SQLiteStore
  let tables: [TableReversal]
  let capture: ChangeCapture
  private let direction: SaveDirection

  /// The numbers of inserted, updated and deleted rows, and of changed pairs.
  private(set) var result: ReversedSave

  /// The maximum number of listed conflicts.
  private static let conflictLimit = 100

  /// Prepares to revert `changes`.
  ///
  /// - Throws: StoreError, `.notUndoable` if a table's definition has changed.
  init(_ changes: ChangeSet, _ direction: SaveDirection, time: Double, _ store: SQLiteStore, _ capture: ChangeCapture)
    throws(StoreError)
  {
    self.store = store
    self.direction = direction
    self.capture = capture
    result = ReversedSave(time: Timestamp(time))
    var tables: [TableReversal] = []
    for changes in changes.tables {
      guard let shape = try capture.shape(of: changes.name), shape.recorded == changes.table else {
        throw StoreError(.notUndoable(.schemaChanged(table: changes.name)), path: store.path)
      }
      tables.append(TableReversal(changes: changes, shape: shape, connection: store.connection))
    }
    self.tables = tables
  }

  /// Throws if rows written by the save have been changed since.
  func check() throws(StoreError) {
    var conflicts: [ReversalConflict] = []
    for table in tables {
      try table.check { record, image, reason in
        guard conflicts.count < Self.conflictLimit else { return }
        conflicts.append(conflict(table.changes, record, image, reason))
      }
    }
    try refuse(conflicts)
  }

  /// Restores the old rows.
  mutating func apply() throws(StoreError) {
    // The record includes what triggers wrote; our own triggers also maintain derived values of other rows.
    let runsTriggers = store.format.declaresSchema
    if !runsTriggers { store.connection.enableTriggers(false) }
    defer { if !runsTriggers { store.connection.enableTriggers(true) } }
    for table in tables { count(table, deleted: try table.delete()) }
    for table in tables { count(table, updated: try table.update()) }
    for table in tables { count(table, inserted: try table.insert()) }
  }

  /// Throws if deleted rows are still referenced, or restored rows refer to missing rows.
  func checkReferences(_ done: ChangeSet) throws(StoreError) {
    var conflicts: [ReversalConflict] = []
    try ReferenceCheck(store, capture).run(done) { changes, record, image, reason in
      guard conflicts.count < Self.conflictLimit else { return }
      conflicts.append(conflict(changes, record, image, reason))
    }
    try refuse(conflicts)
  }

  // MARK: Words

  private func refuse(_ conflicts: [ReversalConflict]) throws(StoreError) {
    if !conflicts.isEmpty { throw StoreError(.changedSince(direction, conflicts), path: store.path) }
  }

  private func conflict(
    _ changes: TableChanges, _ record: ChangeRecord, _ image: [UInt8], _ reason: ReversalConflict.Reason
  ) -> ReversalConflict {
    var reason = reason
    if case .changed(let columns) = reason {
      reason = .changed(columns.map { store.connection.nameConstraint(changes.name, [$0])?.properties.first ?? $0 })
    }
    let key = (try? changes.values(record.key)) ?? []
    return ReversalConflict(
      entity: store.entityName(of: changes, image), key: key.map(\.displayText).joined(separator: ", "), reason: reason)
  }

  private mutating func count(_ table: TableReversal, inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
    guard table.changes.entity != nil else {
      result.links += inserted + updated + deleted
      return
    }
    result.inserted += inserted
    result.updated += updated
    result.deleted += deleted
  }
}
