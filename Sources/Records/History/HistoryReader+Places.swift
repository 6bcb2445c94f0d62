import Layouts
package import Modeling
import SQLite
package import StoreErrors
package import Stores

// Places in the history: its end, the beginnings of transactions, and where it was cut off.
extension HistoryReader: StoreHistory {
  package func answer(_ request: HistoryRequest) throws -> [HistoryTransaction] {
    // Whether a conflicting row was deleted is read from its table.
    try connection.reading {
      if let token = request.since { try check(token) }
      return try transactions(request)
    }
  }

  package func answer(_ range: ClosedRange<Int64>, of entity: Entity?) throws -> [HistoryChange] {
    try connection.reading { try changes(in: range, of: entity) }
  }

  package func newestToken() throws -> HistoryToken { HistoryToken(number: try newest()) }

  private func newest() throws(StoreError) -> Int64 { try number("SELECT max(id) FROM \(HistoryTables.change)") }

  private func number(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int64 {
    guard case .int(let number)? = try connection.first(sql, values) else { return 0 }
    return number
  }

  /// Throws unless all changes after `token` are present.
  private func check(_ token: HistoryToken) throws(StoreError) {
    let sql = "SELECT value FROM \(BookTables.metadata) WHERE key = ?"
    let oldest = try number(sql, [.string(HistoryTables.gapKey)])
    if token.number < oldest {
      throw StoreError(
        .historyExpired(token: token, oldest: HistoryToken(number: oldest)), path: connection.path)
    }
    try checkRecorded(token)
  }

  /// Throws if `token` is later than the store's last change.
  private func checkRecorded(_ token: HistoryToken) throws(StoreError) {
    let newest = HistoryToken(number: try newest())
    if token > newest { throw StoreError(.unknownHistoryToken(token, newest: newest), path: connection.path) }
  }

  /// The number of the first change of the transaction that the change `number` is in.
  private func start(ofTransactionWith number: Int64) throws(StoreError) -> Int64 {
    let range =
      "SELECT first FROM \(HistoryTables.transaction) WHERE first <= ? AND last >= ? ORDER BY first DESC LIMIT 1"
    if case .int(let first)? = try connection.first(range, [.int(number), .int(number)]) { return first }
    // Of another program: all changes recorded at the same time.
    let before = """
      SELECT id FROM \(HistoryTables.change) WHERE id < ?
        AND time IS NOT (SELECT time FROM \(HistoryTables.change) WHERE id = ?) ORDER BY id DESC LIMIT 1
      """
    return try self.number(before, [.int(number), .int(number)]) +| 1
  }

  /// The number of the first change of the first transaction that is not before `date`.
  private func start(notBefore date: Timestamp) throws(StoreError) -> Int64 {
    let day = HistoryTables.julianDay(ofSeconds: date.seconds - 0.0005)
    let first = "SELECT id FROM \(HistoryTables.change) WHERE time >= ? ORDER BY id LIMIT 1"
    guard case .int(let number)? = try connection.first(first, [.double(day)]) else { return try newest() +| 1 }
    return try start(ofTransactionWith: number)
  }
}

// Deleting old transactions, within the caller's transaction. Each function returns the number of deleted changes.
extension HistoryReader {
  /// Deletes all transactions before that of `token`, which stays valid.
  ///
  /// - Throws: StoreError, `.unknownHistoryToken` for a token that is later than the last change.
  package func delete(before token: HistoryToken) throws(StoreError) -> Int {
    try checkRecorded(token)
    return try delete(below: try start(ofTransactionWith: token.number))
  }

  /// Deletes all transactions before a time.
  package func delete(before date: Timestamp) throws(StoreError) -> Int {
    try delete(below: try start(notBefore: date))
  }

  /// Deletes the whole history.
  package func deleteAll() throws(StoreError) -> Int { try delete(below: try newest() +| 1) }

  /// Deletes the changes with numbers below `start`, and records the gap.
  private func delete(below start: Int64) throws(StoreError) -> Int {
    let count = try connection.run(
      "DELETE FROM \(HistoryTables.change) WHERE id < ? AND kind < ?",
      [.int(start), .int(RecordedKind.gap)])
    guard count > 0 else { return 0 }
    try connection.run("DELETE FROM \(HistoryTables.change) WHERE id < ?", [.int(start)])
    try connection.run("DELETE FROM \(HistoryTables.tombstone) WHERE change < ?", [.int(start)])
    try connection.run("DELETE FROM \(HistoryTables.transaction) WHERE last < ?", [.int(start)])
    try HistorySwitch(connection).markGap(start -| 1)
    return count
  }
}
