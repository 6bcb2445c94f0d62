import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

// The checks for later changes.
extension PostgresReversal {
  /// Throws if rows that the save wrote have been changed since.
  func check() throws {
    var conflicts: [ReversalConflict] = []
    for table in tables {
      conflicts += try changed(table)
      conflicts += try present(table)
    }
    for table in tables { conflicts += try referrers(table) }
    try refuse(conflicts)
  }

  func refuse(_ conflicts: [ReversalConflict]) throws {
    if conflicts.isEmpty { return }
    throw StoreError(
      .changedSince(entry.direction, Array(conflicts.prefix(Self.mostConflicts))), path: store.path)
  }

  func conflict(_ table: Table, _ key: [String], _ name: String?, _ reason: ReversalConflict.Reason)
    -> ReversalConflict
  {
    let entity = table.entity.map { root in root.family.first { $0.name == name }?.name ?? root.name } ?? table.name
    return ReversalConflict(entity: entity, key: key.joined(separator: ", "), reason: reason)
  }

  /// The rows of a table, with the values that the save wrote beside the present ones: `v` numbers them, `w` has the
  /// written values, `p` the former ones, `t` the present ones.
  func comparing(_ rows: [Row], _ table: Table) -> PostgresSQL {
    let link = table.keyColumns.map { "t.\(quoted($0)) = w.\(quoted($0))" }.joined(separator: " AND ")
    return """
      unnest(\(.texts(rows.map(\.new))), \(.texts(rows.map(\.old)))) WITH ORDINALITY AS v(new, old, n) \
      CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.rowType)).*) AS w \
      LEFT JOIN LATERAL (SELECT (v.old::\(raw: table.rowType)).*) AS p ON true \
      LEFT JOIN \(raw: table.sqlName) AS t ON \(raw: link)
      """
  }

  func changed(_ table: Table) throws -> [ReversalConflict] {
    let rows = table.inserted + table.updated
    if rows.isEmpty { return [] }
    let columns = table.columns.filter { !table.keyColumns.contains($0) }
    let tests = columns.map { name -> String in
      let column = quoted(name)
      return "CASE WHEN t.\(column)::text IS DISTINCT FROM w.\(column)::text"
        + " AND (v.old IS NULL OR p.\(column)::text IS DISTINCT FROM w.\(column)::text) THEN \(quotedText(name)) END"
    }
    let changes = tests.isEmpty ? "'{}'::text[]" : "array_remove(ARRAY[\(tests.joined(separator: ", "))]::text[], NULL)"
    let discriminator = entityColumn(of: table)
    let result = try store.pool.run(
      """
      SELECT d.n, d.missing, d.changes::text, d.name FROM ( \
      SELECT v.n, t.\(raw: quoted(table.keyColumns[0])) IS NULL AS missing, \(raw: changes) AS changes, \
      \(raw: discriminator.map { "t.\(quoted($0))::text" } ?? "NULL::text") AS name \
      FROM \(comparing(rows, table))) AS d WHERE d.missing OR cardinality(d.changes) > 0 ORDER BY d.n
      """)
    return (0..<result.rowCount).compactMap { place in
      let row = rows[Int(result.int(place, 0)) - 1]
      let name = result.isNull(place, 3) ? nil : result.text(place, 3)
      if result.bool(place, 1) {
        return isPlain(row, table) ? conflict(table, row.key, name, .deleted) : nil
      }
      let changed = Self.elements(result.text(place, 2)).map { property($0, table) }
      return conflict(table, row.key, name, .changed(row.old == nil ? [] : changed))
    }
  }

  /// Whether a row has changed in columns that are not computed from others.
  func isPlain(_ row: Row, _ table: Table) -> Bool {
    table.entity == nil || row.old == nil || !table.columns.isEmpty
  }

  func entityColumn(of table: Table) -> String? {
    table.entity.flatMap { store.layout(of: $0).discriminator?.column }
  }

  /// The names in an array's text, none of which has a quote in it where it is a column of ours.
  static func elements(_ text: String) -> [String] {
    var found: [String] = []
    var current = ""
    var isQuoted = false
    var escapes = false
    for scalar in text.unicodeScalars.dropFirst().dropLast() {
      if escapes {
        current.unicodeScalars.append(scalar)
        escapes = false
      } else if scalar == "\\" {
        escapes = true
      } else if scalar == "\"" {
        isQuoted.toggle()
      } else if scalar == ",", !isQuoted {
        found.append(current)
        current = ""
      } else {
        current.unicodeScalars.append(scalar)
      }
    }
    return current.isEmpty ? found : found + [current]
  }

