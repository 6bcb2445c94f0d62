import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

// The restoring of rows.
extension PostgresReversal {
  /// Restores the rows; returns their number.
  func apply() throws -> ReversedSave {
    var result = ReversedSave(time: entry.time)
    for table in tables { try delete(table) }
    for table in tables { try update(table) }
    for table in tables { try insert(table) }
    for table in tables {
      let counts = (table.inserted.count, table.updated.count, table.deleted.count)
      if table.entity == nil {
        result.links += counts.0 + counts.1 + counts.2
      } else {
        result.deleted += counts.0
        result.updated += counts.1
        result.inserted += counts.2
      }
    }
    try refuse(try tables.flatMap(dangling))
    return result
  }

  func delete(_ table: Table) throws {
    if table.inserted.isEmpty { return }
    let link = table.keyColumns.map { "t.\(quoted($0)) = (v.new::\(table.rowType)).\(quoted($0))" }
    _ = try store.pool.run(
      """
      DELETE FROM \(raw: table.sqlName) AS t USING unnest(\(.texts(table.inserted.map(\.new)))) AS v(new) \
      WHERE \(raw: link.joined(separator: " AND "))
      """)
  }

  func update(_ table: Table) throws {
    let columns = table.columns.filter { !table.keyColumns.contains($0) }
    if table.updated.isEmpty || columns.isEmpty { return }
    func statement(_ settings: [String]) -> PostgresSQL {
      let link = table.keyColumns.map { "t.\(quoted($0)) = w.\(quoted($0))" }.joined(separator: " AND ")
      return """
        UPDATE \(raw: table.sqlName) AS t SET \(raw: settings.joined(separator: ", ")) \
        FROM unnest(\(.texts(table.updated.map(\.new))), \(.texts(table.updated.map(\.old)))) AS v(new, old) \
        CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.rowType)).*) AS w \
        CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.rowType)).*) AS p WHERE \(raw: link)
        """
    }
    func changes(_ column: String) -> String { "p.\(column)::text IS DISTINCT FROM w.\(column)::text" }
    let restored = columns.map(quoted).map { "\($0) = CASE WHEN \(changes($0)) THEN p.\($0) ELSE t.\($0) END" }
    _ = try store.pool.run("SAVEPOINT perilune_reversal")
    do {
      _ = try store.pool.run(statement(restored))
    } catch let error as StoreError {
      guard case .server(let refusal) = error.fact, refusal.sqlState == "23505" else { throw error }
      // Rows may exchange unique values, so all give them up first.
      _ = try store.pool.run("ROLLBACK TO SAVEPOINT perilune_reversal")
      let unique = Set(store.tables[table.name].uniques.values.flatMap { $0 }).intersection(columns).sorted()
      let emptied = unique.map(quoted).map { "\($0) = CASE WHEN \(changes($0)) THEN NULL ELSE t.\($0) END" }
      if emptied.isEmpty { throw error }
      _ = try store.pool.run(statement(emptied))
      _ = try store.pool.run(statement(restored))
    }
    _ = try store.pool.run("RELEASE SAVEPOINT perilune_reversal")
  }

  func insert(_ table: Table) throws {
    if table.deleted.isEmpty { return }
    let names = table.columns.map(quoted).joined(separator: ", ")
    let values = table.columns.map { "p.\(quoted($0))" }.joined(separator: ", ")
    _ = try store.pool.run(
      """
      INSERT INTO \(raw: table.sqlName) (\(raw: names)) OVERRIDING SYSTEM VALUE SELECT \(raw: values) \
      FROM unnest(\(.texts(table.deleted.map(\.old)))) AS v(old) \
      CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.rowType)).*) AS p
      """)
  }

  /// Restored rows that refer to rows that do not exist.
  func dangling(_ table: Table) throws -> [ReversalConflict] {
    let rows = table.deleted + table.updated
    if rows.isEmpty { return [] }
    var conflicts: [ReversalConflict] = []
    for entity in store.model.entities where entity.parent == nil {
      for reference in references(to: entity) where reference.table == table.name {
        let target = store.tables[store.layout(of: entity).table].sqlName
        let link = zip(reference.columns, reference.targets).map { "o.\(quoted($1)) = t.\(quoted($0))" }
        let held = reference.columns.map { "t.\(quoted($0)) IS NOT NULL" }
        let own = table.keyColumns.map { "t.\(quoted($0)) = p.\(quoted($0))" }
        let values = reference.columns.map { "t.\(quoted($0))::text" }.joined(separator: " || ', ' || ")
        let result = try store.pool.run(
          """
          SELECT v.n, \(raw: values) FROM unnest(\(.texts(rows.map(\.old)))) WITH ORDINALITY AS v(old, n) \
          CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.rowType)).*) AS p \
          JOIN \(raw: table.sqlName) AS t ON \(raw: own.joined(separator: " AND ")) \
          WHERE \(raw: held.joined(separator: " AND ")) AND NOT EXISTS (SELECT 1 FROM \(raw: target) AS o \
          WHERE \(raw: link.joined(separator: " AND "))) ORDER BY v.n
          """)
        for place in 0..<result.rowCount {
          conflicts.append(
            conflict(
              table, rows[Int(result.int(place, 0)) - 1].key, nil,
              .leadsNowhere(to: "\(entity.name) \(result.text(place, 1))")))
        }
      }
    }
    return conflicts
  }
}
