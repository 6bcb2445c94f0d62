import Layouts
public import Modeling
import Postgres
import StoreErrors
import Stores

/// Deleting rows, with the references to them.
extension PostgresStore {
  /// Deletes a row; returns false if it does not exist.
  public func delete(_ entity: Entity, key: Int64) throws -> Bool {
    try write(entity) { try deleteRows(entity, [key]) > 0 }
  }

  /// Deletes rows together, those first that refer to others.
  public func delete(_ rows: [ObjectID]) throws -> Int {
    var keys: [Entity: [Int64]] = [:]
    var order: [Entity] = []
    for row in rows {
      if keys[row.entity] == nil { order.append(row.entity) }
      keys[row.entity, default: []].append(row.key)
    }
    guard let first = order.first else { return 0 }
    return try write(first) {
      var count = 0
      for entity in holdersFirst(order) {
        if entity.isReadOnly { throw StoreError(.readOnlyEntity(entity.name), path: path) }
        let keys = keys[entity] ?? []
        for start in stride(from: 0, to: keys.count, by: 5_000) {
          if isInterrupted() { throw StoreError(.interrupted, path: path) }
          count += try deleteRows(entity, Array(keys[start..<min(start + 5_000, keys.count)]))
        }
        transactions.noteWrites(keys.count)
        if tables[layout(of: entity).table].hasTriggers { transactions.triggeredCount += 1 }
      }
      return count
    }
  }

  /// Deletes the rows with some keys; returns their number.
  func deleteRows(_ entity: Entity, _ keys: [Int64]) throws -> Int {
    if format.declaresSchema { try release(entity, keys) }
    let layout = layout(of: entity)
    let row = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
    guard let condition = keyCondition(row, keys) else { return 0 }
    let keyColumns = KeyColumns(row, self, from: 0)
    let references = layout.properties.flatMap { property -> [Int] in
      if case .reference(let columns, _) = property { columns } else { [] }
    }
    let forms = references.map { tables.form(layout.table, layout.columns[$0].name) }
    let columns = zip(references, forms).map { column, form in
      PostgresSQL(raw: form.selected("\(row.alias).\(quoted(layout.columns[column].name))"))
    }
    let source = try run(
      """
      DELETE FROM \(table(layout.table)) AS \(raw: row.alias) WHERE \(condition) \
      RETURNING \((keyColumns.columns + columns).joined(", "))
      """, entity
    ) { _ in nil }
    var deleted: Set<Int64> = []
    let start = keyColumns.columns.count
    while try source.step() {
      let key = keyColumns.key(source)
      deleted.insert(key)
      var held: [String: Value] = [:]
      for (index, column) in references.enumerated() {
        held[layout.columns[column].name.lowercased()] = value(
          source, start + index, forms[index], layout.columns[column].type)
      }
      transactions.log.add(.deleted(entity, key, references: held))
    }
    if deleted.count < keys.count {
      let rest = keys.filter { !deleted.contains($0) }
      if spreadPlaces.forget(entity, rest) { return try deleted.count + deleteRows(entity, rest) }
      noteVanished(layout.table)
    }
    return deleted.count
  }

  /// Notes that rows of a table were gone before they were deleted, for example because the server deleted them with the
  /// rows that they refer to. Only the record has their former values.
  private func noteVanished(_ table: String) {
    if recording?.isComplete == true {
      transactions.tellsRecord = true
    } else {
      transactions.log.add(.unknown(table: table))
    }
  }

  /// Empties the references to rows and removes their pairs, as the foreign keys of our tables would, so that the log has
  /// these changes.
  private func release(_ entity: Entity, _ keys: [Int64]) throws {
    for source in model.entities {
      for index in (source.parent?.properties.count ?? 0)..<source.properties.count
      where source.properties[index].relationship != nil && entity.isKind(of: source.destination(at: index)) {
        let layout = layout(of: source)
        switch layout.properties[index] {
        case .reference(let columns, _) where isEmptied(source, index):
          var holders: [Int64] = []
          try visitReferrers(
            of: LooseReference(entity: source, property: index, effect: .emptied), to: entity, keys: keys
          ) {
            holder, _ in holders.append(holder)
          }
          _ = try updateRows(source, holders, columns.map { ($0, .null) })
        case .join(let join): try deletePairs(join, join.memberColumns[0], keys)
        case .reference, .column, .inverse, .none: break
        }
      }
    }
    for case .join(let join) in layout(of: entity).properties { try deletePairs(join, join.ownerColumns[0], keys) }
  }

  /// Whether the foreign key of a to-one empties it when its destination is deleted.
  private func isEmptied(_ entity: Entity, _ index: Int) -> Bool {
    guard let back = entity.inverse(at: index) else { return true }
    return entity.destination(at: index).properties[back].relationship?.deleteRule == .nullify
  }

  func deletePairs(_ join: JoinLayout, _ column: String, _ keys: [Int64]) throws {
    let ends = join.ownerColumns + join.memberColumns
    let result = try pool.run(
      """
      DELETE FROM \(table(join.table)) WHERE \(name: column) = ANY(\(.ints(keys))) \
      RETURNING \(ends.map { PostgresSQL(raw: "\(quoted($0))::bigint") }.joined(", "))
      """)
    for row in 0..<result.rowCount {
      var pair: [String: Value] = [:]
      for (index, name) in ends.enumerated() { pair[name] = .int(result.int(row, index)) }
      transactions.log.add(.pair(table: join.table, isNew: false, pair))
    }
  }
}
