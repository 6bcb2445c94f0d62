internal import CSQLite
import Glibc
import Modeling

/// Notices what other processes, and other connections of this one, commit to a store's file.
///
///     while poll(&entry, 1, watch.pollInterval) >= 0 {      // entry.fd = watch.descriptor
///       watch.drain()
///       if watch.check(), let rows = try store.changesByOthers() { tell(rows) }
///     }
///
/// File events say when to look, `PRAGMA data_version` whether there is anything. Nothing here waits for a lock.
public final class ForeignWatch {
  /// How often to look where file events are not to be relied on, in seconds.
  public static let fallbackInterval = 0.5
  /// How long the last event is followed up, in seconds: a writer may be held up between the write and the commit.
  private static let longestDelay = 16.0
  /// How long to wait for a commit that is under way, in seconds.
  private static let patience = 0.001

  private unowned let store: SQLiteStore
  private var events: FileEvents?
  private let isReliable: Bool
  /// The version behind the changes that were told last.
  private(set) var toldVersion: Int64
  /// Whether a write to the log was seen of which it is not known whether it is committed.
  private var isCommitLikely = false
  /// When to look again, and how long after that, by the monotonic clock.
  private var followUp: (time: Double, delay: Double)?
  private var changeCount: Int64
  private var isStopped = false
  /// Whether the file at the store's path may be another than the one that the store has open.
  public private(set) var mayBeReplaced = false

  let history: HistoryFollower
  let followed: FollowedTables

  init(_ store: SQLiteStore, file: String) throws {
    self.store = store
    toldVersion = store.dataVersion
    changeCount = store.connection.totalChanges
    events = FileEvents(file)
    isReliable = events != nil && tellsWritesOfOthers(file)
    history = try HistoryFollower(store)
    followed = FollowedTables(store)
  }

  func stop() {
    isStopped = true
    // What was live may be held for long; the kernel gives a user but few of these.
    events = nil
    followed.stop()
  }

  /// Becomes readable when there may be something to look for; nil where there are no file events.
  public var descriptor: Int32? { isStopped ? nil : events?.descriptor }

  /// In how many seconds to look although no event came; nil for never.
  public var pollInterval: Double? {
    if isStopped { return nil }
    let regular = isReliable ? nil : Self.fallbackInterval
    guard let followUp else { return regular }
    return min(regular ?? .infinity, max(0, followUp.time - monotonicSeconds()))
  }

  /// Takes note of all file events, so that `descriptor` is no longer readable.
  public func drain() {
    guard !isStopped, let seen = events?.drain(), seen.any else { return }
    if seen.isMoved { mayBeReplaced = true }
    // Our own writes are events, too; then another's cannot be told from them.
    let isOwn = store.connection.totalChanges != changeCount
    changeCount = store.connection.totalChanges
    isCommitLikely = seen.log && !isOwn
    let delay = isOwn ? 0.064 : 0.002
    followUp = (monotonicSeconds() + delay, delay)
  }

  /// Whether others have committed anything that `changesByOthers` has not told.
  ///
  /// A microsecond; up to a millisecond after an event that announces a commit.
  public func check() -> Bool {
    if isStopped { return false }
    let holdsSnapshot = sqlite3_txn_state(store.connection.handle, "main") != SQLITE_TXN_NONE
    var hasChanged = store.dataVersion != toldVersion
    if !hasChanged, isCommitLikely, !holdsSnapshot { hasChanged = waitForCommit() }
    isCommitLikely = false
    if !hasChanged { delayFollowUp(holdsSnapshot: holdsSnapshot) }
    return hasChanged
  }

  /// The log is written before the commit is published, which takes microseconds more.
  private func waitForCommit() -> Bool {
    let end = monotonicSeconds() + Self.patience
    for round in 0... {
      if round < 20 { sched_yield() } else { usleep(20) }
      if store.dataVersion != toldVersion { return true }
      if monotonicSeconds() >= end { return false }
    }
    return false
  }

  /// Looks less and less often for what an event announced; as long as a cursor is open, others cannot be seen.
  private func delayFollowUp(holdsSnapshot: Bool) {
    guard let followUp, followUp.time <= monotonicSeconds() else { return }
    let delay = holdsSnapshot ? max(followUp.delay, 0.256) : followUp.delay * 2
    self.followUp = delay > Self.longestDelay ? nil : (monotonicSeconds() + delay, delay)
  }

  /// Has the rows of a table remembered, so that `changesByOthers` can tell which of them others wrote although the
  /// store keeps no history. Each call wants its `unfollow`.
  ///
  /// A large table is not looked at before others have written, so that of their first commit nobody knows what it
  /// changed; `wholly` has it looked at now.
  public func follow(table: String, wholly: Bool = false) {
    let limit = wholly ? FollowedTable.limit : FollowedTable.eagerLimit
    if !isStopped { followed.follow(table, limit: history.isOn ? nil : limit) }
  }

  /// Ends what `follow` began.
  public func unfollow(table: String) {
    if !isStopped { followed.unfollow(table) }
  }

  /// Everything up to a version has been told.
  func told(_ version: Int64) { toldVersion = version }
}
