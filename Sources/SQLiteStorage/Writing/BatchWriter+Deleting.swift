import Modeling
import Queries
import SQLite

// Deleting.
extension BatchWriter {
  /// Deletes all rows that a request selects, and applies delete rules in the store; returns the number of deleted rows
  /// of the entity.
  ///
  /// - Throws: StoreError; `.deleteDenied` if a rule forbids it, `.deleteHeld` if mandatory to-one relationships of
  ///   other rows would become nil; then nothing is deleted. PredicateError for a request that does not fit the model.
  func delete(_ request: FetchRequest) throws -> Int {
    try store.checkWritable(request.entity)
    return try store.write { try store.measuringWork({ try store.count(request) }) { try deleteRows(request) } }
  }

  private func deleteRows(_ request: FetchRequest) throws -> Int {
    if !store.format.writesRowByRow, !hasDeleteRules(request.entity, request.includesSubentities) {
      let sql: SQLFragment = "DELETE FROM \(name: store.layout(of: request.entity).table)"
      let highest = try highestKey(of: request.entity)
      let statement = try store.bound("\(sql)\(try RequestSQL(request, store.schema).changing(""))")
      defer { store.connection.checkIn(statement) }
      _ = try statement.step()
      let count = Int(store.connection.lastChanges)
      // SQLite gives the key of the last row again once that has gone.
      if let highest, try highestKey(of: request.entity) != highest {
        store.writers.retire(highest, of: request.entity)
      }
      return count
    }
    var plan = DeletePlan(store)
    let count = try plan.add(store.cursor(request, keysOnly: true))
    try plan.complete()
    try plan.execute()
    return count
  }

  /// The greatest key in the entity's table; nil if the table is empty, or if the app defines the key columns.
  private func highestKey(of entity: Entity) throws -> Int64? {
    guard case .rowID(let name) = store.layout(of: entity).key else { return nil }
    guard
      case .int(let key)? = try store.connection.first(
        "SELECT max(\(quotedName(name))) FROM \(quotedName(store.layout(of: entity).table))")
    else { return nil }
    return key
  }

  /// Whether deleting objects of the entity affects other rows.
  private func hasDeleteRules(_ entity: Entity, _ includesSubentities: Bool) -> Bool {
    let family = includesSubentities ? entity.family : [entity]
    return family.contains { member in
      !store.mandatoryReferences(to: member).isEmpty
        || member.properties.indices.contains { index in
          guard let relationship = member.properties[index].relationship else { return false }
          switch store.layout(of: member).properties[index] {
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
  private func holdsReference(inverseOf relationship: Int, of entity: Entity) -> Bool {
    guard let back = entity.inverse(at: relationship) else { return false }
    if case .reference = store.layout(of: entity.destination(at: relationship)).properties[back] { return true }
    return false
  }
}
