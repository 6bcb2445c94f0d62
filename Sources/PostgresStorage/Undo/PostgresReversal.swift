import Layouts
import Modeling
import Postgres
import Records
import Storage
import StoreErrors

/// Takes back what one transaction wrote, by the rows that it kept, within the caller's transaction.
struct PostgresReversal {
  /// A save of the journal.
  struct Entry {
    let number: Int64
    let direction: SaveDirection
    let transaction: String
    let time: Timestamp
    /// The time as the server writes it.
    let timeText: String
  }

  /// What became of one row, from the beginning of the transaction to its end.
  struct Row {
    /// The texts of the key's columns.
    let key: [String]
    var old: String?
    var new: String?
  }

  /// The rows of one table.
  struct Table {
    let name: String
    let sqlName: String
    /// The root entity; nil for pairs.
    let entity: Entity?
    let keyColumns: [String]
    /// The columns that can be written, with those that the store computes left out.
    var columns: [String] = []
    var inserted: [Row] = []
    var updated: [Row] = []
    var deleted: [Row] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  private static let mostConflicts = 100

  private let store: PostgresStore
  private let recording: PostgresRecording
  private let entry: Entry
  private(set) var tables: [Table] = []

  /// Reads what the transaction of an entry wrote.
  ///
  /// - Throws: StoreError, `.notUndoable` where its rows were too many or are no longer what they were.
  init(_ entry: Entry, _ recording: PostgresRecording, _ store: PostgresStore) throws {
    (self.entry, self.recording, self.store) = (entry, recording, store)
    let found = try store.pool.run(
      "SELECT DISTINCT relation FROM \(raw: recording.books.image) WHERE tx = \(.untyped(entry.transaction))::xid8")
    for row in 0..<found.rowCount {
      if found.isNull(row, 0) { throw StoreError(.notUndoable(.tooLarge), path: store.path) }
    }
    for row in 0..<found.rowCount {
      let table = try read(found.text(row, 0))
      if !table.isEmpty { tables.append(table) }
    }
    tables.sort { $0.name < $1.name }
  }

  private func read(_ name: String) throws -> Table {
    let entity = store.model.entities.first { $0.parent == nil && store.layout(of: $0).table == name }
    var key = entity.map { store.layout(of: $0).key.columns } ?? []
    if entity == nil { key = pairColumns(name) }
    guard !key.isEmpty else { throw StoreError(.notUndoable(.schemaChanged(table: name)), path: store.path) }
    var table = Table(name: name, sqlName: store.tables[name].sqlName, entity: entity, keyColumns: key)
    let derived = Set(
      entity?.family.flatMap { member -> [String] in
        let layout = store.layout(of: member)
        return member.properties.indices.compactMap { index in
          guard member.properties[index].attribute?.isDerived == true,
            case .column(let column) = layout.properties[index]
          else { return nil }
          return layout.columns[column].name
        }
      } ?? [])
    let columns = try store.pool.run(
      """
      SELECT attname::text FROM pg_attribute WHERE attrelid = \(.untyped(table.sqlName))::regclass AND attnum > 0 \
      AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
      """)
    table.columns = (0..<columns.rowCount).map { columns.text($0, 0) }.filter { !derived.contains($0) }
    let names = key.map { "((coalesce(i.new, i.old)::\(table.sqlName)).\(quoted($0)))::text" }.joined(separator: ", ")
    let images: PostgresResult
    do {
      images = try store.pool.run(
        """
        SELECT \(raw: names), i.old, i.new FROM \(raw: recording.books.image) AS i \
        WHERE i.tx = \(.untyped(entry.transaction))::xid8 AND i.relation = \(.text(name)) ORDER BY i.id
        """)
    } catch let error as StoreError {
      // A row that no longer fits the table.
      guard case .server(let refusal) = error.fact, refusal.sqlState.hasPrefix("22") || refusal.sqlState.hasPrefix("42")
      else { throw error }
      throw StoreError(.notUndoable(.schemaChanged(table: name)), path: store.path)
    }
    var order: [[String]] = []
    var rows: [[String]: Row] = [:]
    for row in 0..<images.rowCount {
      let key = key.indices.map { images.text(row, $0) }
      let old: String? = images.isNull(row, key.count) ? nil : images.text(row, key.count)
      let new: String? = images.isNull(row, key.count + 1) ? nil : images.text(row, key.count + 1)
      if rows[key] == nil {
        order.append(key)
        rows[key] = Row(key: key, old: old, new: new)
      } else {
        rows[key]?.new = new
      }
    }
    for row in order.compactMap({ rows[$0] }) where row.old != row.new {
      switch (row.old, row.new) {
      case (nil, _): table.inserted.append(row)
      case (_, nil): table.deleted.append(row)
      default: table.updated.append(row)
      }
    }
    return table
  }

