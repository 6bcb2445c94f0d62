import Layouts
import Modeling
import Postgres
import Stores

/// Rows found by the values of their columns, in one table at a time, for a server that spreads tables over nodes and joins
/// only rows on one node.
struct SingleTableRows {
  private unowned let store: PostgresStore

  init(_ store: PostgresStore) { self.store = store }

  /// The values by which references name the rows with some keys.
  func names(of entity: Entity, _ keys: [Int64], as target: ReferenceTarget) throws -> [(key: Int64, name: [Value])] {
    guard case .columns(let names) = target else {
      return keys.map { ($0, store.keyValues(of: entity, key: $0)) }
    }
    let place = PostgresCompiler(store).place(entity)
    guard let condition = store.keyCondition(place, keys) else { return [] }
    return try rows(place, names, condition).map { ($0.key, $0.values) }
  }

  /// The rows of an entity that hold one of some combinations of values in some columns, with these values, in the order of
  /// their keys.
  func rows(
    of entity: Entity, _ columns: [String], hold names: Set<[Value]>
  ) throws -> [(key: Int64, values: [Value])] {
    let place = PostgresCompiler(store).place(entity)
    let table = store.layout(of: entity).table
    guard let condition = condition(columns.map { ($0, place.column($0)) }, of: table, hold: names) else { return [] }
    return try rows(place, columns, condition)
  }

  private func rows(
    _ place: PostgresPlace, _ columns: [String], _ condition: PostgresSQL
  ) throws -> [(key: Int64, values: [Value])] {
    let compiler = PostgresCompiler(store)
    let keys = KeyColumns(place, store, from: 0)
    let forms = columns.map { store.tables.form(store.layout(of: place.entity).table, $0) }
    let read = zip(columns, forms).map { PostgresSQL(raw: $1.selected("\(place.alias).\(quoted($0))")) }
    var sql: PostgresSQL =
      "SELECT \((keys.columns + read).joined(", ")) FROM \(place.source.sql) WHERE \(condition)"
    if let family = compiler.family(place.entity, place.alias) { sql += " AND \(family)" }
    sql += " ORDER BY \(compiler.keyOrder(place).joined(", "))"
    let source = PostgresRowSource(result: try store.pool.run(sql))
    var found: [(key: Int64, values: [Value])] = []
    while try source.step() { found.append((keys.key(source), values(source, forms, from: keys.columns.count))) }
    return found
  }

  /// The values in some columns of the pairs that hold one of some combinations of values in others.
  func pairs(
    of table: String, _ columns: [String], where others: [String], hold names: Set<[Value]>
  ) throws -> [[Value]] {
    let test = condition(others.map { ($0, PostgresSQL(raw: quoted($0))) }, of: table, hold: names)
    return try test.map { try pairs(of: table, columns, where: $0) } ?? []
  }

  /// The same by a condition.
  func pairs(of table: String, _ columns: [String], where condition: PostgresSQL) throws -> [[Value]] {
    let forms = columns.map { store.tables.form(table, $0) }
    let read = zip(columns, forms).map { PostgresSQL(raw: $1.selected(quoted($0))) }
    let sql: PostgresSQL = "SELECT \(read.joined(", ")) FROM \(store.table(table)) WHERE \(condition)"
    let source = PostgresRowSource(result: try store.pool.run(sql))
    var found: [[Value]] = []
    while try source.step() { found.append(values(source, forms, from: 0)) }
    return found
  }

  private func values(_ source: PostgresRowSource, _ forms: [ColumnForm], from start: Int) -> [Value] {
    var scratch = ColumnReader.Scratch()
    return forms.indices.map { index in
      source.bytes(start + index).map { Value(keyColumn: ColumnReader.read($0, forms[index], &scratch)) } ?? .null
    }
  }

  /// The condition that columns hold one of some combinations of values; nil for no combinations.
  private func condition(
    _ columns: [(name: String, sql: PostgresSQL)], of table: String, hold names: Set<[Value]>
  ) -> PostgresSQL? {
    let columns = columns.map { SoughtRows.Column(sql: $0.sql, form: store.tables.form(table, $0.name)) }
    return SoughtRows(columns, names.filter { !$0.contains(where: \.isNull) }).condition
  }
}

// MARK: Relationships

extension SingleTableRows {
  /// The members of a to-many of each owner, grouped by owner, in the order of their keys: tables of others keep no other
  /// order.
  func members(
    of relationship: Int, in entity: Entity, owners: [Int64]
  ) throws -> [(owner: Int64, member: Int64)] {
    let destination = entity.destination(at: relationship)
    let others = store.layout(of: destination)
    switch store.layout(of: entity).properties[relationship] {
    case .inverse(let back, _):
      guard case .reference(let columns, let target) = others.properties[back] else { return [] }
      let names = try names(of: entity, owners, as: target)
      let rows = try rows(of: destination, columns.map { others.columns[$0].name }, hold: Set(names.map(\.name)))
      let members = Dictionary(grouping: rows, by: \.values)
      return names.flatMap { owner, name in (members[name] ?? []).map { (owner, $0.key) } }
    case .join(let join):
      return try members(of: join, try names(of: entity, owners, as: join.ownerTarget), destination)
    case .reference, .column, .none: return []
    }
  }

  private func members(
    of join: JoinLayout, _ owners: [(key: Int64, name: [Value])], _ destination: Entity
  ) throws -> [(owner: Int64, member: Int64)] {
    let pairs = try pairs(
      of: join.table, join.ownerColumns + join.memberColumns, where: join.ownerColumns, hold: Set(owners.map(\.name)))
    let count = join.ownerColumns.count
    let rows = try rows(
      of: destination, join.memberTarget.columns(store.layout(of: destination)),
      hold: Set(pairs.map { Array($0[count...]) }))
    // Members come in the order of their keys.
    let places = Dictionary(rows.enumerated().map { ($1.values, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [[Value]: [Int]] = [:]
    for pair in pairs {
      if let place = places[Array(pair[count...])] { found[Array(pair[..<count]), default: []].append(place) }
    }
    return owners.flatMap { owner, name in (found[name] ?? []).sorted().map { (owner, rows[$0].key) } }
  }

  /// The rows of an entity whose relationship leads to some rows.
  func owners(of relationship: Int, in entity: Entity, members keys: [Int64]) throws -> Set<Int64> {
    let destination = entity.destination(at: relationship)
    let (own, others) = (store.layout(of: entity), store.layout(of: destination))
    switch own.properties[relationship] {
    case .reference(let columns, let target):
      let names = try names(of: destination, keys, as: target)
      return try owners(entity, columns.map { own.columns[$0].name }, Set(names.map(\.name)))
    case .inverse(let back, _):
      guard case .reference(let columns, let target) = others.properties[back] else { return [] }
      let names = try names(of: destination, keys, as: .columns(columns.map { others.columns[$0].name }))
      return try owners(entity, target.columns(own), Set(names.map(\.name)))
    case .join(let join):
      let names = try names(of: destination, keys, as: join.memberTarget)
      let pairs = try pairs(
        of: join.table, join.ownerColumns, where: join.memberColumns, hold: Set(names.map(\.name)))
      return try owners(entity, join.ownerTarget.columns(own), Set(pairs))
    case .column, .none: return []
    }
  }

  /// The rows of an entity that hold one of some combinations of values.
  func owners(_ entity: Entity, _ columns: [String], _ names: Set<[Value]>) throws -> Set<Int64> {
    Set(try rows(of: entity, columns, hold: names).map(\.key))
  }
}
