import Layouts
public import Modeling
import Postgres
public import Stores

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
    guard kind != .perilune, !profile.has(.joinsOfAnyColumns) else { return false }
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
    if kind == .perilune, !profile.has(.joinsOfAnyColumns) {
      return membersAlone(relationship, entity, owners, counts: counts)
    }
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

  /// The same of one table, for a server that does not join rows by any columns. References of a store of our own hold the key of
  /// a row that is there.
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

  /// The key of the row that the values of a reference name; nil if there is no such row.
  public func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) throws -> Int64? {
    guard case .reference(_, let target) = layout(of: entity).properties[relationship],
      !reference.contains(where: \.isNull)
    else { return nil }
    let compiler = PostgresCompiler(self)
    let place = compiler.place(entity.destination(at: relationship))
    let layout = layout(of: place.entity)
    var tests: [PostgresSQL] = []
    for (name, value) in zip(target.columns(layout), reference) {
      guard let argument = argument(value, tables.form(layout.table, name)) else { return nil }
      tests.append("\(place.column(name)) = \(argument)")
    }
    let keys = KeyColumns(place, self, from: 0)
    let source = PostgresRowSource(
      result: try pool.run(
        "SELECT \(keys.columns.joined(", ")) FROM \(place.source.sql) WHERE \(tests.joined(" AND ")) LIMIT 1"))
    return try source.step() ? keys.key(source) : nil
  }

  /// The keys of the rows that values of a reference of one column name.
  public func resolveAll(
    _ values: [Value], of relationship: Int, in entity: Entity
  ) throws -> [(value: Value, key: Int64)] {
    // Each value once, by one question each; there are few values.
    try Array(Set(values)).compactMap { value in
      try resolve([value], of: relationship, in: entity).map { (value, $0) }
    }
  }

  /// The values that the columns of a reference hold to name a row.
  public func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) throws -> [Value] {
    let destination = entity.destination(at: relationship)
    guard case .reference(_, .columns(let names)) = layout(of: entity).properties[relationship] else {
      return keyValues(of: destination, key: key)
    }
    return try values(of: names, destination, key)
  }

  /// The values of some columns of a row, as attributes have them; nulls if there is no row.
  func values(of names: [String], _ entity: Entity, _ key: Int64) throws -> [Value] {
    let compiler = PostgresCompiler(self)
    let place = compiler.place(entity)
    let layout = layout(of: entity)
    let forms = names.map { tables.form(layout.table, $0) }
    guard let condition = keyCondition(place, [key]) else { return names.map { _ in .null } }
    let columns = zip(names, forms).map { PostgresSQL(raw: $1.selected("\(place.alias).\(quoted($0))")) }
    let source = PostgresRowSource(
      result: try pool.run("SELECT \(columns.joined(", ")) FROM \(place.source.sql) WHERE \(condition)"))
    guard try source.step() else { return names.map { _ in .null } }
    return forms.indices.map { index in
      var scratch = ColumnReader.Scratch()
      return source.bytes(index).map { Value(keyColumn: ColumnReader.read($0, forms[index], &scratch)) } ?? .null
    }
  }

  /// A value for a column, in the form of attributes or of packed rows.
  func argument(_ value: Value, _ form: ColumnForm) -> PostgresSQL? {
    switch (form.kind, value) {
    case (.uuid, .string(let text)): "\(.untyped(text))::uuid"
    case (.numeric, .string(let text)): "\(.untyped(text))::numeric"
    case (.json, .string(let text)): "\(.untyped(text))::\(raw: form.typeName)"
    case (.instant, .double(let seconds)), (.civilTime, .double(let seconds)), (.day, .double(let seconds)):
      form.written(.date(Timestamp(seconds)))
    default: form.written(value)
    }
  }

  // MARK: Who leads to rows

  /// The to-ones that lead to objects of an entity and have no inverse there.
  public func looseReferences(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, source, index in
      if case .reference = store.layout(of: source).properties[index] {
        source.inverse(at: index) == nil
      } else {
        false
      }
    }
  }

  /// The to-manys that have objects of an entity as members and have no inverse there.
  public func looseCollections(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, source, index in
      guard case .join(let join) = store.layout(of: source).properties[index] else { return false }
      return source.inverse(at: index) == nil && join.ownerTarget == .key && join.memberTarget == .key
    }
  }

  /// The mandatory to-ones that deleting objects of `entity` would empty.
  package func mandatoryReferences(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, source, index in
      guard let relationship = source.properties[index].relationship, !relationship.isToMany, !relationship.isOptional,
        case .reference = store.layout(of: source).properties[index]
      else { return false }
      guard let back = source.inverse(at: index) else { return true }
      return source.destination(at: index).properties[back].relationship?.deleteRule == .nullify
    }
  }

  private func references(
    to entity: Entity, where isWanted: (PostgresStore, Entity, Int) -> Bool
  ) -> [LooseReference] {
    model.entities.flatMap { source in
      ((source.parent?.properties.count ?? 0)..<source.properties.count).filter { index in
        source.properties[index].relationship != nil && entity.isKind(of: source.destination(at: index))
          && isWanted(self, source, index)
      }.map { LooseReference(entity: source, property: $0, effect: kind == .perilune ? .emptied : .left) }
    }
  }

  /// Calls `body` with each row from which a to-one leads to one of some rows, and that row.
  public func visitReferrers(
    of reference: LooseReference, to entity: Entity, keys: [Int64],
    _ body: (_ holder: Int64, _ target: Int64) throws -> Void
  ) throws {
    let compiler = PostgresCompiler(self)
    let holder = compiler.place(reference.entity)
    let layout = layout(of: reference.entity)
    guard case .reference(let columns, let target) = layout.properties[reference.property] else { return }
    let place = compiler.place(entity)
    if readsApart(reference.property, reference.entity) {
      let apart = SingleTableRows(self)
      let names = try apart.names(of: entity, keys, as: target)
      let targets = Dictionary(grouping: names, by: \.name)
      let own = columns.map { layout.columns[$0].name }
      for row in try apart.rows(of: reference.entity, own, hold: Set(targets.keys)) {
        for target in targets[row.values] ?? [] { try body(row.key, target.key) }
      }
      return
    }
    guard let condition = keyCondition(place, keys) else { return }
    let isAlone = kind == .perilune && !profile.has(.joinsOfAnyColumns)
    let link = zip(columns, target.columns(self.layout(of: entity))).map { column, name -> PostgresSQL in
      "\(holder.column(layout.columns[column].name)) = \(place.column(name))"
    }
    let holderKeys = KeyColumns(holder, self, from: 0)
    let targetKeys = KeyColumns(place, self, from: holderKeys.columns.count)
    var sql: PostgresSQL
    if isAlone {
      let reference = holder.column(layout.columns[columns[0]].name)
      sql = """
        SELECT \((holderKeys.columns + [reference]).joined(", ")) FROM \(holder.source.sql) \
        WHERE \(reference) = ANY(\(.ints(keys)))
        """
    } else {
      sql = """
        SELECT \((holderKeys.columns + targetKeys.columns).joined(", ")) \
        FROM \(holder.source.sql) JOIN \(place.source.sql) ON \(link.joined(" AND ")) WHERE \(condition)
        """
    }
    if let family = compiler.family(reference.entity, holder.alias) { sql += " AND \(family)" }
    let source = PostgresRowSource(result: try pool.run(sql))
    while try source.step() { try body(holderKeys.key(source), targetKeys.key(source)) }
  }

  /// The rows whose to-many has one of some rows as a member.
  public func owners(of reference: LooseReference, members keys: [Int64]) throws -> Set<Int64> {
    guard !keys.isEmpty, case .join(let join) = layout(of: reference.entity).properties[reference.property] else {
      return []
    }
    let owner = quoted(join.ownerColumns[0])
    let result = try pool.run(
      """
      SELECT DISTINCT \(raw: owner)::bigint FROM \(table(join.table)) \
      WHERE \(name: join.memberColumns[0]) = ANY(\(.ints(keys))) AND \(raw: owner) IS NOT NULL
      """)
    return Set((0..<result.rowCount).map { result.int($0, 0) })
  }
}

/// The columns of a key within a SELECT.
struct KeyColumns {
  let columns: [PostgresSQL]
  private let forms: [ColumnForm]
  private let start: Int
  private let interner: KeyInterner?

  /// The key's columns of the rows at a place, which begin at a column of the SELECT.
  init(_ place: PostgresPlace, _ store: PostgresStore, from start: Int) {
    let layout = store.layout(of: place.entity)
    forms = layout.key.columns.map { store.tables.form(layout.table, $0) }
    columns = zip(layout.key.columns, forms).map { PostgresSQL(raw: $1.selected("\(place.alias).\(quoted($0))")) }
    self.start = start
    interner = store.interner(of: place.entity)
  }

  func key(_ source: PostgresRowSource) -> Int64 {
    guard let interner else { return source.integer(start) }
    var scratch = ColumnReader.Scratch()
    return interner.number(
      of: forms.indices.map { index in
        source.bytes(start + index).map { Value(keyColumn: ColumnReader.read($0, forms[index], &scratch)) } ?? .null
      })
  }
}
