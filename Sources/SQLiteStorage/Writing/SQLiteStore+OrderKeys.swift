import Modeling
import SQLite

extension SQLiteStore {
  /// Returns violations of the store's invariants, in words: ordered relationships with two members at the same place.
  /// For tests.
  public func checkInvariants() throws -> [String] {
    try model.entities.flatMap { entity in
      try entity.properties.indices.compactMap { index in
        guard let (table, owners, order) = orderPlace(index, of: entity) else { return nil }
        let list = owners.map(quotedName).joined(separator: ", ")
        let known = owners.map { "\(quotedName($0)) IS NOT NULL" }.joined(separator: " AND ")
        let twice = try connection.first(
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
    switch layout(of: entity).properties[index] {
    case .inverse(let back, let order?):
      let members = layout(of: entity.destination(at: index))
      guard case .reference(let columns, _) = members.properties[back] else { return nil }
      return (members.table, columns.map { members.columns[$0].name }, order)
    case .join(let join): return join.order.map { (join.table, join.ownerColumns, $0) }
    case .column, .reference, .inverse, .none: return nil
    }
  }
}
