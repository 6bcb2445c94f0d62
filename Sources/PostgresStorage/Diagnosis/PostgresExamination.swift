import Modeling
import Postgres
import Stores

/// Examines a database: what made it, what is large in it, who else is connected, and what `verify` finds.
struct PostgresExamination {
  let store: PostgresStore

  func diagnosis() -> StoreDiagnosis {
    var diagnosis = StoreDiagnosis(of: store.path)
    (diagnosis.kind, diagnosis.notes, diagnosis.modelVersion) = (store.kind, store.notes, store.model.version?.text)
    diagnosis.server = store.profile.engine.name
    if store.isReadOnly, case .notWritable(let reason) = store.readOnlyError.fact { diagnosis.fileObstacle = reason }
    diagnosis.attempt(.bookkeeping) { (diagnosis) throws in try readBookkeeping(&diagnosis) }
    diagnosis.attempt(.sizes) { (diagnosis) throws in try measure(&diagnosis) }
    diagnosis.attempt(.indexes) { (diagnosis) throws in diagnosis.unindexed = try unindexedReferences() }
    diagnosis.attempt(.triggers) { (diagnosis) throws in diagnosis.foreignTriggers = try foreignTriggers() }
    diagnosis.attempt(.rules) { (diagnosis) throws in diagnosis.problems = try store.verify() }
    return diagnosis
  }

  private func readBookkeeping(_ diagnosis: inout StoreDiagnosis) throws {
    let result = try store.pool.run(
      """
      SELECT current_setting('server_version'), current_setting('server_encoding'), \
      pg_database_size(current_database())::int8
      """)
    diagnosis.server = "\(store.profile.engine.name) \(result.text(0, 0))"
    (diagnosis.encoding, diagnosis.size) = (result.text(0, 1), result.int(0, 2))
    let others = try store.pool.run(
      """
      SELECT application_name::text, usename::text, pid::int8 FROM pg_stat_activity WHERE datname = current_database() \
      AND backend_type = 'client backend' ORDER BY pid
      """)
    let own = Set(store.pool.processIDs)
    diagnosis.holders = (0..<others.rowCount).filter { !own.contains(Int32(truncatingIfNeeded: others.int($0, 2))) }.map
    { row in
      let program = others.isNull(row, 0) || others.text(row, 0).isEmpty ? "a session" : others.text(row, 0)
      return
        "\(program) of \(others.isNull(row, 1) ? "another user" : others.text(row, 1)), process \(others.int(row, 2))"
    }
  }

  /// The tables of the model and their indexes, with their sizes.
  private func measure(_ diagnosis: inout StoreDiagnosis) throws {
    var entities: [String: [String]] = [:]
    for entity in store.model.entities { entities[store.layout(of: entity).table, default: []].append(entity.name) }
    for (table, names) in entities.sorted(by: { $0.key < $1.key }) where !store.tables[table].isView {
      let sizes = try store.pool.run(
        """
        SELECT c.relname::text, c.relkind = 'i', pg_table_size(c.oid)::int8 FROM pg_class AS c \
        WHERE c.oid = \(.untyped(store.tables[table].sqlName))::regclass OR c.oid IN (SELECT i.indexrelid FROM pg_index AS i \
        WHERE i.indrelid = \(.untyped(store.tables[table].sqlName))::regclass) ORDER BY c.relname
        """)
      for row in 0..<sizes.rowCount {
        let (name, isIndex, bytes) = (sizes.text(row, 0), sizes.bool(row, 1), sizes.int(row, 2))
        let rows = try isIndex ? nil : store.pool.run("SELECT count(*) FROM \(store.table(table))").int(0, 0)
        diagnosis.sizes.append(
          StoredSize(
            name: name, table: store.tables.name(of: table), entities: isIndex ? [] : names, rows: rows, bytes: bytes,
            isIndex: isIndex))
      }
    }
    diagnosis.sortSizes()
  }

  /// The columns of to-one relationships with which no index begins: reading the inverse reads the table.
  private func unindexedReferences() throws -> [String] {
    var found: Set<String> = []
    for entity in store.model.entities where !store.tables[store.layout(of: entity).table].isView {
      let layout = store.layout(of: entity)
      let first = layout.properties.compactMap { place -> String? in
        if case .reference(let columns, _) = place { columns.first.map { layout.columns[$0].name } } else { nil }
      }
      if first.isEmpty { continue }
      let indexed = Set(try PostgresPlans(store: store).indexedColumns(of: layout.table).compactMap(\.first))
      for column in first where !indexed.contains(column) {
        found.insert("\(store.tables.name(of: layout.table)).\(column)")
      }
    }
    return found.sorted()
  }

  /// Triggers that do not record changes: a write has side effects.
  private func foreignTriggers() throws -> [String] {
    let own = Set(store.model.entities.map { store.tables.name(of: store.layout(of: $0).table) })
    let result = try store.pool.run(
      """
      SELECT c.relname::text, g.tgname::text FROM pg_trigger AS g JOIN pg_class AS c ON c.oid = g.tgrelid \
      WHERE NOT g.tgisinternal AND g.tgname NOT LIKE '\\_perilune%' ORDER BY 2
      """)
    return (0..<result.rowCount).filter { own.contains(result.text($0, 0)) }.map { result.text($0, 1) }
  }
}
