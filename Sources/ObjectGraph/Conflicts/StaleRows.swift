internal import Modeling
internal import Stores

/// Finds the changed objects whose rows others have changed, by reading all of their rows again.
///
/// The row itself is the version: every column that the store does not compute is compared byte for byte. So it
/// works in files, and with writers, that keep no versions.
struct StaleRows {
  let context: ObjectContext

  /// Returns the conflicts in the order of the changes.
  func conflicts() throws -> [RowConflict] {
    var found: [RowConflict] = []
    for table in context.allTables where !table.changes.isEmpty { try compare(table, &found) }
    func order(_ conflict: RowConflict) -> Int {
      conflict.reference.table.changes[conflict.reference.slot]?.order ?? 0
    }
    return found.sorted { order($0) < order($1) }
  }

  private func compare(_ table: ObjectTable, _ found: inout [RowConflict]) throws {
    var waiting: [Int64: Int32] = [:]
    for (slot, changes) in zip(table.changes.keys, table.changes.values) {
      guard changes.kind == .updated || changes.kind == .deleted && !changes.wasInserted else { continue }
      waiting[table.key(slot)] = slot
    }
    guard !waiting.isEmpty else { return }
    let cursor = try context.store.rows(of: table.root, keys: waiting.keys.sorted())
    defer { cursor.close() }
    while try cursor.step() {
      guard let slot = waiting.removeValue(forKey: cursor.key) else { continue }
      // An object without a row was never read: only its many-to-manys changed, or it was deleted as a fault.
      guard let base = table.row(slot) else { continue }
      guard cursor.entity === table.entity(slot) else {
        waiting[cursor.key] = slot
        continue
      }
      let columns = table.shape(slot).comparedColumns.filter { !base.isSame(as: cursor, $0) }
      if columns.isEmpty { continue }
      found.append(RowConflict(ObjectReference(table: table, slot: slot), columns: columns, theirs: cursor.pack()))
    }
    for slot in waiting.values where table.changes[slot]?.kind == .updated {
      found.append(RowConflict(ObjectReference(table: table, slot: slot), columns: [], theirs: nil))
    }
  }
}

extension PackedRow {
  /// Whether a column has the same bytes as in the cursor's present row.
  fileprivate func isSame(as cursor: RowCursor, _ column: Int) -> Bool {
    let storage = storageClass(column)
    guard storage == cursor.storageClass(column) else { return false }
    switch storage {
    case .null: return true
    case .integer: return integer(column) == cursor.integer(column)
    case .real: return real(column).bitPattern == cursor.real(column).bitPattern
    case .text, .blob: return bytes(column).elementsEqual(cursor.bytes(column))
    }
  }
}