  private func pairColumns(_ name: String) -> [String] {
    for entity in store.model.entities {
      for case .join(let join) in store.layout(of: entity).properties where join.table == name {
        return join.ownerColumns + join.memberColumns
      }
    }
    return []
  }

  /// The objects whose rows it would write.
  var objects: [ObjectID] {
    tables.flatMap { table -> [ObjectID] in
      guard let entity = table.entity else { return [] }
      return (table.inserted + table.updated + table.deleted).compactMap { row in
        key(row, table).map { ObjectID(entity: entity, key: $0) }
      }
    }
  }

  private func key(_ row: Row, _ table: Table) -> Int64? {
    guard let entity = table.entity else { return nil }
    guard let interner = store.interner(of: entity) else { return Int64(row.key[0]) }
    let values = zip(table.keyColumns, row.key).compactMap { store.tables.form(table.name, $0).raw($1) }
    return values.count == table.keyColumns.count ? interner.number(of: values) : nil
  }

  // MARK: Checking

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

  private func refuse(_ conflicts: [ReversalConflict]) throws {
    if conflicts.isEmpty { return }
    throw StoreError(
      .changedSince(entry.direction, Array(conflicts.prefix(Self.mostConflicts))), path: store.path)
  }

  private func conflict(_ table: Table, _ key: [String], _ name: String?, _ reason: ReversalConflict.Reason)
    -> ReversalConflict
  {
    let entity = table.entity.map { root in root.family.first { $0.name == name }?.name ?? root.name } ?? table.name
    return ReversalConflict(entity: entity, key: key.joined(separator: ", "), reason: reason)
  }

  /// The rows of a table with what the save wrote beside what is there: `v` numbers them, `w` is what was written, `p` what
  /// was there before, `t` what is there.
  private func comparing(_ rows: [Row], _ table: Table) -> PostgresSQL {
    let link = table.keyColumns.map { "t.\(quoted($0)) = w.\(quoted($0))" }.joined(separator: " AND ")
    return """
      unnest(\(.texts(rows.map(\.new))), \(.texts(rows.map(\.old)))) WITH ORDINALITY AS v(new, old, n) \
      CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.sqlName)).*) AS w \
      LEFT JOIN LATERAL (SELECT (v.old::\(raw: table.sqlName)).*) AS p ON true \
      LEFT JOIN \(raw: table.sqlName) AS t ON \(raw: link)
      """
  }

