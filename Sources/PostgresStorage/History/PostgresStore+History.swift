internal import Foundation
import Layouts
public import Modeling
import Postgres
import StoreErrors
public import Stores

/// The history: what every transaction changed, also those of other programs.
///
/// A transaction gets its number when the history is first read after it has ended, from one counter and one reader at a
/// time. So a reader with a token has seen everything with smaller numbers, also what began before and ended later.
extension PostgresStore {
  private func kept() throws -> PostgresRecording {
    if hidesProperties { throw StoreError(.historyHidden, path: path) }
    guard let recording, try entry(PostgresRecording.Entry.last, recording) != nil else {
      throw StoreError(.noHistory, path: path)
    }
    return recording
  }

  private func entry(_ key: String, _ recording: PostgresRecording) throws -> String? {
    let result = try pool.run("SELECT value FROM \(raw: recording.books.history) WHERE key = \(.text(key))")
    return result.rowCount > 0 ? result.text(0, 0) : nil
  }

  private func number(_ key: String, _ recording: PostgresRecording) throws -> Int64 {
    try entry(key, recording).flatMap { Int64($0) } ?? 0
  }

  // MARK: Numbers

  /// Gives numbers to the transactions that have ended since, and returns the last one.
  ///
  /// Changes are counted as numbers, so that a store's tokens tell how much was written.
  private func numbered(_ recording: PostgresRecording) throws -> Int64 {
    let last = try number(PostgresRecording.Entry.last, recording)
    let waiting = try pool.run("SELECT EXISTS (SELECT 1 FROM \(raw: recording.books.transaction) WHERE number IS NULL)")
    guard waiting.bool(0, 0), recording.names.isOn else { return last }
    if countsForItself(recording) {
      let result = try pool.run("SELECT coalesce(max(t.number), 0)::bigint FROM \(transactions(recording)) AS t")
      return max(last, result.int(0, 0))
    }
    return isReadOnly || pool.isReading ? last : try changing { try giveNumbers(recording) }
  }

  /// Whether this store cannot give numbers, and counts on from the last one.
  private func countsForItself(_ recording: PostgresRecording) -> Bool {
    (isReadOnly || pool.isReading) && !isReplica && recording.names.isOn && profile.has(.transactionNumbers)
  }

  /// The transactions with their numbers.
  ///
  /// A store that cannot write counts on where no number is given yet. It counts the transactions before the oldest that still
  /// runs, in their order, and none while a writer gives numbers: a later writer gives the same ones.
  private func transactions(_ recording: PostgresRecording) -> PostgresSQL {
    let books = recording.books
    guard countsForItself(recording) else { return "\(raw: books.transaction)" }
    return """
      (WITH given AS (SELECT h.value::bigint AS last FROM \(raw: books.history) AS h \
      WHERE h.key = \(.text(PostgresRecording.Entry.last)) AND NOT EXISTS ( \
      SELECT 1 FROM pg_snapshot_xip(pg_current_snapshot()) AS x \
      WHERE mod(x::text::numeric, 4294967296) = h.xmax::text::numeric)), \
      counted AS (SELECT w.tx, (SELECT count(*) FROM \(raw: books.change) AS c WHERE c.tx = w.tx \
      AND c.kind < \(.int(RecordedKind.gap))) AS changes FROM \(raw: books.transaction) AS w \
      WHERE w.number IS NULL AND w.tx < pg_snapshot_xmin(pg_current_snapshot())) \
      SELECT tx, time, author, context, process, number::bigint, changes::bigint FROM \(raw: books.transaction) \
      WHERE number IS NOT NULL UNION ALL \
      SELECT t.tx, t.time, t.author, t.context, t.process, \
      (given.last + sum(n.changes) OVER (ORDER BY t.tx))::bigint, n.changes \
      FROM \(raw: books.transaction) AS t JOIN counted AS n ON n.tx = t.tx CROSS JOIN given)
      """
  }

