internal import CSQLite
package import Modeling
package import StoreErrors

// Transactions, and the data version within and outside of them.
extension Connection {
  /// Gives the file a write-ahead log, and returns the resulting journal mode.
  ///
  /// SQLite does not wait if another process is about to write as well: both hold a shared lock, which SQLite takes for
  /// a deadlock. The other process finishes, so this method retries until the lock timeout ends.
  package func beginLog() throws(StoreError) -> Value? {
    var tries = 0
    while true {
      do throws(StoreError) {
        return try first("PRAGMA journal_mode = WAL")
      } catch {
        guard case .busy = error.fact, wait.again(after: tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Begins to write: waits for the write lock.
  package func beginWriting() throws(StoreError) {
    if beginsLogAtFirstWrite {
      beginsLogAtFirstWrite = false
      // If another process has the file locked, its journal mode stays.
      _ = try? first("PRAGMA journal_mode = WAL")
    }
    try run(.beginWriting)
    dataVersions.begin()
  }

  /// Commits the transaction begun by `beginWriting`.
  package func commit() throws(StoreError) {
    // No other connection can commit before this commit.
    let before = dataVersions.canSeeHead ? LogHead(self) : nil
    let version = try before == nil ? nil : dataVersion()
    try run(.commit)
    dataVersions.end()
    guard let before, let version, isIdle, let now = LogHead(self), now.commits == before.commits &+ 1 else { return }
    dataVersions.note(version, at: now)
  }

  /// The full path of the file that SQLite opened; nil for a database in memory and a closed connection.
  package var fileName: String? {
    guard handle != nil, let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
    return String(cString: name)
  }

  /// Whether a transaction of the connection has written.
  package var isWriting: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }
  /// Whether a transaction of the connection has read or written, so that it does not see commits of others.
  package var holdsSnapshot: Bool { sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }

  /// Runs `body` in a read transaction: all its statements see the same snapshot.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    let head = LogHead(self)
    try run(.beginReading)
    readingBegan = .some(head)
    defer { readingBegan = nil }
    dataVersions.begin()
    do {
      let result = try body()
      dataVersions.end()
      try run(.endReading)
      return result
    } catch {
      dataVersions.end()
      if isInTransaction { _ = try? run("ROLLBACK /* _perilune */") }
      throw error
    }
  }

  /// A number that changes whenever another connection commits (`PRAGMA data_version`).
  ///
  /// Within a transaction it is read once, because commits of others are not visible. Before the first read it is read
  /// only if the head of the log shows a commit by another connection.
  package func dataVersion() throws(StoreError) -> Int64? {
    if dataVersions.isHeld, isInTransaction {
      if let held = dataVersions.held { return held }
      // Before the first read of a transaction, the next call notices commits made in between.
      if dataVersions.canSeeHead, sqlite3_txn_state(handle, "main") == SQLITE_TXN_NONE, let head = LogHead(self),
        let known = dataVersions.version(at: head)
      {
        dataVersions.held = known
      } else {
        dataVersions.held = try number(.dataVersion)
      }
      return dataVersions.held
    }
    guard isIdle else { return try number(.dataVersion) }
    let head = LogHead(self)
    dataVersions.canSeeHead = head != nil
    guard let head else { return try number(.dataVersion) }
    if let known = dataVersions.version(at: head) { return known }
    guard let version = try number(.dataVersion) else { return nil }
    dataVersions.note(version, at: head)
    return version
  }

  /// Whether no statement and no transaction is running: the next read sees the newest state.
  package var isIdle: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_NONE && !isInTransaction }
}

/// The known data version of a connection, so that it is seldom read.
package struct DataVersions {
  /// Whether a transaction is running that does not see commits of others.
  private(set) var isHeld = false
  /// The version in that transaction, once it was read.
  package var held: Int64?
  /// Whether the head of the log could be read at the last look outside of all transactions.
  var canSeeHead = false
  private var last: (head: LogHead, version: Int64)?

  /// Notes that a transaction has begun.
  package mutating func begin() { (isHeld, held) = (true, nil) }

  /// Notes that the transaction has ended.
  package mutating func end() { (isHeld, held) = (false, nil) }

  /// Notes the data version that belongs to this head of the log.
  mutating func note(_ version: Int64, at head: LogHead) { last = (head, version) }

  /// The version that belongs to a head, if it is the last one noted.
  func version(at head: LogHead) -> Int64? {
    guard let last, last.head == head else { return nil }
    return last.version
  }
}

/// The header of a write-ahead log's shared index. It differs after each commit of any connection.
struct LogHead: Equatable {
  package let commits: UInt32
  private let checksum: UInt64

  /// Reads the header; nil if the connection uses no log.
  package init?(_ connection: Connection) {
    var (checksum, commits): (UInt64, UInt32) = (0, 0)
    guard let handle = connection.handle, perilune_log_head(handle, &checksum, &commits) != 0 else { return nil }
    (self.commits, self.checksum) = (commits, checksum)
  }
}
