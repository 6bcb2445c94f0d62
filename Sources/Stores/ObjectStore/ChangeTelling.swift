public import Modeling

/// Reports the commits of a store: those made here, those of others, and those in its history.
public protocol ChangeTelling: ObjectStoreBasics {
  /// Calls `body` after each commit made here, in the order of the commits, until the subscription is cancelled;
  /// returns nil if the store is read-only.
  ///
  /// The commit does not include rows that the transaction left as they were. The store does the work of `touched` only
  /// when `body` asks for it.
  func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription?

  /// Returns the rows that others have touched since the last call; nil for none. Several of their transactions may be
  /// merged into one.
  ///
  /// The call never waits: within a transaction of its own, and while another writer holds the lock, the store reports
  /// later. It reports changes from the first call on. Without changes it takes a few microseconds.
  ///
  /// - Throws: StoreError.
  func changesByOthers() throws -> TouchedRows?

  /// Whether reads see the writes of an open transaction of this store, which may be rolled back. Each round of live
  /// results that reads asks it, so it must not take more than some nanoseconds.
  var showsUncommittedRows: Bool { get }

  /// Returns the rows that the open transaction has changed so far, against those before it; nil where it cannot be read any more.
  /// Rows that it has changed and changed back are not among them. Live results ask for it while they show uncommitted rows.
  ///
  /// O(changed rows). By default it is unknown which rows these are.
  ///
  /// - Throws: StoreError.
  func rowsTouchedByOpenTransaction() throws -> TouchedRows?

  /// The watch on other writers, for an event loop; nil if there can be none, and after the store was closed. Each
  /// access returns the same watch.
  var commitWatch: (any CommitWatch)? { get }

  /// How the store learns of remote commits to some tables, by their names in lower case; nil if it is the same for all
  /// tables. For display to users.
  func changeSource(of tables: Set<String>) -> ChangeSource?

  // MARK: History

  /// The position after the last recorded change of the history. One round trip.
  ///
  /// - Throws: StoreError, `.noHistory` or `.historyUnsupported` without one.
  var currentHistoryToken: HistoryToken { get throws }

  /// Returns the transactions that a request selects, oldest first.
  ///
  /// - Throws: StoreError; `.historyExpired` if changes after the token are missing, `.unknownHistoryToken` for a token
  ///   that the store never returned.
  func history(_ request: HistoryRequest) throws -> [HistoryTransaction]
}

extension ChangeTelling {
  /// All rows may have been.
  public func rowsTouchedByOpenTransaction() throws -> TouchedRows? { .unknown }

  /// Nothing to show: all tables are alike.
  public func changeSource(of tables: Set<String>) -> ChangeSource? { nil }
}

/// A commit made by this store.
public struct OwnCommit {
  /// The author of the transaction, if it named one.
  public let author: String?
  private let read: () -> TouchedRows
  private let replaced: (Entity) -> ReplacedValues

  /// Describes a commit; `read` finds the rows that it touched, `replaced` the former values of a root entity's and its
  /// subentities' rows.
  public init(
    author: String?, touched read: @escaping () -> TouchedRows, replaced: @escaping (Entity) -> ReplacedValues
  ) {
    self.author = author
    self.read = read
    self.replaced = replaced
  }

  /// The rows that the commit touched. Read it once, while the observers of the commit are called.
  public var touched: TouchedRows {
    var touched = read()
    touched.author = author
    return touched
  }

  /// The former column values of updated rows of `root` and its subentities. They are read when the result is called.
  public func replacedValues(of root: Entity) -> ReplacedValues { replaced(root) }
}

/// Reads the column values of updated rows before and after a commit, in their stored form: by key, and by the column's
/// name in lower case.
public typealias ReplacedValues = @Sendable () -> [Int64: [String: (old: Value, new: Value)]]

/// Reports that other connections may have committed to a store, without reading their changes.
///
///     while poll(&entry, 1, watch.pollInterval) >= 0 {      // entry.fd = watch.descriptor
///       watch.drain()
///       if watch.check(), let rows = try store.changesByOthers() { tell(rows) }
///     }
public protocol CommitWatch: AnyObject {
  /// A descriptor that becomes readable when a check may be needed; nil if the watch only polls.
  var descriptor: Int32? { get }

  /// The seconds until the next check if the descriptor does not become readable; nil for never.
  var pollInterval: Double? { get }

  /// Reads all events, so that `descriptor` is no longer readable.
  func drain()

  /// Whether others have committed changes that `changesByOthers` has not returned. Takes a millisecond at most.
  func check() -> Bool

  /// Whether others may now write to another store than this one reads: its file was replaced, or its server.
  var mayBeReplaced: Bool { get }

  /// Follows the rows of a table, so that `changesByOthers` can report which rows others wrote even if the store keeps
  /// no record of them. Balance each call with `unfollow`.
  ///
  /// If this requires reading the table first, the store may wait until others have written, and then it cannot report
  /// the rows of their first commit; with `wholly` it reads the table now.
  func follow(table: String, wholly: Bool)

  /// Balances a call of `follow`.
  func unfollow(table: String)
}