  private func giveNumbers(_ recording: PostgresRecording) throws -> Int64 {
    let books = recording.books
    let result = try pool.run(
      "SELECT value FROM \(raw: books.history) WHERE key = \(.text(PostgresRecording.Entry.last)) FOR UPDATE")
    let last = result.rowCount > 0 ? Int64(result.text(0, 0)) ?? 0 : 0
    // A statement of its own: it sees what the reader before has numbered.
    let given = try pool.run(
      """
      WITH counted AS ( \
      SELECT t.tx, (SELECT count(*) FROM \(raw: books.change) AS c WHERE c.tx = t.tx \
      AND c.kind < \(.int(RecordedKind.gap))) AS changes \
      FROM \(raw: books.transaction) AS t WHERE t.number IS NULL), \
      numbers AS (SELECT tx, changes, \(.int(last)) + sum(changes) OVER (ORDER BY tx) AS number FROM counted) \
      UPDATE \(raw: books.transaction) AS t SET number = n.number, changes = n.changes FROM numbers AS n \
      WHERE t.tx = n.tx RETURNING n.number::bigint
      """)
    let newest = (0..<given.rowCount).map { given.int($0, 0) }.max() ?? last
    try PostgresRecording.put(pool, books, PostgresRecording.Entry.last, "\(newest)")
    return newest
  }

