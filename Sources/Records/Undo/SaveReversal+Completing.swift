import Modeling
package import StoreErrors

extension SaveReversal {
  /// Corrects what the user's triggers did during the undo, and checks that every row is restored; returns all changes.
  package func complete() throws(StoreError) -> ChangeSet {
    var done = try done()
    var corrections = try corrections(done)
    if !corrections.isEmpty {
      context.connection.enableTriggers(false)
      defer { context.connection.enableTriggers(true) }
      for table in corrections { _ = try table.delete() }
      for table in corrections { _ = try table.update() }
      for table in corrections { _ = try table.insert() }
      done = try self.done()
      corrections = try self.corrections(done)
    }
    if let table = corrections.first {
      throw StoreError(
        .constraint("the rows of \(table.changes.name) cannot be made what they were"), path: context.path)
    }
    return done
  }

  /// Returns all changes, which the redo needs.
  package func done() throws(StoreError) -> ChangeSet {
    let done = try capture.changes()
    guard done.isComplete else { throw StoreError(.notUndoable(.tooLarge), path: context.path) }
    return done
  }

  /// Returns the remaining changes to revert.
  private func corrections(_ done: ChangeSet) throws(StoreError) -> [TableReversal] {
    var corrections: [TableReversal] = []
    for table in tables {
      var bytes = try unrestored(table)
      if let changes = done.tables.first(where: { $0.name == table.changes.name }) {
        bytes += try others(changes, than: table)
      }
      if !bytes.isEmpty { corrections.append(correction(bytes, table.changes, table.shape)) }
    }
    for changes in done.tables where !tables.contains(where: { $0.changes.name == changes.name }) {
      guard let shape = try capture.shape(of: changes.name) else { continue }
      let bytes = try others(changes, than: nil)
      if !bytes.isEmpty { corrections.append(correction(bytes, changes, shape)) }
    }
    return corrections
  }

  private func correction(_ bytes: [UInt8], _ changes: TableChanges, _ shape: TableShape) -> TableReversal {
    var correction = TableChanges(changes.table, entity: changes.entity)
    correction.bytes = bytes
    return TableReversal(changes: correction, shape: shape, connection: context.connection)
  }

  /// Returns the records of the save whose rows are not restored yet.
  private func unrestored(_ table: TableReversal) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    for (record, isThere) in try table.unrestored() {
      if record.kind == .deleted, isThere {
        // A row restored with wrong values is deleted first, as if the save had inserted it.
        bytes.append(ChangeRecord.Kind.inserted.rawValue)
        bytes.append(contentsOf: table.changes.bytes[record.key])
        RowImage.appendFixed(0, to: &bytes)
      }
      bytes.append(contentsOf: table.changes.bytes[record.whole])
    }
    return bytes
  }

  /// Returns the records of changes to rows that the save had not touched.
  private func others(_ done: TableChanges, than table: TableReversal?) throws(StoreError) -> [UInt8] {
    var known: Set<ArraySlice<UInt8>> = []
    try table?.forEach { record throws(StoreError) in
      if let table { known.insert(table.changes.bytes[record.key]) }
    }
    var bytes: [UInt8] = []
    var records = ChangeRecords(done.bytes, of: done.table)
    while let record = try records.next() {
      let isPlain = record.kind != .updated || record.changes.contains { !done.table.columns[$0.column].isComputed }
      if isPlain, !known.contains(done.bytes[record.key]) { bytes.append(contentsOf: done.bytes[record.whole]) }
    }
    return bytes
  }
}
