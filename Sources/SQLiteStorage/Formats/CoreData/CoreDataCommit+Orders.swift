import Modeling
import SQLite

/// Assigns places in ordered relationships to rows that have none.
extension CoreDataCommit {
  /// Places members without a place after the others; returns whether there were any.
  func writeOrders() throws -> Bool {
    var hasWritten = false
    for table in changes.tables {
      let keys = try writtenKeys(table)
      guard !keys.isEmpty else { continue }
      for link in coreData.links.columns(of: table.name) {
        guard let order = link.order else { continue }
        if try place(table.name, owner: link.name, order: order, keys) { hasWritten = true }
        try unplace(table.name, owner: link.name, order: order, keys)
      }
      for end in coreData.links.pairs[asciiLowercased(table.name)]?.ends ?? [] {
        guard let order = end.order else { continue }
        if try place(table.name, owner: end.column, order: order, keys) { hasWritten = true }
      }
    }
    return hasWritten
  }

  private func writtenKeys(_ table: TableChanges) throws -> [Int64] {
    let links = coreData.links
    guard
      links.columns(of: table.name).contains(where: { $0.order != nil })
        || links.pairs[asciiLowercased(table.name)]?.ends.contains(where: { $0.order != nil }) == true
    else { return [] }
    var keys: [Int64] = []
    try forEach(table) { record in if record.kind != .deleted { keys.append(record.rowID) } }
    return keys
  }

  /// Removes the places of members that no longer have an owner.
  private func unplace(_ table: String, owner: String, order: String, _ keys: [Int64]) throws {
    let (name, owner, order) = (quotedName(table), quotedName(owner), quotedName(order))
    for run in runs(keys) {
      try connection.run(
        """
        UPDATE \(name) SET \(order) = NULL
        WHERE rowid BETWEEN ? AND ? AND \(owner) IS NULL AND \(order) IS NOT NULL
        """, [.int(run.lowerBound), .int(run.upperBound)])
    }
  }

  private func place(_ table: String, owner: String, order: String, _ keys: [Int64]) throws -> Bool {
    let (name, owner, order) = (quotedName(table), quotedName(owner), quotedName(order))
    var last: [Value: Int64] = [:]
    var places: [(row: Int64, place: Int64)] = []
    let sql = """
      SELECT rowid, \(owner) FROM \(name) WHERE rowid BETWEEN ? AND ? AND \(owner) IS NOT NULL AND \(order) IS NULL
      """
    for run in runs(keys) {
      for row in try connection.all(sql, [.int(run.lowerBound), .int(run.upperBound)]) {
        guard case .int(let key) = row[0] else { continue }
        if last[row[1]] == nil {
          let highest = try connection.first("SELECT max(\(order)) FROM \(name) WHERE \(owner) = ?", [row[1]])
          last[row[1]] = if case .int(let place)? = highest { place } else { OrderKeys.start - OrderKeys.step }
        }
        let (place, isOver) = (last[row[1]] ?? 0).addingReportingOverflow(OrderKeys.step)
        if isOver { throw StoreError(.constraint("the places of \(table) have no room"), path: store.path) }
        last[row[1]] = place
        places.append((key, place))
      }
    }
    for (row, place) in places {
      try connection.run("UPDATE \(name) SET \(order) = ? WHERE rowid = ?", [.int(place), .int(row)])
    }
    return !places.isEmpty
  }
}
