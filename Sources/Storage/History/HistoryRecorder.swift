import Glibc
import Modeling
import SQLite

/// What a connection adds to the history that triggers write: who its transactions are of.
///
/// It looks up the last change when a transaction has the write lock, and again before the commit: what lies between
/// is the transaction's.
final class HistoryRecorder {
  /// Who the next transactions are of.
  var info = TransactionInfo()
  /// How many rows of the history this connection has written: nobody's own changes.
  private(set) var rowsWritten: Int64 = 0

  /// The schema that `isOn` was found in; another connection may turn the history on or off.
  private var schemaVersion: Int64?
  private var isOn = false
  /// The last change before the transaction; nil outside, and where nothing is recorded.
  private var last: Int64?
  /// The changes that transactions of this connection have recorded, as far as somebody has yet to pass them over.
  private(set) var committed: [ClosedRange<Int64>] = []
  /// Whether ranges are kept in `committed`.
  var keepsRanges = false
  /// The changes of the transaction that is under way.
  private var pending: ClosedRange<Int64>?
  /// Whether a part of the transaction may have been undone, so that its last change is to be looked up.
  private var isPendingVague = false
  /// The first change of the last range written, to be continued in the same transaction.
  private var range: (first: Int64, info: TransactionInfo)?

  /// Called when the connection has begun to write. With `continuing`, a transaction goes on that was begun before.
  func begin(_ connection: Connection, continuing: Bool) {
    if !continuing { forget() }
    last = nil
    // What cannot be read now cannot be read at the end either, where it is told.
    guard (try? notice(connection)) != nil, isOn else { return }
    last = try? lastChange(connection)
    // A schema that is not committed may be undone, and its number given to another.
    if continuing { schemaVersion = nil }
    if continuing { isPendingVague = true }
  }

  /// Called before the commit, or after a part of a transaction that others commit.
  func end(_ connection: Connection) throws(StoreError) {
    guard let before = last else { return }
    last = nil
    let now = try lastChange(connection)
    guard now > before else { return }
    pending = min(before + 1, pending?.lowerBound ?? .max)...now
    rowsWritten = rowsWritten +| (now -| before) +| 1 +| (try tombstones(after: before, connection))
    // A savepoint may have been undone, and the range with it or the end of it.
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

  /// How many rows triggers have recorded since the transaction began: nobody's own changes.
  func rowsRecorded(_ connection: Connection) -> Int64 {
    guard let before = last, let now = try? lastChange(connection), now > before else { return 0 }
    return now -| before +| ((try? tombstones(after: before, connection)) ?? 0)
  }

  /// Called outside of all transactions: nothing goes on that was begun before.
  func forget() {
    last = nil
    range = nil
    pending = nil
    isPendingVague = false
  }

  /// Called before the commit: finds out which changes are the transaction's after all.
  func willCommit(_ connection: Connection) throws(StoreError) {
    guard keepsRanges, isPendingVague, let range = pending else { return }
    let last = try lastChange(connection)
    pending = last < range.lowerBound ? nil : range.lowerBound...last
  }

  /// Called after the commit.
  func didCommit() {
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

  /// The ranges kept so far, which are kept no longer.
  func takeCommitted() -> [ClosedRange<Int64>] {
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
