import Postgres
public import Storage
import StoreErrors

/// What is known of the commits of others, by the server's snapshots: they change when a transaction that wrote begins or ends.
///
/// A snapshot is `xmin:xmax:list`. A commit of ours takes one number; where nothing else has changed around it, nobody else has
/// written. Everything else counts as a commit of others, also what was written in another database of the server.
final class ForeignCommits {
  /// The snapshot that was seen last.
  private var seen = ""
  /// The snapshot that was told last.
  private var told = ""
  /// Changes whenever others have, or may have, committed.
  private(set) var version: Int64 = 0

  func begin(_ snapshot: String) { (seen, told) = (snapshot, snapshot) }

  /// Takes note of a snapshot; whether others may have written since the last one.
  @discardableResult
  func look(_ snapshot: String) -> Bool {
    guard snapshot != seen else { return false }
    version += 1
    seen = snapshot
    return true
  }

  /// Takes note of the snapshot behind a commit of ours, which changes nothing else where the numbers follow on.
  func committed(_ snapshot: String) {
    let (isTold, expected) = (told == seen, Self.following(seen))
    if snapshot != seen, snapshot != expected { version += 1 } else if isTold { told = snapshot }
    seen = snapshot
  }

  /// Whether there are commits that were not reported; marks them as reported.
  func takeUntold() -> Bool {
    defer { told = seen }
    return told != seen
  }

  var isUntold: Bool { told != seen }

  /// The snapshot after one transaction that began and ended alone.
  private static func following(_ snapshot: String) -> String? {
    let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == parts[1], parts[2].isEmpty, let next = UInt64(parts[1]) else { return nil }
    return "\(next + 1):\(next + 1):"
  }
}

extension PostgresStore {
  /// The server's snapshot of now.
  func snapshot() throws -> String { try pool.run("SELECT pg_current_snapshot()::text").text(0, 0) }

  /// The moment that the store is in, as far as it was told.
  public var stamp: StoreStamp {
    StoreStamp(
      dataVersion: foreign.version, changeCount: transactions.writeCount, undoneCount: transactions.undoneCount)
  }

  /// What others committed since the last call: which rows is not known, so that results read again.
  public func changesByOthers() throws -> TouchedRows? {
    if transactions.depth > 0 || pool.pins > 0 { return nil }
    foreign.look(try snapshot())
    guard foreign.takeUntold() else { return nil }
    var touched = TouchedRows()
    touched.isForeign = true
    touched.isComplete = false
    return touched
  }

  /// Notices commits of others by asking the server.
  public var commitWatch: (any CommitWatch)? { pool.isClosed ? nil : watch }

  /// The place behind everything that the history has recorded.
  public var currentHistoryToken: HistoryToken {
    get throws { throw noHistory }
  }

  /// The transactions that a request asks for.
  public func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
    throw noHistory
  }

  /// A database whose tables others made keeps none; a store of our own may have one some day.
  private var noHistory: StoreError {
    StoreError(kind == .perilune ? .noHistory : .historyUnsupported(kind), path: path)
  }
}

/// Asks the server at intervals whether anybody has written.
final class PostgresWatch: CommitWatch {
  private static let interval = 0.25
  private unowned let store: PostgresStore

  init(_ store: PostgresStore) { self.store = store }

  var descriptor: Int32? { nil }
  var pollInterval: Double? { store.pool.isClosed ? nil : Self.interval }
  var mayBeReplaced: Bool { false }
  func drain() {}

  func check() -> Bool {
    if store.pool.isClosed || store.transactions.depth > 0 || store.pool.pins > 0 { return false }
    guard let snapshot = try? store.snapshot() else { return false }
    store.foreign.look(snapshot)
    return store.foreign.isUntold
  }

  func follow(table: String, wholly: Bool) {}
  func unfollow(table: String) {}
}
