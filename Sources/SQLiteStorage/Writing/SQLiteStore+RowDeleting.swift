package import Modeling
import SQLite

// What a plan of deletions has done to many rows at once.
extension SQLiteStore: RowDeleting {
  /// Whether rows need bookkeeping of their format.
  package var deletesRowByRow: Bool { format.writesRowByRow }

  /// Removes all pairs of the owners.
  package func removePairs(of relationship: Int, in entity: Entity, owners: [Int64]) throws {
    guard case .join(let join) = layout(of: entity).properties[relationship] else { return }
    try run(
      "DELETE FROM \(quotedName(join.table)) WHERE ", join.ownerColumns, try values(entity, join.ownerTarget, owners))
  }

  /// Sets the columns of a to-one relationship to null if they refer to the rows.
  package func empty(
    _ toOne: Int, of entity: Entity, order: String?, leadingTo destination: Entity, _ keys: [Int64]
  ) throws {
    let layout = layout(of: entity)
    guard case .reference(let columns, let target) = layout.properties[toOne] else { return }
    let names = columns.map { layout.columns[$0].name }
    let settings = (names + (order.map { [$0] } ?? [])).map { "\(quotedName($0)) = NULL" }.joined(separator: ", ")
    try run("UPDATE \(quotedName(layout.table)) SET \(settings) WHERE ", names, try values(destination, target, keys))
  }

  /// Deletes the rows.
  package func deleteReleased(_ entity: Entity, _ keys: [Int64]) throws {
    let layout = layout(of: entity)
    try run("DELETE FROM \(quotedName(layout.table)) WHERE ", layout.key.columns, try values(entity, .key, keys))
    if let highest = keys.max() { writers.retire(highest, of: entity) }
  }

  /// Returns the column values that refer to the rows, row by row.
  private func values(_ entity: Entity, _ target: ReferenceTarget, _ keys: [Int64]) throws -> [[Value]] {
    if case .key = target { return keys.map { keyValues(of: entity, key: $0) } }
    return try keys.map { try values(of: target, entity, $0) }
  }

  /// Runs a statement for all rows: for many at once if the condition has one column, otherwise row by row.
  private func run(_ start: String, _ columns: [String], _ rows: [[Value]]) throws {
    guard columns.count == 1 else {
      let text = start + columns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
      for row in rows { try connection.run(text, row) }
      return
    }
    let group = 256
    var index = 0
    while index < rows.count {
      let count = min(group, rows.count - index)
      let marks = [String](repeating: "?", count: group).joined(separator: ", ")
      let values = rows[index..<index + count].map { $0[0] } + [Value](repeating: .null, count: group - count)
      try connection.run("\(start)\(quotedName(columns[0])) IN (\(marks))", values)
      index += count
    }
  }
}
