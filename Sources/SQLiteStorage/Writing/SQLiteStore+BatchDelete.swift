package import Modeling
public import Queries
import SQLite

extension SQLiteStore {
  /// Deletes all rows that a request selects, and applies delete rules in the store; returns the number of deleted rows
  /// of the entity.
  ///
  /// - Throws: StoreError; `.deleteDenied` if a rule forbids it, `.deleteHeld` if mandatory to-one relationships of
  ///   other rows would become nil; then nothing is deleted. PredicateError for a request that does not fit the model.
  public func batchDelete(_ request: FetchRequest) throws -> Int {
    try checkWritable(request.entity)
    return try write { try measuringWork({ try count(request) }) { try deleteRows(request) } }
  }

  private func deleteRows(_ request: FetchRequest) throws -> Int {
    if !format.writesRowByRow, !hasDeleteRules(request.entity, request.includesSubentities) {
      let sql: SQLFragment = "DELETE FROM \(name: layout(of: request.entity).table)"
      let highest = try highestKey(of: request.entity)
      let statement = try bound("\(sql)\(try RequestSQL(request, schema).changing(""))")
      defer { connection.checkIn(statement) }
      _ = try statement.step()
      let count = Int(connection.lastChanges)
      // SQLite gives the key of the last row again once that has gone.
      if let highest, try highestKey(of: request.entity) != highest { writers.retire(highest, of: request.entity) }
      return count
    }
    var plan = DeletePlan(self)
    let count = try plan.add(cursor(request, keysOnly: true))
    try plan.complete()
    try plan.execute()
    return count
  }

  /// The greatest key in the entity's table; nil if the table is empty, or if the app defines the key columns.
  private func highestKey(of entity: Entity) throws -> Int64? {
    guard case .rowID(let name) = layout(of: entity).key else { return nil }
    guard
      case .int(let key)? = try connection.first(
        "SELECT max(\(quotedName(name))) FROM \(quotedName(layout(of: entity).table))")
    else { return nil }
    return key
  }

  /// Whether deleting objects of the entity affects other rows.
  private func hasDeleteRules(_ entity: Entity, _ includesSubentities: Bool) -> Bool {
    let family = includesSubentities ? entity.family : [entity]
    return family.contains { member in
      !mandatoryReferences(to: member).isEmpty
        || member.properties.indices.contains { index in
          guard let relationship = member.properties[index].relationship else { return false }
          switch layout(of: member).properties[index] {
          case .inverse: return relationship.deleteRule != .noAction
          case .join: return true
          case .reference:
            let rule = relationship.deleteRule
            return rule == .cascade || rule == .deny || holdsReference(inverseOf: index, of: member)
          case .column, .none: return false
          }
        }
    }
  }

  /// Whether rows of the destination hold a reference to the objects of the entity.
  func holdsReference(inverseOf relationship: Int, of entity: Entity) -> Bool {
    guard let back = entity.inverse(at: relationship) else { return false }
    if case .reference = layout(of: entity.destination(at: relationship)).properties[back] { return true }
    return false
  }
}

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
