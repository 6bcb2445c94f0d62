import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// Finds the rows from which a relationship leads to others.
final class PostgresOwnerLookUp: OwnerLookUp {
  let isAlike = true
  private unowned let store: PostgresStore
  private let relationship: Int
  private let entity: Entity
  private let own: EntityLayout
  private let others: EntityLayout

  init(_ relationship: Int, of entity: Entity, _ store: PostgresStore) throws {
    switch store.layout(of: entity).properties[relationship] {
    case .column, .none:
      throw PredicateError(.unsupported(.notKept(entity.properties[relationship].name)))
    case .reference, .inverse, .join: break
    }
    (self.store, self.relationship, self.entity) = (store, relationship, entity)
    own = store.layout(of: entity)
    others = store.layout(of: entity.destination(at: relationship))
  }

  /// Whether no index begins with the column of the reference.
  func scans() throws -> Bool {
    let (table, column): (String, String)
    switch own.properties[relationship] {
    case .reference(let columns, _): (table, column) = (own.table, own.columns[columns[0]].name)
    case .join(let join): (table, column) = (join.table, join.memberColumns[0])
    case .inverse, .column, .none: return false
    }
    let result = try store.pool.run(
      """
      SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] \
      WHERE i.indrelid = \(.untyped(store.tables[table].sqlName))::regclass AND a.attname = \(.untyped(column)) LIMIT 1
      """)
    return result.rowCount == 0
  }

  func owners(of members: Set<Int64>, _ body: (Int64) throws -> Void) throws {
    if members.isEmpty { return }
    let keys = members.sorted()
    if store.format.declaresSchema, let names = store.endColumns(of: relationship, in: entity) {
      return try tellAlone(names.table, names.owner, "\(name: names.member) = ANY(\(.ints(keys)))", body)
    }
    if store.readsApart(relationship, entity) {
      for owner in try SingleTableRows(store).owners(of: relationship, in: entity, members: keys) { try body(owner) }
      return
    }
    switch own.properties[relationship] {
    case .reference(_, .key): try owners(ofMembersNamed: .values(keys.map(Value.int)), body)
    case .reference:
      let reference = LooseReference(entity: entity, property: relationship, effect: .left)
      try store.visitReferrers(of: reference, to: entity.destination(at: relationship), keys: keys) { holder, _ in
        try body(holder)
      }
    case .join(let join) where join.memberTarget == .key:
      try owners(ofMembersNamed: .values(keys.map(Value.int)), body)
    case .join, .inverse:
      // From the members' side: the owners that their rows name.
      let compiler = PostgresCompiler(store)
      let owner = compiler.place(entity)
      guard let (member, conditions, _) = compiler.enter(relationship, from: owner),
        let condition = store.keyCondition(member, keys)
      else { return }
      try tell(owner, "\(owner.source.sql) JOIN \(member.source.sql) ON \(conditions.joined(" AND "))", condition, body)
    case .column, .none: break
    }
  }

  func owners(ofMembersNamed names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    let compiler = PostgresCompiler(store)
    let owner = compiler.place(entity)
    switch own.properties[relationship] {
    case .reference(let columns, _):
      let places = columns.map { (owner.column(own.columns[$0].name), own.table, own.columns[$0].name) }
      guard let condition = condition(places, names) else { return }
      try tell(owner, owner.source.sql, condition, body)
    case .join(let join) where store.format.declaresSchema:
      let places = join.memberColumns.map { (PostgresSQL(raw: quoted($0)), join.table, $0) }
      guard let condition = condition(places, names) else { return }
      try tellAlone(join.table, join.ownerColumns[0], condition, body)
    case .join(let join) where store.readsApart(relationship, entity):
      let places = join.memberColumns.map { (PostgresSQL(raw: quoted($0)), join.table, $0) }
      guard let condition = condition(places, names) else { return }
      let apart = SingleTableRows(store)
      let pairs = try apart.pairs(of: join.table, join.ownerColumns, where: condition)
      for owner in try apart.owners(entity, join.ownerTarget.columns(own), Set(pairs)) { try body(owner) }
    case .join(let join):
      let pair = compiler.makeAlias()
      let link = zip(join.ownerColumns, join.ownerTarget.columns(own)).map {
        "\(column: pair, $0) = \(owner.column($1))" as PostgresSQL
      }
      let places = join.memberColumns.map { ("\(column: pair, $0)" as PostgresSQL, join.table, $0) }
      guard let condition = condition(places, names) else { return }
      let from: PostgresSQL =
        "\(owner.source.sql) JOIN \(store.table(join.table)) AS \(raw: pair) ON \(link.joined(" AND "))"
      try tell(owner, from, condition, body)
    case .inverse, .column, .none: break
    }
  }

  func owners(named names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    let targets: [String]
    switch own.properties[relationship] {
    case .inverse(let back, _):
      guard case .reference(_, let target) = others.properties[back] else { return }
      targets = target.columns(own)
    case .join(let join): targets = join.ownerTarget.columns(own)
    case .reference, .column, .none: return
    }
    let compiler = PostgresCompiler(store)
    let owner = compiler.place(entity)
    guard let condition = condition(targets.map { (owner.column($0), own.table, $0) }, names) else { return }
    try tell(owner, owner.source.sql, condition, body)
  }

  // MARK: Parts

  /// The condition that columns hold the given values; nil for no values.
  private func condition(
    _ columns: [(sql: PostgresSQL, table: String, name: String)], _ names: ReferenceNames
  ) -> PostgresSQL? {
    let columns = columns.map { SoughtRows.Column(sql: $0.sql, form: store.tables.form($0.table, $0.name)) }
    let combinations: Set<[Value?]> =
      switch names {
      case .values(let values): Set(values.map { [$0] })
      case .combinations(let combinations): combinations
      }
    // A null reference leads nowhere.
    return SoughtRows(columns, combinations.filter { !$0.contains { $0?.isNull == true } }).condition
  }

  /// The keys that a column of a store of our own holds.
  private func tellAlone(
    _ table: String, _ column: String, _ condition: PostgresSQL, _ body: (Int64) throws -> Void
  ) throws {
    let result = try store.pool.run(
      """
      SELECT DISTINCT \(name: column) FROM \(store.table(table)) WHERE \(condition) AND \(name: column) IS NOT NULL
      """)
    for row in 0..<result.rowCount { try body(result.int(row, 0)) }
  }

  private func tell(
    _ owner: PostgresPlace, _ from: PostgresSQL, _ condition: PostgresSQL, _ body: (Int64) throws -> Void
  ) throws {
    let compiler = PostgresCompiler(store)
    let keys = KeyColumns(owner, store, from: 0)
    var sql: PostgresSQL = "SELECT DISTINCT \(keys.columns.joined(", ")) FROM \(from) WHERE \(condition)"
    if let family = compiler.family(entity, owner.alias) { sql += " AND \(family)" }
    let source = PostgresRowSource(result: try store.pool.run(sql))
    while try source.step() { try body(keys.key(source)) }
  }
}