  private func changed(_ table: Table) throws -> [ReversalConflict] {
    let rows = table.inserted + table.updated
    if rows.isEmpty { return [] }
    let columns = table.columns.filter { !table.keyColumns.contains($0) }
    let tests = columns.map { name -> String in
      let column = quoted(name)
      return "CASE WHEN t.\(column)::text IS DISTINCT FROM w.\(column)::text"
        + " AND (v.old IS NULL OR p.\(column)::text IS DISTINCT FROM w.\(column)::text) THEN \(quotedText(name)) END"
    }
    let changes = tests.isEmpty ? "'{}'::text[]" : "array_remove(ARRAY[\(tests.joined(separator: ", "))]::text[], NULL)"
    let discriminator = discriminator(table)
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

  /// Whether a row has other values in columns that are not computed from others.
  private func isPlain(_ row: Row, _ table: Table) -> Bool {
    table.entity == nil || row.old == nil || !table.columns.isEmpty
  }

  private func discriminator(_ table: Table) -> String? {
    table.entity.flatMap { store.layout(of: $0).discriminator?.column }
  }

  /// The names in an array's text, none of which has a quote in it where it is a column of ours.
  private static func elements(_ text: String) -> [String] {
    var found: [String] = []
    var current = ""
    var isQuoted = false
    var escapes = false
    for character in text.dropFirst().dropLast() {
      if escapes {
        current.append(character)
        escapes = false
      } else if character == "\\" {
        escapes = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        found.append(current)
        current = ""
      } else {
        current.append(character)
      }
    }
    return current.isEmpty ? found : found + [current]
  }

  /// The property of a column, by its name in the model.
  private func property(_ column: String, _ table: Table) -> String {
    for entity in table.entity?.family ?? [] {
      let layout = store.layout(of: entity)
      for index in entity.properties.indices
      where layout.properties[index].ownColumns.contains(where: { layout.columns[$0].name == column }) {
        return entity.properties[index].name
      }
    }
    return column
  }

  /// Rows that the save deleted and that are there again.
  private func present(_ table: Table) throws -> [ReversalConflict] {
    if table.deleted.isEmpty { return [] }
    let link = table.keyColumns.map { "t.\(quoted($0)) = p.\(quoted($0))" }.joined(separator: " AND ")
    let result = try store.pool.run(
      """
      SELECT v.n, \(raw: discriminator(table).map { "t.\(quoted($0))::text" } ?? "NULL::text") \
      FROM unnest(\(.texts(table.deleted.map(\.old)))) WITH ORDINALITY AS v(old, n) \
      CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.sqlName)).*) AS p \
      JOIN \(raw: table.sqlName) AS t ON \(raw: link) ORDER BY v.n
      """)
    return (0..<result.rowCount).map { place in
      conflict(
        table, table.deleted[Int(result.int(place, 0)) - 1].key, result.isNull(place, 1) ? nil : result.text(place, 1),
        .insertedAgain)
    }
  }

  /// A reference of a table to another: its columns, and those that they refer to.
  private struct Reference {
    let table: String
    let entity: Entity?
    let columns: [String]
    let targets: [String]
  }

  private func references(to entity: Entity) -> [Reference] {
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

  /// Rows that the save did not write and that refer to rows that it inserted.
  private func referrers(_ table: Table) throws -> [ReversalConflict] {
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
        CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.sqlName)).*) AS w \
        JOIN \(raw: store.tables[reference.table].sqlName) AS s ON \(raw: link.joined(separator: " AND ")) ORDER BY v.n
        """)
      // Rows that go with it, or lead elsewhere again, are no obstacle.
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

  // MARK: Writing

  /// Brings the rows back, and tells how many there were.
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

  private func delete(_ table: Table) throws {
    if table.inserted.isEmpty { return }
    let link = table.keyColumns.map { "t.\(quoted($0)) = (v.new::\(table.sqlName)).\(quoted($0))" }
    _ = try store.pool.run(
      """
      DELETE FROM \(raw: table.sqlName) AS t USING unnest(\(.texts(table.inserted.map(\.new)))) AS v(new) \
      WHERE \(raw: link.joined(separator: " AND "))
      """)
  }

  private func update(_ table: Table) throws {
    let columns = table.columns.filter { !table.keyColumns.contains($0) }
    if table.updated.isEmpty || columns.isEmpty { return }
    func statement(_ settings: [String]) -> PostgresSQL {
      let link = table.keyColumns.map { "t.\(quoted($0)) = w.\(quoted($0))" }.joined(separator: " AND ")
      return """
        UPDATE \(raw: table.sqlName) AS t SET \(raw: settings.joined(separator: ", ")) \
        FROM unnest(\(.texts(table.updated.map(\.new))), \(.texts(table.updated.map(\.old)))) AS v(new, old) \
        CROSS JOIN LATERAL (SELECT (v.new::\(raw: table.sqlName)).*) AS w \
        CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.sqlName)).*) AS p WHERE \(raw: link)
        """
    }
    func changes(_ column: String) -> String { "p.\(column)::text IS DISTINCT FROM w.\(column)::text" }
    let restored = columns.map(quoted).map { "\($0) = CASE WHEN \(changes($0)) THEN p.\($0) ELSE t.\($0) END" }
    _ = try store.pool.run("SAVEPOINT perilune_reversal")
    do {
      _ = try store.pool.run(statement(restored))
    } catch let error as StoreError {
      guard case .server(let refusal) = error.fact, refusal.sqlState == "23505" else { throw error }
      // Rows exchange unique values: they all give them up first.
      _ = try store.pool.run("ROLLBACK TO SAVEPOINT perilune_reversal")
      let unique = Set(store.tables[table.name].uniques.values.flatMap { $0 }).intersection(columns).sorted()
      let emptied = unique.map(quoted).map { "\($0) = CASE WHEN \(changes($0)) THEN NULL ELSE t.\($0) END" }
      if emptied.isEmpty { throw error }
      _ = try store.pool.run(statement(emptied))
      _ = try store.pool.run(statement(restored))
    }
    _ = try store.pool.run("RELEASE SAVEPOINT perilune_reversal")
  }

  private func insert(_ table: Table) throws {
    if table.deleted.isEmpty { return }
    let names = table.columns.map(quoted).joined(separator: ", ")
    let values = table.columns.map { "p.\(quoted($0))" }.joined(separator: ", ")
    _ = try store.pool.run(
      """
      INSERT INTO \(raw: table.sqlName) (\(raw: names)) OVERRIDING SYSTEM VALUE SELECT \(raw: values) \
      FROM unnest(\(.texts(table.deleted.map(\.old)))) AS v(old) \
      CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.sqlName)).*) AS p
      """)
  }

  /// Restored rows that refer to rows that are not there.
  private func dangling(_ table: Table) throws -> [ReversalConflict] {
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
          CROSS JOIN LATERAL (SELECT (v.old::\(raw: table.sqlName)).*) AS p \
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
