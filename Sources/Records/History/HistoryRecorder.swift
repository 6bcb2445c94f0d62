import Glibc
import Modeling
package import SQLite
package import StoreErrors
package import Stores

/// Adds authors, contexts and transaction ranges to the history, whose changes are recorded by triggers.
///
/// It reads the number of the last change when a transaction has the write lock, and again before the commit: the
/// changes between them are the transaction's.
package final class HistoryRecorder {
  /// The author and context of the next transactions.
  package var info = TransactionInfo()
  /// The number of history rows written by this connection, which do not count as changes.
  package private(set) var rowsWritten: Int64 = 0

  /// The schema version for which `isOn` is valid; another connection may switch the history.
  private var schemaVersion: Int64?
  private var isOn = false
  /// The last change before the transaction; nil outside a transaction or without a history.
  private var last: Int64?
  /// The ranges of this connection's transactions that the history's follower has not skipped yet.
  private(set) var committed: [ClosedRange<Int64>] = []
  /// Whether ranges are kept in `committed`.
  package var keepsRanges = false
  /// The changes of the present transaction.
  private var pending: ClosedRange<Int64>?
  /// Whether a part of the transaction may have been rolled back, so that its last change must be looked up.
  private var isPendingVague = false
  /// The first change of the last written range, which the same transaction may extend.
  private var range: (first: Int64, info: TransactionInfo)?

  package init() {}

  /// Called when the connection begins to write. With `continuing`, the transaction had begun before.
  package func begin(_ connection: Connection, continuing: Bool) {
    if !continuing { forget() }
    last = nil
    // If this cannot be read, neither can it at the commit, which reports the error.
    guard (try? notice(connection)) != nil, isOn else { return }
    last = try? lastChange(connection)
    // An uncommitted schema may be rolled back, and its version used again.
    if continuing { schemaVersion = nil }
    if continuing { isPendingVague = true }
  }

  /// Called before the commit, or after a part of a transaction that is committed elsewhere.
  package func end(_ connection: Connection) throws(StoreError) {
    guard let before = last else { return }
    last = nil
    let now = try lastChange(connection)
    guard now > before else { return }
    pending = min(before + 1, pending?.lowerBound ?? .max)...now
    rowsWritten = rowsWritten +| (now -| before) +| 1 +| (try tombstones(after: before, connection))
    // Rolling back a savepoint may have removed the range or its end.
    if let range, range.info == info,
      try connection.run(
        "UPDATE \(HistoryTables.transaction) SET last = ? WHERE first = ? AND last = ?",
        [.int(now), .int(range.first), .int(before)]) > 0
    {
      return
    }
    range = (before + 1, info)
    try connection.run(
      "INSERT OR REPLACE INTO \(HistoryTables.transaction) (first, last, author, context, process) VALUES (?, ?, ?, ?, ?)",
      [
        .int(before + 1), .int(now), info.author.map(Value.string) ?? .null,
        info.contextName.map(Value.string) ?? .null, .int(Int64(getpid())),
      ])
  }

  /// The number of rows recorded by triggers since the transaction began, which do not count as changes.
  package func rowsRecorded(_ connection: Connection) -> Int64 {
    guard let before = last, let now = try? lastChange(connection), now > before else { return 0 }
    return now -| before +| ((try? tombstones(after: before, connection)) ?? 0)
  }

  /// Called outside of transactions: clears the state of the last one.
  package func forget() {
    last = nil
    range = nil
    pending = nil
    isPendingVague = false
  }

  /// Called before the commit: determines the transaction's changes.
  package func willCommit(_ connection: Connection) throws(StoreError) {
    guard keepsRanges, isPendingVague, let range = pending else { return }
    let last = try lastChange(connection)
    pending = last < range.lowerBound ? nil : range.lowerBound...last
  }

  /// Called after the commit.
  package func didCommit() {
    if keepsRanges, let range = pending {
      if let previous = committed.last, previous.upperBound +| 1 == range.lowerBound {
        committed[committed.count - 1] = previous.lowerBound...range.upperBound
      } else {
        committed.append(range)
      }
    }
    pending = nil
    isPendingVague = false
  }

  /// Returns the ranges kept so far, and clears them.
  package func takeCommitted() -> [ClosedRange<Int64>] {
    defer { committed = [] }
    return committed
  }

  private func notice(_ connection: Connection) throws(StoreError) {
    let version = try connection.number(.schemaVersion)
    guard version != schemaVersion else { return }
    isOn = try HistorySwitch(connection).names()?.isOn ?? false
    schemaVersion = version
  }

  private func tombstones(after change: Int64, _ connection: Connection) throws(StoreError) -> Int64 {
    let sql = "SELECT count(*) FROM \(HistoryTables.tombstone) WHERE change > ?"
    guard case .int(let count)? = try connection.first(sql, [.int(change)]) else { return 0 }
    return count
  }

  private func lastChange(_ connection: Connection) throws(StoreError) -> Int64 {
    guard case .int(let last)? = try connection.first("SELECT max(id) FROM \(HistoryTables.change)") else { return 0 }
    return last
  }
}
