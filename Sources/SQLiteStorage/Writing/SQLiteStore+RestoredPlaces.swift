import Modeling
import Records
import SQLite

// The places in ordered to-manys of members that an undone save brings back.
extension SQLiteStore {
  /// Gives new places to members of ordered to-manys that share theirs with another member: others may have taken the place of a
  /// member that had left. Returns whether there were any.
  ///
  /// `restored` is what the reversal has written. O(n log n) for n rows of it.
  func separatePlaces(of restored: ChangeSet) throws -> Bool {
    var isSeparated = false
    var seen: Set<String> = []
    for entity in model.entities {
      for index in entity.properties.indices {
        guard let (table, owners, order) = orderPlace(index, of: entity), owners.count == 1,
          seen.insert("\(table) \(order)").inserted,
          let changes = restored.tables.first(where: { $0.name == table })
        else { continue }
        for owner in try ownersOfSharedPlaces(changes, owners[0], order) {
          let members = try members(of: index, in: entity, owners: [owner]).map(\.member)
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
      if case .int(let key)? = try connection.first(sql, row.key) { found.insert(key) }
    }
    return found.sorted()
  }
}
