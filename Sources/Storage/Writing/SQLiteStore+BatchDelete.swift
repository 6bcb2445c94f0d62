import Modeling
public import Queries
import SQLite

extension SQLiteStore {
  /// Deletes all rows that a request selects, delete rules enforced in the store; returns how many of the entity.
  ///
  /// - Throws: StoreError; `.deleteDenied` where a rule forbids it, `.deleteHeld` where mandatory to-ones of others would
  ///   be empty; then nothing is deleted. PredicateError for a request that does not fit the model.
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

  /// The greatest key of the rows in the entity's table; nil where there is none, or where keys are columns of the app's.
  private func highestKey(of entity: Entity) throws -> Int64? {
    guard case .rowID(let name) = layout(of: entity).key else { return nil }
    guard
      case .int(let key)? = try connection.first(
        "SELECT max(\(quotedName(name))) FROM \(quotedName(layout(of: entity).table))")
    else { return nil }
    return key
  }

  /// Whether deleting objects of the entity concerns other rows.
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

  /// Whether the destination's own row refers back to the objects of the entity.
  func holdsReference(inverseOf relationship: Int, of entity: Entity) -> Bool {
    guard let back = entity.inverse(at: relationship) else { return false }
    if case .reference = layout(of: entity.destination(at: relationship)).properties[back] { return true }
    return false
  }
}
