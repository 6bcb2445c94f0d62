internal import CSQLite
package import Modeling
package import StoreErrors

// Transactions that this class begins and ends, and the data version as they see it.
extension Connection {
  /// Gives the file a write-ahead log, and returns the journal mode that it has then.
  ///
  /// SQLite does not wait where another process is about to write as well: both hold the lock for reading, and it takes that
  /// for a deadlock. The other one ends, so this asks again for as long as a lock is waited for.
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

  /// Begins to write: waits for the lock that only one connection has.
  package func beginWriting() throws(StoreError) {
    if beginsLogAtFirstWrite {
      beginsLogAtFirstWrite = false
      // Where somebody else is in the way the file stays as it is.
      _ = try? first("PRAGMA journal_mode = WAL")
    }
    try run(.beginWriting)
    dataVersions.begin()
  }

  /// Commits what was begun by `beginWriting`.
  package func commit() throws(StoreError) {
    // Nobody else commits before this does.
    let before = dataVersions.canSeeHead ? LogHead(self) : nil
    let version = try before == nil ? nil : dataVersion()
    try run(.commit)
    dataVersions.end()
    guard let before, let version, isIdle, let now = LogHead(self), now.commits == before.commits &+ 1 else { return }
    dataVersions.note(version, at: now)
  }

  /// The file as SQLite opened it, with its whole path; nil for a database in memory, and once closed.
  package var fileName: String? {
    guard handle != nil, let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
    return String(cString: name)
  }

  /// Whether a transaction of the connection has written.
  package var isWriting: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }
  /// Whether a transaction of the connection has read or written, so that commits of others stay out of its sight.
  package var holdsSnapshot: Bool { sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }

  /// Runs `body`, whose statements all see the same state of the file.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    try run(.beginReading)
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

  /// Changes whenever another connection commits (`PRAGMA data_version`).
  ///
  /// In a transaction of ours it is asked for once, as others cannot be seen. Before anything was read it is asked for only
  /// where the head of the log tells that somebody has committed.
  package func dataVersion() throws(StoreError) -> Int64? {
    if dataVersions.isHeld, isInTransaction {
      if let held = dataVersions.held { return held }
      // As long as nothing was read, whoever commits meanwhile is noticed the next time.
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

  /// Whether no statement is under way and no transaction: what is read next is the newest state.
  private var isIdle: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_NONE && !isInTransaction }
}

/// What is known of a connection's data version, so that it is seldom asked for.
package struct DataVersions {
  /// Whether a transaction is under way in which others cannot be seen.
  private(set) var isHeld = false
  /// The version in that transaction, once somebody asked.
  package var held: Int64?
  /// Whether there was a head to be seen when last looked for outside of all transactions.
  var canSeeHead = false
  private var last: (head: LogHead, version: Int64)?

  /// A transaction has begun.
  package mutating func begin() { (isHeld, held) = (true, nil) }

  /// It ends.
  package mutating func end() { (isHeld, held) = (false, nil) }

  /// Nobody had committed more than `version` stands for when the log had this head.
  mutating func note(_ version: Int64, at head: LogHead) { last = (head, version) }

  /// The version that the head stands for, if it is the one seen last.
  func version(at head: LogHead) -> Int64? {
    guard let last, last.head == head else { return nil }
    return last.version
  }
}

/// The head of a write-ahead log's shared index: another one after each commit, whoever made it.
struct LogHead: Equatable {
  package let commits: UInt32
  private let checksum: UInt64

  /// Looks at it; nil where the connection reads no log.
  package init?(_ connection: Connection) {
    var (checksum, commits): (UInt64, UInt32) = (0, 0)
    guard let handle = connection.handle, perilune_log_head(handle, &checksum, &commits) != 0 else { return nil }
    (self.commits, self.checksum) = (commits, checksum)
  }
}
