import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// Sending the writes that wait.
extension PostgresStore {
  /// The least number of rows that are inserted by COPY, which takes a round trip of its own.
  private static let copyThreshold = 32
  /// The savepoint before a batch that may be refused.
  private static let mark = "perilune_rows"
  /// The number of statements that are sent together if each writes one row.
  private static let rowsTogether = 256

  /// Lets a write wait, to be sent together with others before anything else is sent.
  func pend(_ shape: WriteShape, key: Int64, _ values: [Value], _ elements: [PostgresArgument]) throws {
    if !pending.takes(shape, key: key) { try flush() }
    pending.add(shape, key: key, values, elements)
    if pending.isFull { try flush() }
  }

  /// Sends the writes that wait.
  ///
  /// - Throws: StoreError, with the key of the row that is refused; the server's transaction has ended then.
  func flush() throws {
    if pending.count == 0 { return }
    let batch = pending.take()
    let mark = transactions.log.count
    // Writing many rows one by one finds the one that the server refuses.
    let isRepeatable = batch.count > 1 && profile.has(.savepoints)
    do {
      try write(batch, isRepeatable: isRepeatable)
    } catch let error as StoreError where isRepeatable && error.isOfRow {
      transactions.log.cut(to: mark)
      _ = try pool.run("ROLLBACK TO SAVEPOINT \(raw: Self.mark)")
      try writeRowByRow(batch)
      _ = try pool.run("RELEASE SAVEPOINT \(raw: Self.mark)")
    }
  }

  /// A statement of a batch, with the group that it is of and its row there; all rows where that is nil.
  private struct Step {
    var sql: PostgresSQL
    var group: PendingWrites.Group?
    var row: Int?
  }

  private func write(_ batch: PendingWrites.Batch, isRepeatable: Bool) throws {
    var steps: [Step] = isRepeatable ? [Step(sql: "SAVEPOINT \(raw: Self.mark)")] : []
    for group in ordered(batch) {
      let statements = GroupedStatements(group.shape, self)
      let isKeptLater = group.shape.kind == .insert && transactions.bulkTable == group.shape.layout.table
      if isKeptLater { steps.append(Step(sql: "SET LOCAL \(raw: RecordingBooks.bulkSetting) = 'on'")) }
      if !isRepeatable && (group.count == 1 || group.shape.isUnique) {
        steps += try group.keys.indices.map { try step(group, $0) }
      } else if group.shape.kind == .update {
        steps.append(Step(sql: statements.update(group, group.keys.indices), group: group))
      } else if group.count >= Self.copyThreshold, group.shape.takesCopies, profile.has(.binaryCopyIn) {
        try send(steps)
        steps = []
        try copy(group, statements.copy)
      } else if !profile.has(.joinsOfAnyColumns) {
        steps += try group.keys.indices.map { try step(group, $0) }
      } else {
        steps.append(Step(sql: statements.insert(group), group: group))
      }
      if isKeptLater { steps.append(Step(sql: "SET LOCAL \(raw: RecordingBooks.bulkSetting) = 'off'")) }
    }
    if isRepeatable { steps.append(Step(sql: "RELEASE SAVEPOINT \(raw: Self.mark)")) }
    try send(steps)
  }

  private func writeRowByRow(_ batch: PendingWrites.Batch) throws {
    for start in stride(from: 0, to: batch.count, by: Self.rowsTogether) {
      let rows = batch.order[start..<min(start + Self.rowsTogether, batch.count)]
      try send(try rows.map { try step(batch.groups[Int($0.group)], Int($0.row)) })
    }
  }

  private func step(_ group: PendingWrites.Group, _ row: Int) throws -> Step {
    let shape = group.shape
    if shape.kind == .insert {
      return Step(sql: GroupedStatements(shape, self).insert(group, row: row), group: group, row: row)
    }
    if !profile.has(.joinsOfAnyColumns) {
      return Step(sql: GroupedStatements(shape, self).update(group, row..<row + 1), group: group, row: row)
    }
    let changes = zip(shape.changed, group.values[row]).map { (column: $0, value: $1) }
    guard let sql = try updateStatement(shape.entity, [group.keys[row]], changes) else {
      throw StoreError(.missingRow(entity: shape.entity.name, key: "\(group.keys[row])"), path: path)
    }
    return Step(sql: sql, group: group, row: row)
  }

  /// Sends statements in one round trip, and logs their writes.
  private func send(_ steps: [Step]) throws {
    if steps.isEmpty { return }
    let results: [PostgresResult]
    do {
      results = try pool.pipeline(steps.map(\.sql))
    } catch {
      guard let refusal = (error as? StoreError)?.refusal, let index = refusal.index, steps.indices.contains(index),
        let group = steps[index].group
      else { throw named(error, nil) { _ in nil } }
      guard let row = steps[index].row else { throw named(error, group.shape.entity) { _ in nil } }
      throw refused(error, group, row)
    }
    for (step, result) in zip(steps, results) {
      guard let group = step.group else { continue }
      let rows = step.row.map { $0..<$0 + 1 } ?? group.keys.indices
      switch group.shape.kind {
      case .insert: transactions.log.add(.inserted(group.shape.entity, Array(group.keys[rows])))
      case .update: try note(PostgresRowSource(result: result), group, rows)
      }
    }
  }

