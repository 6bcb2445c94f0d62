import Glibc
import Modeling

/// Detects commits of other processes and other connections to a store's file.
///
///     while poll(&entry, 1, watch.pollInterval) >= 0 {      // entry.fd = watch.descriptor
///       watch.drain()
///       if watch.check(), let rows = try store.changesByOthers() { tell(rows) }
///     }
///
/// File events say when to check, `PRAGMA data_version` whether there was a commit. Nothing here waits for a lock.
public final class ForeignWatch: CommitWatch {
  /// The polling interval in seconds if file events are unreliable.
  public static let fallbackInterval = 0.5
  /// The seconds of further checks after an event: a writer may be delayed between its write and its commit.
  private static let longestDelay = 16.0
  /// The longest wait for a commit in progress, in seconds.
  private static let patience = 0.001

  private unowned let store: SQLiteStore
  private var events: FileEvents?
  private let isReliable: Bool
  /// The data version after the changes reported last.
  private(set) var toldVersion: Int64
  /// Whether a write to the log was seen that may not be committed yet.
  private var isCommitLikely = false
  /// When to check next, and the interval after that, by the monotonic clock.
  private var followUp: (time: Double, delay: Double)?
  private var changeCount: Int64
  private var isStopped = false
  /// Whether the store's file may have been replaced at its path.
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
    // The watch may be retained for long, and inotify instances are a scarce resource.
    events = nil
    followed.stop()
  }

  /// A descriptor that becomes readable when a check may be needed; nil without file events.
  public var descriptor: Int32? { isStopped ? nil : events?.descriptor }

  /// The seconds until the next check without an event; nil for never.
  public var pollInterval: Double? {
    if isStopped { return nil }
    let regular = isReliable ? nil : Self.fallbackInterval
    guard let followUp else { return regular }
    return min(regular ?? .infinity, max(0, followUp.time - monotonicSeconds()))
  }

  /// Reads all file events, so that `descriptor` is no longer readable.
  public func drain() {
    guard !isStopped, let seen = events?.drain(), seen.any else { return }
    if seen.isMoved { mayBeReplaced = true }
    // Our own writes cause events, too, and cannot be distinguished from others'.
    let isOwn = store.connection.totalChanges != changeCount
    changeCount = store.connection.totalChanges
    isCommitLikely = seen.log && !isOwn
    let delay = isOwn ? 0.064 : 0.002
    followUp = (monotonicSeconds() + delay, delay)
  }

  /// Whether others have committed changes that `changesByOthers` has not returned yet.
  ///
  /// Takes a microsecond; up to a millisecond after an event that announces a commit.
  public func check() -> Bool {
    if isStopped { return false }
    let holdsSnapshot = store.connection.holdsSnapshot
    var hasChanged = store.dataVersion != toldVersion
    if !hasChanged, isCommitLikely, !holdsSnapshot { hasChanged = waitForCommit() }
    isCommitLikely = false
    if !hasChanged { delayFollowUp(holdsSnapshot: holdsSnapshot) }
    return hasChanged
  }

  /// The log is written before the commit is published, which takes microseconds more.
  private func waitForCommit() -> Bool {
    let end = monotonicSeconds() + Self.patience
    var rounds = 0
    while store.dataVersion == toldVersion {
      if monotonicSeconds() >= end { return false }
      if rounds < 20 { sched_yield() } else { pause(seconds: 20e-6) }
      rounds += 1
    }
    return true
  }

  /// Checks at growing intervals for an announced commit. While a cursor is open, others' commits are not visible.
  private func delayFollowUp(holdsSnapshot: Bool) {
    guard let followUp, followUp.time <= monotonicSeconds() else { return }
    let delay = holdsSnapshot ? max(followUp.delay, 0.256) : followUp.delay * 2
    self.followUp = delay > Self.longestDelay ? nil : (monotonicSeconds() + delay, delay)
  }

  /// Keeps hashes of a table's rows, so that `changesByOthers` can report which rows changed although the store keeps
  /// no history. Balance each call with `unfollow`.
  ///
  /// The store reads a large table only after others have written, and cannot report the rows of their first commit;
  /// with `wholly` it reads the table now.
  public func follow(table: String, wholly: Bool = false) {
    let limit = wholly ? FollowedTable.limit : FollowedTable.eagerLimit
    if !isStopped { followed.follow(table, limit: history.isOn ? nil : limit) }
  }

  /// Balances a call of `follow`.
  public func unfollow(table: String) {
    if !isStopped { followed.unfollow(table) }
  }

  /// Records that everything up to a data version has been reported.
  func told(_ version: Int64) { toldVersion = version }
}
