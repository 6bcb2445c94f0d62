import Modeling
import Records
import SQLite

// The places in ordered to-manys, and those of members that an undone save brings back.
extension PairWriter {
  /// Gives new places to members of ordered to-manys that share theirs with another member: others may have taken the place of a
  /// member that had left. Returns whether there were any.
  ///
  /// `restored` is what the reversal has written. O(n log n) for n rows of it.
  func separatePlaces(of restored: ChangeSet) throws -> Bool {
    var isSeparated = false
    var seen: Set<String> = []
    for entity in store.model.entities {
      for index in entity.properties.indices {
        guard let (table, owners, order) = orderPlace(index, of: entity), owners.count == 1,
          seen.insert("\(table) \(order)").inserted,
          let changes = restored.tables.first(where: { $0.name == table })
        else { continue }
        for owner in try ownersOfSharedPlaces(changes, owners[0], order) {
          let members = try store.members(of: index, in: entity, owners: [owner]).map(\.member)
          try setOrder(index, in: entity, owner: owner, members: members)
          isSeparated = true
        }
      }
    }
    return isSeparated
  }

  private func ownersOfSharedPlaces(_ changes: TableChanges, _ owner: String, _ order: String) throws -> [Int64] {
    let (table, owner, order) = (quotedName(changes.name), quotedName(owner), quotedName(order))
    let keys = changes.keyColumns.isEmpty ? ["rowid"] : changes.keyColumns.map(quotedName)
    let same = keys.map { "o.\($0) = m.\($0)" }.joined(separator: " AND ")
    let sql = """
      SELECT m.\(owner) FROM \(table) m WHERE \(keys.map { "m.\($0) = ?" }.joined(separator: " AND ")) AND EXISTS (
      SELECT 1 FROM \(table) o WHERE o.\(owner) = m.\(owner) AND o.\(order) = m.\(order) AND NOT (\(same)))
      """
    var found: Set<Int64> = []
    for row in try changes.rows() {
      if case .deleted = row.kind { continue }
      if case .int(let key)? = try store.connection.first(sql, row.key) { found.insert(key) }
    }
    return found.sorted()
  }

  /// The ordered relationships with two members at the same place, in words.
  ///
  /// - Throws: StoreError.
  func sharedPlaces() throws -> [String] {
    try store.model.entities.flatMap { entity in
      try entity.properties.indices.compactMap { index in
        guard let (table, owners, order) = orderPlace(index, of: entity) else { return nil }
        let list = owners.map(quotedName).joined(separator: ", ")
        let known = owners.map { "\(quotedName($0)) IS NOT NULL" }.joined(separator: " AND ")
        let twice = try store.connection.first(
          """
          SELECT count(*) FROM (SELECT 1 FROM \(quotedName(table)) WHERE \(known) AND \(quotedName(order)) IS NOT NULL
          GROUP BY \(list), \(quotedName(order)) HAVING count(*) > 1)
          """)
        guard case .int(let count)? = twice, count > 0 else { return nil }
        return "\(count) places in \(entity.name).\(entity.properties[index].name) are taken twice"
      }
    }
  }

  /// The table and columns that store an ordered relationship's owners and their members' places.
  func orderPlace(_ index: Int, of entity: Entity) -> (table: String, owners: [String], order: String)? {
    switch store.layout(of: entity).properties[index] {
    case .inverse(let back, let order?):
      let members = store.layout(of: entity.destination(at: index))
      guard case .reference(let columns, _) = members.properties[back] else { return nil }
      return (members.table, columns.map { members.columns[$0].name }, order)
    case .join(let join): return join.order.map { (join.table, join.ownerColumns, $0) }
    case .column, .reference, .inverse, .none: return nil
    }
  }
}