  private func copy(_ group: PendingWrites.Group, _ sql: String) throws {
    let types = group.shape.columns.map(\.form.wireType)
    do {
      try pool.copy(sql) { rows in
        for index in group.keys.indices {
          try rows.beginRow(types.count)
          let start = index * types.count
          for column in types.indices { try rows.field(group.elements[start + column], type: types[column]) }
        }
      }
    } catch {
      throw named(error, group.shape.entity) { _ in nil }
    }
    transactions.log.add(.inserted(group.shape.entity, group.keys))
  }

  /// The refusal of a row of a group, as a fact.
  private func refused(_ error: any Error, _ group: PendingWrites.Group, _ row: Int) -> any Error {
    var named = named(error, group.shape.entity) { name in group.shape.value(of: name, in: group.values[row]) }
    if var fact = named as? StoreError {
      fact.key = group.keys[row]
      named = fact
    }
    return named
  }

  /// Logs the rows of a group that an UPDATE returns.
  private func note(_ source: PostgresRowSource, _ group: PendingWrites.Group, _ rows: Range<Int>) throws {
    let shape = group.shape
    let key = KeyColumns(PostgresPlace(source: PostgresSource(""), entity: shape.entity, alias: ""), self, from: 0)
    var updated = CommitLog.UpdatedRows(shape.columns.map { $0.name.lowercased() })
    updated.reserve(rows.count)
    let start = key.columns.count
    let types = shape.changed.map { shape.layout.columns[$0].type }
    while try source.step() {
      updated.keys.append(key.key(source))
      for (index, column) in shape.columns.enumerated() {
        updated.olds.append(value(source, start + index, column.form, types[index]))
        updated.news.append(value(source, start + shape.columns.count + index, column.form, types[index]))
      }
    }
    if updated.keys.count < rows.count {
      let found = Set(updated.keys)
      if let missing = group.keys[rows].first(where: { !found.contains($0) }) {
        throw StoreError(.missingRow(entity: shape.entity.name, key: "\(missing)"), path: path)
      }
    }
    transactions.log.add(.updated(shape.entity, updated))
  }

  /// The groups in an order in which rows are there before others refer to them.
  ///
  /// If references are checked at the end, any order will do. If they form a circle, each group consists of rows that came
  /// one after the other.
  private func ordered(_ batch: PendingWrites.Batch) -> [PendingWrites.Group] {
    guard batch.groups.count > 1, batch.groups[0].shape.kind == .insert,
      format.checksReferencesAtOnce
    else { return batch.groups }
    var order: [PendingWrites.Group] = []
    var (done, open) = (Set<ObjectIdentifier>(), Set<ObjectIdentifier>())
    var isCircle = false
    func visit(_ group: PendingWrites.Group) {
      if open.contains(ObjectIdentifier(group)) { isCircle = true }
      guard done.insert(ObjectIdentifier(group)).inserted else { return }
      open.insert(ObjectIdentifier(group))
      for other in batch.groups where other !== group && refers(group, to: other.shape.entity) { visit(other) }
      open.remove(ObjectIdentifier(group))
      order.append(group)
    }
    for group in batch.groups { visit(group) }
    return isCircle ? runs(batch) : order
  }

  /// Whether rows of a group refer to objects of an entity's table.
  private func refers(_ group: PendingWrites.Group, to entity: Entity) -> Bool {
    let (own, layout) = (group.shape.entity, group.shape.layout)
    return layout.properties.indices.contains { index in
      guard case .reference(let columns, _) = layout.properties[index], own.destination(at: index).root === entity.root
      else { return false }
      return group.values.contains { !$0[columns[0]].isNull }
    }
  }

  private func runs(_ batch: PendingWrites.Batch) -> [PendingWrites.Group] {
    let pieces = PendingWrites()
    var runs: [PendingWrites.Group] = []
    var last: Int32 = -1
    for (place, row) in batch.order {
      if place != last { runs += pieces.take().groups }
      last = place
      let (group, row) = (batch.groups[Int(place)], Int(row))
      pieces.add(
        group.shape, key: group.keys[row], group.values[row],
        Array(group.elements[row * group.width..<(row + 1) * group.width]))
    }
    return runs + pieces.take().groups
  }

  /// A key for a new row of a table, from the sequence that numbers its rows; nil if there is no sequence that we may use.
  func newKey(_ table: String, _ name: String) throws -> Int64? {
    guard profile.has(.sequences) else { return ClientKeys.next() }
    return try keyBlocks.next(table) { count in
      let result = try pool.run(
        """
        SELECT CASE WHEN has_sequence_privilege(s, 'USAGE') THEN nextval(s::regclass) END \
        FROM pg_get_serial_sequence(\(.text(tables[table].sqlName)), \(.text(name))) AS s, \
        generate_series(1, \(.int(count)))
        """)
      return (0..<result.rowCount).filter { !result.isNull($0, 0) }.map { result.int($0, 0) }
    }
  }
}

extension StoreError {
  /// The server's refusal of a statement.
  var refusal: ServerError? { if case .server(let error) = fact { error } else { nil } }

  /// Whether it may be about one row of many. A refusal because of another transaction, or of the state of the server or
  /// the connection, is not.
  fileprivate var isOfRow: Bool {
    switch fact {
    case .notUnique, .constraint, .numberTooLarge: true
    case .server(let error): !["25", "40", "53", "55", "57", "58", "XX"].contains(error.sqlState.prefix(2))
    default: false
    }
  }
}
