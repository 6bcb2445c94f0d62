import Layouts
public import Modeling
public import Queries
import StoreErrors
import Stores

extension PostgresStore {
  /// Sets properties of all rows that a request selects; returns their number.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    if changes.isEmpty { return try count(request) }
    return try write(request.entity) {
      let settings = try changes.flatMap { try setting($0.property, $0.value, of: request.entity) }
      let keys = try keys(request)
      var count = 0
      for start in stride(from: 0, to: keys.count, by: 5_000) {
        if isInterrupted() { throw StoreError(.interrupted, path: path) }
        count += try updateRows(request.entity, Array(keys[start..<min(start + 5_000, keys.count)]), settings)
      }
      transactions.noteWrites(count)
      return count
    }
  }

  /// The columns that a change sets, with their new values.
  private func setting(_ property: Int, _ value: Value, of entity: Entity) throws -> [(column: Int, value: Value)] {
    let layout = layout(of: entity)
    switch layout.properties[property] {
    case .column(let column) where layout.columns[column].isWritable: return [(column, value)]
    case .reference(let columns, _):
      var values = columns.map { _ in Value.null }
      if case .object(let id) = value { values = try referenceValues(to: id.key, of: property, in: entity) }
      return zip(columns, values).map { ($0, $1) }
    case .column, .inverse, .join, .none:
      let name = "\(entity.name).\(entity.properties[property].name)"
      throw StoreError(.constraint("\(name) cannot be set by a batch request"), path: path)
    }
  }

  /// Deletes all rows that a request selects, by the model's delete rules.
  public func batchDelete(_ request: FetchRequest) throws -> Int {
    try write(request.entity) {
      var plan = DeletePlan(self)
      let cursor = try rows(of: request.entity, keys: try keys(request))
      let count = try plan.add(cursor)
      try plan.complete()
      try plan.execute()
      transactions.noteWrites(count)
      return count
    }
  }

  /// Runs `body`, which inserts the given number of rows, in one transaction.
  @discardableResult
  public func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result
  {
    try transaction {
      transactions.bulkDepth += 1
      defer { transactions.bulkDepth -= 1 }
      guard transactions.bulkTable == nil, try keepsImagesLater(of: entity, rows) else {
        let result = try body()
        // A refusal is thrown here, where the caller knows which rows they are.
        try flush()
        return result
      }
      try flush()
      let mark = transactions.log.count
      transactions.bulkTable = layout(of: entity).table
      defer { transactions.bulkTable = nil }
      let result = try body()
      try flush()
      try keepImages(of: entity, since: mark)
      return result
    }
  }

  /// Whether the rows of a bulk insert are kept for the undo of saves only when it ends. There may be more than can be
  /// undone, and then no row needs to be kept.
  private func keepsImagesLater(of entity: Entity, _ rows: Int) throws -> Bool {
    guard let recording, recording.isComplete, rows > RecordingTriggers.mostRows,
      layout(of: entity).key.integerName != nil
    else { return false }
    // The triggers write to the record with the rights of another.
    return try pool.run("SELECT has_table_privilege(\(.text(recording.books.image)), 'INSERT')").bool(0, 0)
  }

  /// Keeps the rows that were inserted since a place in the log, if they can be undone.
  private func keepImages(of entity: Entity, since mark: Int) throws {
    let layout = layout(of: entity)
    guard let recording, let key = layout.key.integerName else { return }
    let keys = transactions.log.entries[mark...].flatMap { entry -> [Int64] in
      guard case .inserted(let other, let keys) = entry, self.layout(of: other).table == layout.table else { return [] }
      return keys
    }
    // For more rows, the triggers have noted that.
    if keys.isEmpty || keys.count > RecordingTriggers.mostImages { return }
    let kept = try pool.run(
      """
      WITH kept AS (INSERT INTO \(raw: recording.books.image) (tx, relation, new) \
      SELECT pg_current_xact_id(), \(.text(layout.table)), (r.*)::text FROM \(raw: tables[layout.table].sqlName) AS r \
      WHERE r.\(name: key) = ANY(\(.ints(keys))) ORDER BY r.\(name: key) RETURNING 1) SELECT count(*) FROM kept
      """)
    if kept.int(0, 0) == Int64(keys.count) { return }
    // Some are gone again, or cannot be read.
    _ = try pool.run("INSERT INTO \(raw: recording.books.image) (tx) VALUES (pg_current_xact_id())")
  }
}

extension PostgresStore: RowDeleting {
  /// Rows are deleted together.
  package var deletesRowByRow: Bool { false }

  /// The destinations of a to-one that the owners' rows keep.
  package func destinations(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64] {
    let reader = SubjectReader(self, paths: [])
    let cursor = try rows(of: entity, keys: owners)
    var found: [Int64] = []
    while try cursor.step() {
      if let id = try RowSubject(kept: KeptRow(cursor), reader: reader).reference(at: relationship) {
        found.append(id.key)
      }
    }
    return found
  }

  /// Removes all pairs of the owners.
  package func removePairs(of relationship: Int, in entity: Entity, owners: [Int64]) throws {
    guard case .join(let join) = layout(of: entity).properties[relationship] else { return }
    if format.declaresSchema { return try deletePairs(join, join.ownerColumns[0], owners) }
    for (owner, member) in try members(of: relationship, in: entity, owners: owners) {
      try unlink(relationship, in: entity, owner: owner, member: member)
    }
  }

  /// Empties a to-one where it leads to the rows.
  package func empty(
    _ toOne: Int, of entity: Entity, order: String?, leadingTo destination: Entity, _ keys: [Int64]
  ) throws {
    let layout = layout(of: entity)
    guard case .reference(let columns, _) = layout.properties[toOne] else { return }
    var holders: [Int64] = []
    let reference = LooseReference(entity: entity, property: toOne, effect: .emptied)
    try visitReferrers(of: reference, to: destination, keys: keys) { holder, _ in holders.append(holder) }
    let places = order.flatMap { name in layout.columns.firstIndex { $0.name == name } }
    _ = try updateRows(entity, holders, (columns + (places.map { [$0] } ?? [])).map { ($0, .null) })
  }

  /// Deletes the rows.
  package func deleteReleased(_ entity: Entity, _ keys: [Int64]) throws {
    for start in stride(from: 0, to: keys.count, by: 5_000) {
      if isInterrupted() { throw StoreError(.interrupted, path: path) }
      _ = try deleteRows(entity, Array(keys[start..<min(start + 5_000, keys.count)]))
    }
  }
}