  /// The property of a column, by its name in the model.
  func property(_ column: String, _ table: Table) -> String {
    for entity in table.entity?.family ?? [] {
      let layout = store.layout(of: entity)
      for index in entity.properties.indices
      where layout.properties[index].ownColumns.contains(where: { layout.columns[$0].name == column }) {
        return entity.properties[index].name
      }
    }
    return column
  }

  /// Rows that the save deleted and that exist again.
  func present(_ table: Table) throws -> [ReversalConflict] {
    if table.deleted.isEmpty { return [] }
    let link = table.keyColumns.map { "t.\(quoted($0)) = p.\(quoted($0))" }.joined(separator: " AND ")
    let result = try store.pool.run(
      """
      SELECT v.n, \(raw: entityColumn(of: table).map { "t.\(quoted($0))::text" } ?? "NULL::text") \
      FROM unnest(\(.texts(table.deleted.map(\.old)))) WITH ORDINALITY AS v(old, n) \
      CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.rowType)).*) AS p \
      JOIN \(raw: table.sqlName) AS t ON \(raw: link) ORDER BY v.n
      """)
    return (0..<result.rowCount).map { place in
      conflict(
        table, table.deleted[Int(result.int(place, 0)) - 1].key, result.isNull(place, 1) ? nil : result.text(place, 1),
        .insertedAgain)
    }
  }

  /// A reference of a table to another: its columns, and those that they refer to.
  struct Reference {
    let table: String
    let entity: Entity?
    let columns: [String]
    let targets: [String]
  }

  func references(to entity: Entity) -> [Reference] {
    var found: [Reference] = []
    func add(_ reference: Reference) {
      if !found.contains(where: { $0.table == reference.table && $0.columns == reference.columns }) {
        found.append(reference)
      }
    }
    for source in store.model.entities {
      let layout = store.layout(of: source)
      for index in (source.parent?.properties.count ?? 0)..<source.properties.count
      where source.properties[index].relationship != nil {
        let destination = source.destination(at: index)
        switch layout.properties[index] {
        case .reference(let columns, let target) where destination.root === entity.root:
          let names = columns.map { layout.columns[$0].name }
          add(
            Reference(
              table: layout.table, entity: source.root, columns: names,
              targets: target.columns(store.layout(of: entity))))
        case .join(let join):
          if source.root === entity.root {
            add(
              Reference(
                table: join.table, entity: nil, columns: join.ownerColumns, targets: join.ownerTarget.columns(layout)))
          }
          if destination.root === entity.root {
            add(
              Reference(
                table: join.table, entity: nil, columns: join.memberColumns,
                targets: join.memberTarget.columns(store.layout(of: destination))))
          }
        case .reference, .column, .inverse, .none: break
        }
      }
    }
    return found
  }

  /// Rows of others that refer to rows which the save inserted.
  func referrers(_ table: Table) throws -> [ReversalConflict] {
    guard let entity = table.entity, !table.inserted.isEmpty else { return [] }
    var conflicts: [ReversalConflict] = []
    for reference in references(to: entity) {
      let own = tables.first { $0.name == reference.table }
      let key = reference.entity.map { store.layout(of: $0).key.columns } ?? pairColumns(reference.table)
      guard !key.isEmpty else { continue }
      let link = zip(reference.columns, reference.targets).map { "s.\(quoted($0)) = w.\(quoted($1))" }
      let names = key.map { "s.\(quoted($0))::text" }.joined(separator: ", ")
      let result = try store.pool.run(
        """
        SELECT v.n, \(raw: names) FROM unnest(\(.texts(table.inserted.map(\.new)))) WITH ORDINALITY AS v(new, n) \
        CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.rowType)).*) AS w \
        JOIN \(raw: store.tables[reference.table].sqlName) AS s ON \(raw: link.joined(separator: " AND ")) ORDER BY v.n
        """)
      // Rows that the reversal deletes, or whose reference it restores, are no obstacle.
      let known = Set((own?.inserted ?? []).map(\.key) + (own?.updated ?? []).map(\.key))
      for place in 0..<result.rowCount {
        let holder = key.indices.map { result.text(place, $0 + 1) }
        if known.contains(holder) { continue }
        let text = "\(reference.entity?.name ?? reference.table) \(holder.joined(separator: ", "))"
        conflicts.append(
          conflict(table, table.inserted[Int(result.int(place, 0)) - 1].key, nil, .referredTo(by: text)))
      }
    }
    return conflicts
  }
}
