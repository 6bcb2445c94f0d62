public import Modeling

/// Tells what was committed to a store, here and by others, at once and from its history.
public protocol ChangeTelling: ObjectStoreBasics {
  /// Has `body` called after each commit made here, in the order of the commits, until the subscription is cancelled; nil where
  /// nothing can be written.
  ///
  /// Rows that come out of a transaction as they went into it are not told. The store does what the commit's `touched` costs only
  /// when it is asked for.
  func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription?

  /// What others committed since the last call; nil for nothing. Several of their transactions may be merged into one.
  ///
  /// It never waits: within a transaction of its own, and while another writer is in the way, the store reports later. Changes are
  /// reported from the first call on. Some microseconds where there is nothing.
  ///
  /// - Throws: StoreError.
  func changesByOthers() throws -> TouchedRows?

  /// Notices when others commit, for a loop that waits; nil where there are no others, and after the store was closed. The same
  /// each time.
  var commitWatch: (any CommitWatch)? { get }

  // MARK: History

  /// The place behind everything that the history has recorded so far. One round trip.
  ///
  /// - Throws: StoreError, `.noHistory` or `.historyUnsupported` without one.
  var currentHistoryToken: HistoryToken { get throws }

  /// The transactions that a request asks for, the oldest first.
  ///
  /// - Throws: StoreError; `.historyExpired` for a token behind which changes are missing, `.unknownHistoryToken` for one that
  ///   the store never gave.
  func history(_ request: HistoryRequest) throws -> [HistoryTransaction]
}

/// A commit made by the store that tells of it.
public struct OwnCommit {
  /// Who made it, as far as that was said.
  public let author: String?
  private let read: () -> TouchedRows
  private let replaced: (Entity) -> ReplacedValues

  /// Describes a commit; `read` works out which rows it touched, `replaced` what rows of a root entity and its subentities held.
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

  /// What the columns of updated rows of `root` and its subentities held before. Asking costs nothing until the answer is
  /// called.
  public func replacedValues(of root: Entity) -> ReplacedValues { replaced(root) }
}

/// Works out what the columns of updated rows held before a commit and after it, as they are stored: by key, and by the
/// column's name in lower case.
public typealias ReplacedValues = @Sendable () -> [Int64: [String: (old: Value, new: Value)]]

/// Notices that others may have committed to a store, without saying what.
///
///     while poll(&entry, 1, watch.pollInterval) >= 0 {      // entry.fd = watch.descriptor
///       watch.drain()
///       if watch.check(), let rows = try store.changesByOthers() { tell(rows) }
///     }
public protocol CommitWatch: AnyObject {
  /// Becomes readable when there may be something to look for; nil where only the time tells.
  var descriptor: Int32? { get }

  /// In how many seconds to look although the descriptor is not readable; nil for never.
  var pollInterval: Double? { get }

  /// Takes note of everything that made `descriptor` readable.
  func drain()

  /// Whether others have committed anything that `changesByOthers` has not told. A millisecond at most.
  func check() -> Bool

  /// Whether what others write may no longer be what this store reads: its file was replaced, its server is another.
  var mayBeReplaced: Bool { get }

  /// Follows the rows of a table, so that `changesByOthers` can name those that others wrote, where the store does not know them
  /// anyway. Balance each call with `unfollow`.
  ///
  /// Where that costs reading the table first, the store may wait until others have written, and cannot tell the rows of their
  /// first commit; `wholly` has it begin now.
  func follow(table: String, wholly: Bool)

  /// Ends what `follow` began.
  func unfollow(table: String)
}
