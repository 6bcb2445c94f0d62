import Modeling
package import SQLite
package import StoreErrors
package import Stores

/// Reverts a save, within a transaction without foreign key enforcement.
package struct SaveReversal {
  /// What a reversal needs to know of the store.
  package struct Context {
    let connection: Connection
    let capture: ChangeCapture
    /// The file, in errors.
    let path: String
    /// Whether triggers run: those of our own stores maintain derived values of other rows.
    let runsTriggers: Bool
    /// The name of the entity of a row, by its image.
    let entityName: (TableChanges, [UInt8]) -> String

    /// Creates a context.
    package init(
      _ connection: Connection, _ capture: ChangeCapture, path: String, runsTriggers: Bool,
      entityName: @escaping (TableChanges, [UInt8]) -> String
    ) {
      self.connection = connection
      self.capture = capture
      self.path = path
      self.runsTriggers = runsTriggers
      self.entityName = entityName
    }
  }

  let context: Context
  let tables: [TableReversal]
  var capture: ChangeCapture { context.capture }
  private let direction: SaveDirection

  /// The numbers of inserted, updated and deleted rows, and of changed pairs.
  package private(set) var result: ReversedSave

  /// The maximum number of listed conflicts.
  private static let conflictLimit = 100

  /// Prepares to revert `changes`.
  ///
  /// - Throws: StoreError, `.notUndoable` if a table's definition has changed.
  package init(_ changes: ChangeSet, _ direction: SaveDirection, time: Double, _ context: Context) throws(StoreError) {
    self.context = context
    self.direction = direction
    result = ReversedSave(time: Timestamp(time))
    var tables: [TableReversal] = []
    for changes in changes.tables {
      guard let shape = try context.capture.shape(of: changes.name), shape.recorded == changes.table else {
        throw StoreError(.notUndoable(.schemaChanged(table: changes.name)), path: context.path)
      }
      tables.append(TableReversal(changes: changes, shape: shape, connection: context.connection))
    }
    self.tables = tables
  }

  /// Throws if rows written by the save have been changed since.
  package func check() throws(StoreError) {
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
  package mutating func apply() throws(StoreError) {
    // The record includes what triggers wrote.
    if !context.runsTriggers { context.connection.enableTriggers(false) }
    defer { if !context.runsTriggers { context.connection.enableTriggers(true) } }
    for table in tables { count(table, deleted: try table.delete()) }
    for table in tables { count(table, updated: try table.update()) }
    for table in tables { count(table, inserted: try table.insert()) }
  }

  /// Throws if deleted rows are still referenced, or restored rows refer to missing rows.
  package func checkReferences(_ done: ChangeSet) throws(StoreError) {
    var conflicts: [ReversalConflict] = []
    try ReferenceCheck(context.connection, capture).run(done) { changes, record, image, reason in
      guard conflicts.count < Self.conflictLimit else { return }
      conflicts.append(conflict(changes, record, image, reason))
    }
    try refuse(conflicts)
  }

  // MARK: Words

  private func refuse(_ conflicts: [ReversalConflict]) throws(StoreError) {
    if !conflicts.isEmpty { throw StoreError(.changedSince(direction, conflicts), path: context.path) }
  }

  private func conflict(
    _ changes: TableChanges, _ record: ChangeRecord, _ image: [UInt8], _ reason: ReversalConflict.Reason
  ) -> ReversalConflict {
    var reason = reason
    if case .changed(let columns) = reason {
      reason = .changed(columns.map { context.connection.nameConstraint(changes.name, [$0])?.properties.first ?? $0 })
    }
    let key = (try? changes.values(record.key)) ?? []
    return ReversalConflict(
      entity: context.entityName(changes, image), key: key.map(\.displayText).joined(separator: ", "), reason: reason)
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