  /// Runs `body` in the open transaction, or in a new one that does not count as a save.
  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    if transactions.depth > 0 || pool.pins > 0 || isInTransactionByHand { return try body() }
    _ = try pool.run("BEGIN")
    pool.pin()
    defer { pool.unpin() }
    do {
      let result = try body()
      _ = try pool.run("COMMIT")
      return result
    } catch {
      _ = try? pool.run("ROLLBACK")
      throw error
    }
  }

  /// Called before the history is switched off: numbers what was recorded, which belongs to it.
  func endNumbers(_ recording: PostgresRecording) throws { _ = try giveNumbers(recording) }

  /// Called before the history is switched on: leaves out of it what was recorded while none was kept.
  func skipUnrecorded(_ recording: PostgresRecording) throws {
    _ = try pool.run("UPDATE \(raw: recording.books.transaction) SET number = 0, changes = 0 WHERE number IS NULL")
    guard try entry(PostgresRecording.Entry.last, recording) != nil else {
      return try PostgresRecording.put(pool, recording.books, PostgresRecording.Entry.last, "0")
    }
    // Writes while it was off are not known.
    let next = try number(PostgresRecording.Entry.last, recording) + 1
    try PostgresRecording.put(pool, recording.books, PostgresRecording.Entry.last, "\(next)")
    try PostgresRecording.put(pool, recording.books, PostgresRecording.Entry.gap, "\(next)")
  }

  // MARK: Reading

  /// The place behind everything that the history has recorded.
  public var currentHistoryToken: HistoryToken {
    get throws { HistoryToken(number: try numbered(try kept())) }
  }

  /// The transactions that a request asks for, the oldest first.
  public func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
    let recording = try kept()
    let newest = try numbered(recording)
    if let token = request.since {
      let oldest = try number(PostgresRecording.Entry.gap, recording)
      if token.number < oldest {
        throw StoreError(.historyExpired(token: token, oldest: HistoryToken(number: oldest)), path: path)
      }
      try check(token, newest)
    }
    var conditions: [PostgresSQL] = ["t.changes > 0", "t.number > \(.int(request.since?.number ?? 0))"]
    if let token = request.before { conditions.append("t.number < \(.int(token.number))") }
    if let date = request.beforeDate, let moment = ColumnForm.instant(date) {
      conditions.append("date_trunc('milliseconds', t.time) < \(moment)")
    }
    if let author = request.author { conditions.append("t.author = \(.text(author))") }
    if let name = request.contextName { conditions.append("t.context = \(.text(name))") }
    if let entity = request.entity {
      conditions.append(
        """
        EXISTS (SELECT 1 FROM \(raw: recording.books.change) AS c WHERE c.tx = t.tx \
        AND c.kind < \(.int(RecordedKind.gap)) AND c.entity = ANY(\(.ints(recording.names.numbers(of: entity).sorted()))))
        """)
    }
    var sql: PostgresSQL = """
      SELECT t.number, floor(extract(epoch FROM t.time) * 1000)::bigint, t.author, t.context, t.process, t.tx::text \
      FROM \(transactions(recording)) AS t WHERE \(conditions.joined(" AND ")) ORDER BY t.number
      """
    if let limit = request.fetchLimit { sql += " LIMIT \(.int(Int64(max(0, limit))))" }
    let result = try pool.run(sql)
    var transactions = (0..<result.rowCount).map { row in
      let number = Int64(result.text(row, 5)) ?? 0
      return HistoryTransaction(
        token: HistoryToken(number: result.int(row, 0)), date: Timestamp(Double(result.int(row, 1)) / 1000),
        author: result.isNull(row, 2) ? nil : result.text(row, 2),
        contextName: result.isNull(row, 3) ? nil : result.text(row, 3),
        processID: result.isNull(row, 4) ? nil : Int32(truncatingIfNeeded: result.int(row, 4)), range: number...number)
    }
    guard request.includesChanges else { return transactions }
    for index in transactions.indices {
      transactions[index].changes = try historyChanges(of: transactions[index], entity: request.entity)
    }
    transactions.removeAll { $0.changes.isEmpty }
    return transactions
  }

  private func check(_ token: HistoryToken, _ newest: Int64) throws {
    if token.number > newest {
      throw StoreError(.unknownHistoryToken(token, newest: HistoryToken(number: newest)), path: path)
    }
  }

  /// The merged change of each object in a transaction.
  public func historyChanges(of transaction: HistoryTransaction, entity: Entity?) throws -> [HistoryChange] {
    let recording = try kept()
    let names = recording.names
    var sql: PostgresSQL = """
      SELECT c.id, \(raw: RecordedRows.columns), c.tombstone FROM \(raw: recording.books.change) AS c \
      WHERE c.tx = \(.untyped("\(transaction.range.lowerBound)"))::\(raw: recording.books.numberType) AND c.kind < \(.int(RecordedKind.gap))
      """
    if let entity { sql += " AND c.entity = ANY(\(.ints(names.numbers(of: entity).sorted())))" }
    let result = try pool.run(sql + " ORDER BY c.id")
    let rows = RecordedRows(recordedTables, names)
    var merger = ChangeMerger()
    var tombstones: [Int64: [String: Value]] = [:]
    for row in 0..<result.rowCount {
      let number = Int(truncatingIfNeeded: result.int(row, 1))
      guard let entry = names.entity(number) else { continue }
      let known = names.entity(of: entry, in: model)
      guard let key = known.map({ rows.key(result, row, 1, $0) }) ?? result.int(row, 2) else { continue }
      let id = result.int(row, 0)
      merger.add(
        RecordedChange(
          id: id, number: number, family: entry.family, key: key, kind: Self.kind(result.int(row, 4)),
          properties: RecordedChange.words(result.text(row, 5))))
      tombstones[id] = tombstone(result, row, 7, entry, known, names)
    }
    return merger.changes.compactMap { names.change($0, in: model, tombstone: tombstones[$0.id] ?? [:]) }
  }

  private static func kind(_ stored: Int64) -> HistoryChange.Kind {
    switch stored {
    case RecordedKind.insert: .insert
    case RecordedKind.delete: .delete
    default: .update
    }
  }

  private func tombstone(
    _ result: PostgresResult, _ row: Int, _ column: Int, _ entry: HistoryNames.EntityEntry, _ entity: Entity?,
    _ names: HistoryNames
  ) -> [String: Value] {
    guard !result.isNull(row, column), case .object(let fields)? = try? JSON.parse(result.bytesOfJSON(row, column))
    else {
      return [:]
    }
    var values: [String: Value] = [:]
    for (position, json) in fields {
      guard let position = Int(position),
        let name = names.name(ofProperty: position, of: entry, entity, in: model)
      else { continue }
      values[name] = Value(recorded: json, as: entity?.property(named: name)?.attribute?.type ?? .any)
    }
    return values
  }

  // MARK: Deleting

  /// Deletes all transactions before that of `token`, which stays valid; returns the number of deleted changes.
  public func deleteHistory(before token: HistoryToken) throws -> Int {
    let recording = try kept()
    try check(token, try numbered(recording))
    return try delete(
      """
      t.number < coalesce((SELECT min(number) FROM \(raw: recording.books.transaction) \
      WHERE number >= \(.int(token.number)) AND changes > 0), \(.int(token.number + 1)))
      """, recording)
  }

  /// Deletes all transactions before a time; returns the number of deleted changes.
  public func deleteHistory(before date: Timestamp) throws -> Int {
    let recording = try kept()
    _ = try numbered(recording)
    guard let moment = ColumnForm.instant(date) else { return 0 }
    return try delete("date_trunc('milliseconds', t.time) < \(moment)", recording)
  }

  /// Deletes the whole history; returns the number of deleted changes.
  public func deleteHistory() throws -> Int {
    let recording = try kept()
    _ = try numbered(recording)
    return try delete("TRUE", recording)
  }

  private func delete(_ condition: PostgresSQL, _ recording: PostgresRecording) throws -> Int {
    if isReadOnly { throw readOnlyError }
    let books = recording.books
    return try changing {
      let gone = try pool.run(
        """
        DELETE FROM \(raw: books.transaction) AS t WHERE t.number IS NOT NULL AND \(condition) \
        RETURNING t.tx::text, t.number, t.changes
        """)
      if gone.rowCount == 0 { return 0 }
      let numbers = (0..<gone.rowCount).map { gone.text($0, 0) }
      _ = try pool.run(
        """
        DELETE FROM \(raw: books.change) \
        WHERE tx = ANY(\(.untyped("{\(numbers.joined(separator: ","))}"))::\(raw: books.numberType)[])
        """)
      let last = (0..<gone.rowCount).map { gone.int($0, 1) }.max() ?? 0
      let gap = max(last, try number(PostgresRecording.Entry.gap, recording))
      try PostgresRecording.put(pool, books, PostgresRecording.Entry.gap, "\(gap)")
      // Followers may not have read it.
      try PostgresRecording.put(pool, books, PostgresRecording.Entry.cut, UUID.random().uuidString)
      return (0..<gone.rowCount).reduce(0) { $0 + Int(gone.int($1, 2)) }
    }
  }
}

extension Value {
  /// The output of `to_jsonb` for a column, as a value of the attribute's type.
  fileprivate init(recorded json: JSON, as type: AttributeType) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number) where type == .double || type == .float: self = .double(Double(number))
    case .int(let number) where type == .decimal:
      self = Decimal(exactly: "\(number)").map(Value.decimal) ?? .int(number)
    case .int(let number): self = .int(number)
    case .double(let number) where type == .decimal:
      self = Decimal(shortest: number).map(Value.decimal) ?? .double(number)
    case .double(let number): self = .double(number)
    case .string(let text) where type == .date: self = Timestamp(iso8601: text).map(Value.date) ?? .string(text)
    case .string(let text) where type == .data && text.hasPrefix("\\x"): self = .data(Self.bytes(text.dropFirst(2)))
    case .string(let text):
      self = ValueCoding.decode(.string(type == .uuid ? text.uppercased() : text), as: type)
    case .array, .object: self = .json(json)
    }
  }

  private static func bytes(_ digits: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits.utf8 {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue.map({ UInt8($0) }) else { continue }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
