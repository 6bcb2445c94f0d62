import Modeling
import Postgres
import StoreErrors
import Stores

/// The remote commits of a store, as far as its looks at the server have found them.
///
/// If the database records writes, the record says which rows a commit touched. Two snapshots say which transactions ended
/// between them; the order in which these began does not matter. Without a record, every change of the snapshot counts as a
/// remote commit to any row, also one to another database of the server; a commit of ours takes one number, by which it is
/// known. Citus has a snapshot for each node, which are compared together; for a store of ours `NodeRecord` says which rows were
/// written. A server whose transactions have no numbers
/// reports nothing: there a remote commit is assumed every quarter of a second. On both, remote commits are assumed before
/// every transaction of ours.
///
/// Invariant: the record of a committed transaction is in exactly one look. A look has seen a transaction if its number is
/// below `seen.next` and not one of those that ran, or is one of `told`. The statement of a look reads the snapshot and the
/// record at one moment, and asks for what the last look has not seen. The looks of all callers count. The findings of a
/// look are kept until a caller takes them.
final class RemoteCommits {
  /// The most recorded changes that are read one by one; beyond that, whole tables are read again.
  static let mostChanges = 100_000
  /// The time for which a record is certainly kept, in seconds.
  static let patience = Double(RecordingBooks.minutesKept) * 30

  /// The snapshot that was seen last, and when.
  private(set) var seen = ServerSnapshot()
  private var seenTime = 0.0
  /// The transactions of the record that were seen although the snapshot leaves open whether they had ended: one of a server that
  /// follows another does not say which of those since `seen.first` still run.
  private(set) var told: [UInt64]?
  /// The start of the server that was seen last.
  private var start: String?

  /// The number from which on transactions were not seen, except for those in `told`.
  var next: UInt64 { told == nil ? seen.next : seen.first }
  /// The rows that were not reported yet.
  private var untold: TouchedRows?
  /// Changes whenever others have, or may have, committed.
  private(set) var version: Int64 = 0

  var isUntold: Bool { untold != nil }

  /// Begins behind a snapshot, of a standby server or not.
  func begin(_ snapshot: String, isReplica: Bool) {
    see(ServerSnapshot(snapshot))
    told = isReplica ? [] : nil
  }

  private func see(_ snapshot: ServerSnapshot) { (seen, seenTime) = (snapshot, monotonicSeconds()) }

  /// Assumes a remote commit, on a server that does not report any.
  func assume() {
    seenTime = monotonicSeconds()
    add(nil)
  }

  /// Whether it is time to look, or to assume, again, if each look costs much or finds nothing.
  var isDue: Bool { monotonicSeconds() - seenTime >= PostgresWatch.interval }

  /// Counts all rows as out of date before a transaction of ours, without a commit to report.
  func distrust() { version += 1 }

  /// Notes a snapshot if no record says what was written.
  func look(_ snapshot: String) {
    guard snapshot != seen.text else {
      seenTime = monotonicSeconds()
      return
    }
    see(ServerSnapshot(snapshot))
    add(nil)
  }

  /// Notes the snapshots of nodes, and the rows that their record has.
  func look(_ snapshots: String, _ rows: TouchedRows) {
    see(ServerSnapshot(snapshots))
    if !rows.isEmpty { add(rows) }
  }

  /// The findings of one look.
  struct Look {
    /// The server's snapshot.
    var snapshot: ServerSnapshot
    /// When the server was started.
    var start: String
    /// The rows that others have touched since the last look; nil where these are not known.
    var rows: TouchedRows?
    /// The transactions of these rows, on a server that follows another; nil on others.
    var transactions: Set<UInt64>?
  }

  /// Notes a snapshot, and the rows that remote commits have touched since the last one.
  func look(_ look: Look) {
    // Without a commit, no part of the record can be gone.
    let isLate = monotonicSeconds() - seenTime > Self.patience && look.snapshot != seen
    // Another server may have taken the place of the one that was seen, without its last commits and with others of the same
    // numbers; so may the same one after a crash.
    let isOther = start.map { $0 != look.start } == true || look.snapshot.next < seen.next
    let before = isOther ? [] : told ?? []
    see(look.snapshot)
    start = look.start
    told = look.transactions.map { transactions in
      transactions.union(before).filter { $0 >= look.snapshot.first }.sorted()
    }
    if let rows = look.rows, !rows.isEmpty { add(rows) }
    if look.rows == nil || isLate || isOther { add(nil) }
  }

  private func add(_ rows: TouchedRows?) {
    version += 1
    var touched = rows ?? TouchedRows()
    touched.isForeign = true
    if rows == nil { touched.isComplete = false }
    if untold == nil { untold = touched } else { untold?.formUnion(touched) }
  }

  /// Notes the snapshot behind a commit of ours, if no other transaction came between.
  func committed(_ snapshot: String) {
    let isAlone = snapshot == seen.text || snapshot == seen.following
    see(ServerSnapshot(snapshot))
    if !isAlone { add(nil) }
  }

  /// Skips the record of a commit of ours, if no other connection has written meanwhile.
  func skip(_ snapshot: String) {
    if snapshot == seen.following { see(ServerSnapshot(snapshot)) }
  }

  /// Returns the rows that were not reported yet, which count as reported from now on.
  func take() -> TouchedRows? {
    defer { untold = nil }
    return untold
  }
}
