import Modeling
import Postgres
import Queries
import Stores

/// Checks a database for what the server does not check, which only reads.
struct PostgresVerification {
  let store: PostgresStore
  /// The most problems of one kind in one place.
  let limit: Int

  /// Indexes and constraints that are not valid, rows whose entity their table does not have, references that lead nowhere,
  /// and mandatory properties without values.
  func problems() throws -> [StoreProblem] {
    try store.reading {
      var problems = try definitionProblems()
      for entity in store.model.entities
      where !entity.isAbstract && !store.tables[store.layout(of: entity).table].isView {
        problems += try valueProblems(of: entity)
      }
      for entity in store.model.entities where entity.parent == nil { problems += try strangers(entity) }
      return problems
    }
  }

  /// Indexes that an interrupted build left behind, and constraints that earlier rows were not checked against.
  private func definitionProblems() throws -> [StoreProblem] {
    guard store.profile.engine == .postgres || store.profile.engine == .citus else { return [] }
    let own = Set(store.model.entities.map { store.tables.name(of: store.layout(of: $0).table) })
    let result = try store.pool.run(
      """
      SELECT t.relname::text, c.relname::text, 'index' FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
      JOIN pg_class AS t ON t.oid = i.indrelid WHERE NOT (i.indisvalid AND i.indisready) UNION ALL \
      SELECT t.relname::text, k.conname::text, 'constraint' FROM pg_constraint AS k \
      JOIN pg_class AS t ON t.oid = k.conrelid WHERE NOT k.convalidated ORDER BY 1, 2
      """)
    return (0..<result.rowCount).filter { own.contains(result.text($0, 0)) }.prefix(limit).map { row in
      StoreProblem(
        rule: .integrity, table: result.text(row, 0), subject: result.text(row, 1),
        found: result.text(row, 2) == "index" ? "an index that is not valid" : "a constraint that is not validated")
    }
  }

  private func valueProblems(of entity: Entity) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    let layout = store.layout(of: entity)
    for (index, property) in entity.properties.enumerated() {
      let isOptional = property.attribute?.isOptional ?? property.relationship?.isOptional ?? true
      switch layout.properties[index] {
      case .column where !isOptional, .reference where !isOptional:
        problems += try missing(property.name, of: entity).map { key in
          // The number of another key says nothing to people.
          StoreProblem(
            rule: .mandatory, table: layout.table, key: store.interner(of: entity) == nil ? key : nil,
            subject: property.name)
        }
      default: break
      }
      if case .reference(let columns, .key) = layout.properties[index], columns.count == 1 {
        problems += try misled(entity, index, layout.columns[columns[0]].name)
      }
    }
    return problems
  }

  /// The keys of rows whose property is nil.
  private func missing(_ property: String, of entity: Entity) throws -> [Int64] {
    var request = FetchRequest(entity)
    request.includesSubentities = false
    request.predicate = .comparison(Comparison(.path(PropertyPath([property])), .equal, .constant(.null)))
    request.fetchLimit = limit
    return try store.keys(request)
  }

  /// Rows whose to-one relationship leads to no row, or to a row of another entity.
  private func misled(_ entity: Entity, _ index: Int, _ column: String) throws -> [StoreProblem] {
    let (source, destination) = (store.layout(of: entity), store.layout(of: entity.destination(at: index)))
    guard let from = source.key.integerName, let to = destination.key.integerName, store.profile.has(.joinsOfAnyColumns)
    else { return [] }
    var there: PostgresSQL = "d.\(name: to) = s.\(name: column)"
    if let (name, _) = destination.discriminator {
      let names = entity.destination(at: index).family.map { PostgresSQL(.text($0.name)) }
      there += " AND d.\(name: name) IN (\(names.joined(", ")))"
    }
    var own: PostgresSQL = "s.\(name: column) IS NOT NULL"
    if let (name, _) = source.discriminator { own += " AND s.\(name: name) = \(.text(entity.name))" }
    let result = try store.pool.run(
      """
      SELECT s.\(name: from)::int8, s.\(name: column)::int8 FROM \(store.table(source.table)) AS s WHERE \(own) \
      AND NOT EXISTS (SELECT 1 FROM \(store.table(destination.table)) AS d WHERE \(there)) LIMIT \(raw: String(limit))
      """)
    return (0..<result.rowCount).map { row in
      StoreProblem(
        rule: .destination, table: source.table, key: result.int(row, 0), subject: column,
        expected: "a \(entity.destination(at: index).name)", found: String(result.int(row, 1)))
    }
  }

  /// Rows whose entity the model does not have in their table.
  private func strangers(_ root: Entity) throws -> [StoreProblem] {
    let layout = store.layout(of: root)
    guard let (column, _) = layout.discriminator, let key = layout.key.integerName else { return [] }
    let names = root.family.filter { !$0.isAbstract }.map(\.name)
    let list = names.map { PostgresSQL(.text($0)) }.joined(", ")
    let result = try store.pool.run(
      """
      SELECT \(name: key)::int8, coalesce(\(name: column)::text, 'nil') FROM \(store.table(layout.table)) \
      WHERE \(name: column) IS NULL OR \(name: column) NOT IN (\(list)) LIMIT \(raw: String(limit))
      """)
    return (0..<result.rowCount).map { row in
      StoreProblem(
        rule: .entity, table: layout.table, key: result.int(row, 0), subject: column,
        expected: names.joined(separator: " or "), found: result.text(row, 1))
    }
  }
}
