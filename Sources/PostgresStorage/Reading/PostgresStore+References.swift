import Layouts
public import Modeling
import Postgres
public import Stores

/// The rows that references name, and the rows that lead to others.
extension PostgresStore {
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
      }.map { LooseReference(entity: source, property: $0, effect: format.declaresSchema ? .emptied : .left) }
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
    let holderKeys = KeyColumns(holder, self, from: 0)
    let targetKeys = KeyColumns(place, self, from: holderKeys.columns.count)
    let named = columns.map { holder.column(layout.columns[$0].name) }
    var sql: PostgresSQL
    if format.declaresSchema {
      sql = """
        SELECT \((holderKeys.columns + named).joined(", ")) FROM \(holder.source.sql) \
        WHERE \(named[0]) = ANY(\(.ints(keys)))
        """
    } else {
      let link = zip(named, target.columns(self.layout(of: entity))).map {
        "\($0) = \(place.column($1))" as PostgresSQL
      }
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
