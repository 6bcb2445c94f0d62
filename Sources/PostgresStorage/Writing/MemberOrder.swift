import Layouts
import Modeling
import Postgres
import Stores

/// Orders members, by places in their own rows or in those of pairs.
struct MemberOrder {
  private unowned let store: PostgresStore

  init(_ store: PostgresStore) { self.store = store }

  /// Brings the members of an ordered to-many into an order.
  func set(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws {
    let destination = entity.destination(at: relationship)
    switch store.layout(of: entity).properties[relationship] {
    case .inverse(let back, let order?):
      let layout = store.layout(of: destination)
      guard case .reference(let columns, _) = layout.properties[back], let key = layout.key.integerName else { return }
      try store.write(entity) {
        let place = PlaceColumn(
          table: layout.table, owner: layout.columns[columns[0]].name, member: key, place: order)
        let changed = try setPlaces(place, owner, members)
        var updated = CommitLog.UpdatedRows([order.lowercased()])
        for (member, old, new) in changed {
          updated.keys.append(member)
          updated.olds.append(old.map(Value.int) ?? .null)
          updated.news.append(.int(new))
        }
        if updated.keys.isEmpty { return }
        store.transactions.log.add(.updated(destination, updated))
        store.transactions.log.add(.ordered(entity, owner, relationship: relationship))
      }
    case .join(let join):
      guard let order = join.order else { return }
      try store.write(entity) {
        let (ownerColumn, memberColumn) = (join.ownerColumns[0], join.memberColumns[0])
        let place = PlaceColumn(table: join.table, owner: ownerColumn, member: memberColumn, place: order)
        for (member, _, _) in try setPlaces(place, owner, members) {
          store.transactions.log.add(
            .reordered(table: join.table, [ownerColumn: .int(owner), memberColumn: .int(member)]))
        }
      }
    case .inverse, .column, .reference, .none: return
    }
  }

  /// The columns that keep the places of members: in their own rows, or in those of pairs.
  private struct PlaceColumn {
    let table: String
    let owner: String
    let member: String
    let place: String
  }

  /// Gives members their places; returns those that moved, with their old and new places.
  private func setPlaces(
    _ column: PlaceColumn, _ owner: Int64, _ members: [Int64]
  ) throws -> [(member: Int64, old: Int64?, new: Int64)] {
    let target = store.table(column.table)
    let result = try store.pool.run(
      "SELECT \(name: column.member), \(name: column.place) FROM \(target) WHERE \(name: column.owner) = \(.int(owner))"
    )
    let present = (0..<result.rowCount).map { row -> OrderKeys.Member in
      (result.int(row, 0), result.isNull(row, 1) ? nil : result.int(row, 1))
    }
    let members = OrderKeys.arranged(members, among: present)
    let changes = OrderKeys.changes(members.map(\.place)).map {
      (member: members[$0.index].member, old: members[$0.index].place, new: $0.place)
    }
    if changes.isEmpty { return [] }
    guard store.profile.has(.joinsOfAnyColumns) else {
      for change in changes {
        _ = try store.pool.run(
          """
          UPDATE \(target) SET \(name: column.place) = \(.int(change.new)) \
          WHERE \(name: column.owner) = \(.int(owner)) AND \(name: column.member) = \(.int(change.member))
          """)
      }
      return changes
    }
    _ = try store.pool.run(
      """
      UPDATE \(target) AS "row" SET \(name: column.place) = v.place \
      FROM unnest(\(.ints(changes.map(\.member))), \(.ints(changes.map(\.new)))) AS v(key, place) \
      WHERE "row".\(name: column.owner) = \(.int(owner)) AND "row".\(name: column.member) = v.key
      """)
    return changes
  }
}
