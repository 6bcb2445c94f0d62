import Layouts
public import Modeling
import Postgres
import Stores

/// The destinations of relationships, for many objects at once.
extension PostgresStore {
  /// The members of a to-many of each owner, in its order, grouped by owner.
  public func members(
    of relationship: Int, in entity: Entity, owners: [Int64]
  ) throws -> [(owner: Int64, member: Int64)] {
    if readsApart(relationship, entity) {
      return try SingleTableRows(self).members(of: relationship, in: entity, owners: owners)
    }
    guard let (sql, ownerKeys, memberKeys) = membersSQL(relationship, entity, owners, counts: false) else { return [] }
    let source = PostgresRowSource(result: try pool.run(sql))
    var found: [(owner: Int64, member: Int64)] = []
    while try source.step() { found.append((ownerKeys.key(source), memberKeys.key(source))) }
    return found
  }

  /// The number of members of each owner's to-many; owners without members are left out.
  public func memberCounts(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64: Int] {
    if readsApart(relationship, entity) {
      let members = try SingleTableRows(self).members(of: relationship, in: entity, owners: owners)
      return members.reduce(into: [:]) { $0[$1.owner, default: 0] += 1 }
    }
    guard let (sql, ownerKeys, _) = membersSQL(relationship, entity, owners, counts: true) else { return [:] }
    let source = PostgresRowSource(result: try pool.run(sql))
    var found: [Int64: Int] = [:]
    while try source.step() { found[ownerKeys.key(source)] = Int(clamping: source.integer(ownerKeys.columns.count)) }
    return found
  }

  /// Whether the server cannot join the tables of a relationship that others made, because their rows are on several nodes.
  func readsApart(_ relationship: Int, _ entity: Entity) -> Bool {
    guard format.mayLieApart else { return false }
    let compiler = PostgresCompiler(self)
    let owner = compiler.place(entity)
    if entity.properties[relationship].relationship?.isToMany == true {
      return compiler.enter(relationship, from: owner) == nil
    }
    return compiler.step(from: owner, along: relationship) == nil
  }

  /// A SELECT of the keys of owners and members, or of owners and the number of their members.
  private func membersSQL(
    _ relationship: Int, _ entity: Entity, _ owners: [Int64], counts: Bool
  ) -> (sql: PostgresSQL, owners: KeyColumns, members: KeyColumns)? {
    if format.declaresSchema { return membersAlone(relationship, entity, owners, counts: counts) }
    let compiler = PostgresCompiler(self)
    let owner = compiler.place(entity)
    guard let condition = keyCondition(owner, owners),
      let (member, conditions, order) = compiler.enter(relationship, from: owner)
    else { return nil }
    let ownerKeys = KeyColumns(owner, self, from: 0)
    let memberKeys = KeyColumns(member, self, from: ownerKeys.columns.count)
    let from: PostgresSQL = "\(owner.source.sql) JOIN \(member.source.sql) ON \(conditions.joined(" AND "))"
    let places = compiler.keyOrder(owner)
    guard !counts else {
      let keys = ownerKeys.columns.joined(", ")
      return (
        "SELECT \(keys), count(*) FROM \(from) WHERE \(condition) GROUP BY \(places.joined(", ")), \(keys)", ownerKeys,
        memberKeys
      )
    }
    let columns = (ownerKeys.columns + memberKeys.columns).joined(", ")
    let all = (places + (order.map { ["\($0) NULLS FIRST"] } ?? []) + compiler.keyOrder(member)).joined(", ")
    return ("SELECT \(columns) FROM \(from) WHERE \(condition) ORDER BY \(all)", ownerKeys, memberKeys)
  }

  /// The same of one table, in a store of our own: its references hold the key of a row that is there.
  private func membersAlone(
    _ relationship: Int, _ entity: Entity, _ owners: [Int64], counts: Bool
  ) -> (sql: PostgresSQL, owners: KeyColumns, members: KeyColumns)? {
    let compiler = PostgresCompiler(self)
    let (owner, member) = (compiler.place(entity), compiler.place(entity.destination(at: relationship)))
    guard !owners.isEmpty, let names = endColumns(of: relationship, in: entity) else { return nil }
    let (first, second) = (PostgresSQL(raw: quoted(names.owner)), PostgresSQL(raw: quoted(names.member)))
    let ownerKeys = KeyColumns(owner, self, from: 0)
    let memberKeys = KeyColumns(member, self, from: 1)
    let from: PostgresSQL = "FROM \(table(names.table)) WHERE \(first) = ANY(\(.ints(owners)))"
    if counts { return ("SELECT \(first), count(*) \(from) GROUP BY \(first)", ownerKeys, memberKeys) }
    let order = names.order.map { ", \(raw: quoted($0)) NULLS FIRST" as PostgresSQL } ?? ""
    return ("SELECT \(first), \(second) \(from) ORDER BY \(first)\(order), \(second)", ownerKeys, memberKeys)
  }

  /// The table and the columns in which a store of our own keeps the keys of a to-many's owners and members.
  func endColumns(
    of relationship: Int, in entity: Entity
  ) -> (table: String, owner: String, member: String, order: String?)? {
    let others = layout(of: entity.destination(at: relationship))
    switch layout(of: entity).properties[relationship] {
    case .inverse(let back, let order):
      guard case .reference(let columns, .key) = others.properties[back] else { return nil }
      return (others.table, others.columns[columns[0]].name, others.key.columns[0], order)
    case .join(let join): return (join.table, join.ownerColumns[0], join.memberColumns[0], join.order)
    case .reference, .column, .none: return nil
    }
  }
}
