import Modeling

/// Takes back all that a save did, within a transaction without foreign keys.
struct SaveReversal {
  let store: SQLiteStore
  let tables: [TableReversal]
  let capture: ChangeCapture
  private let direction: SaveDirection

  /// What was done to rows: how many came back, changed and went, and how many pairs did.
  private(set) var result: ReversedSave

  /// How many conflicts are listed.
  private static let conflictLimit = 100

  /// Prepares to take `changes` back.
  ///
  /// - Throws: StoreError, `.notUndoable` where a table is no longer what it was.
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

  /// Refuses if others changed what the save wrote.
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

  /// Writes the rows as they were before.
  mutating func apply() throws(StoreError) {
    // What triggers wrote is in the record; those of our own also keep what is derived from others' changes.
    let runsTriggers = store.format.declaresSchema
    if !runsTriggers { store.connection.enableTriggers(false) }
    defer { if !runsTriggers { store.connection.enableTriggers(true) } }
    for table in tables { count(table, deleted: try table.delete()) }
    for table in tables { count(table, updated: try table.update()) }
    for table in tables { count(table, inserted: try table.insert()) }
  }

  /// Refuses if rows that are gone are referred to, or rows that are back refer to some that are gone.
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
