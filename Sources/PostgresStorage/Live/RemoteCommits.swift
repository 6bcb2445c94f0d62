import Modeling
import Postgres
import StoreErrors
public import Stores

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

extension PostgresStore {
  /// The server's present snapshot, or those of all its nodes; empty if it has none that shows all commits.
  func snapshot() throws -> String {
    if profile.has(.transactionNumbers) { return try pool.run("SELECT pg_current_snapshot()::text").text(0, 0) }
    // A failure within an open transaction would end it.
    guard profile.engine == .citus, pool.pins == 0, !isInTransactionByHand else { return "" }
    let result = try? pool.run(
      """
      SELECT string_agg(groupid || ' ' || result, ',' ORDER BY groupid) \
      FROM run_command_on_all_nodes('SELECT pg_current_snapshot()') JOIN pg_dist_node USING (nodeid) \
      HAVING bool_and(success) AND EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0)
      """)
    return result.flatMap { $0.rowCount > 0 && !$0.isNull(0, 0) ? $0.text(0, 0) : nil } ?? ""
  }

  /// Looks for remote commits before a transaction of ours begins to write; `writer` tells the triggers the author.
  func lookForOthersBeforeWriting(writer: PostgresArgument?) throws {
    // Such a server does not report remote commits, so a save reads the rows again that it compares.
    if profile.has(.transactionNumbers) { return try lookForOthers(writer: writer) }
    if nodeRecord == nil { foreign.assume() } else { foreign.distrust() }
  }

  /// Looks for remote commits since the last look, in one round trip.
  func lookForOthers(writer: PostgresArgument? = nil) throws {
    guard profile.has(.transactionNumbers) else { return try lookNowAndThen() }
    guard let recording else { return foreign.look(try snapshot()) }
    let setting: PostgresSQL =
      writer.map { "set_config(\(.text(RecordingBooks.writerSetting)), \($0), true)" } ?? "NULL"
    let result = try pool.run(
      """
      SELECT pg_current_snapshot()::text, (SELECT value FROM \(raw: recording.books.history) WHERE key = 'cut'), \(setting), \
      extract(epoch FROM pg_postmaster_start_time())::text, pg_is_in_recovery(), \
      c.id, c.tx, c.author, \(raw: RecordedRows.columns) FROM (SELECT 1) AS one LEFT JOIN ( \
      SELECT c.id, c.tx::text AS tx, t.author, \(raw: RecordedRows.columns) FROM \(raw: recording.books.change) AS c \
      JOIN \(raw: recording.books.transaction) AS t ON t.tx = c.tx \
      WHERE (c.tx >= \(.untyped("\(foreign.next)"))::xid8 AND c.tx <> ALL(\(Self.list(foreign.told ?? []))::xid8[]) \
      OR c.tx = ANY(\(Self.list(foreign.seen.running))::xid8[])) \
      AND t.store IS DISTINCT FROM \(.text(recording.store)) ORDER BY c.id LIMIT \(.int(Int64(RemoteCommits.mostChanges + 1))) \
      ) AS c ON true
      """)
    let snapshot = ServerSnapshot(result.text(0, 0))
    let cut: String? = result.isNull(0, 1) ? nil : result.text(0, 1)
    let isKnown = recording.cut == cut && result.rowCount <= RemoteCommits.mostChanges
    recording.cut = cut
    guard recording.isComplete else {
      // Any transaction that ended may have written rows that are not recorded.
      return foreign.look(snapshot.text)
    }
    var look = RemoteCommits.Look(snapshot: snapshot, start: result.text(0, 3))
    if isKnown { look.rows = touched(result, recording) }
    if result.bool(0, 4) {
      look.transactions = Set(
        (0..<result.rowCount).compactMap { result.isNull($0, 5) ? nil : UInt64(result.text($0, 6)) })
    }
    foreign.look(look)
  }

  /// The same on a server without numbers of transactions.
  private func lookNowAndThen() throws {
    guard foreign.isDue else { return }
    // Nodes are not asked within a snapshot; the next look finds the same.
    if pool.isReading, profile.engine == .citus { return }
    if let nodeRecord, pool.pins == 0, !isInTransactionByHand, let look = nodeRecord.look() {
      guard let rows = nodeRecord.touched(look) else { return foreign.look(look.snapshot) }
      return foreign.look(look.snapshot, rows)
    }
    let snapshot = try snapshot()
    if snapshot.isEmpty { foreign.assume() } else { foreign.look(snapshot) }
  }

  /// Numbers of transactions as the text of an array.
  private static func list(_ numbers: [UInt64]) -> PostgresSQL {
    PostgresSQL(.untyped("{\(numbers.map(String.init).joined(separator: ","))}"))
  }

  /// The rows of changes that a look has found.
  private func touched(_ result: PostgresResult, _ recording: PostgresRecording) -> TouchedRows {
    var rows = RecordedRows(self, recording.names)
    var authors: Set<String?> = []
    for row in 0..<result.rowCount where !result.isNull(row, 5) {
      authors.insert(result.isNull(row, 7) ? nil : result.text(row, 7))
      rows.add(result, row, from: 8)
    }
    var touched = rows.touched
    if authors.count == 1 { touched.author = authors.first ?? nil }
    return touched
  }

  /// The record of a transaction of ours.
  func recorded(_ transaction: String, _ recording: PostgresRecording) throws -> TouchedRows? {
    let result = try pool.run(
      """
      SELECT \(raw: RecordedRows.columns) FROM \(raw: recording.books.change) AS c \
      WHERE c.tx = \(.untyped(transaction))::xid8 ORDER BY c.id LIMIT \(.int(Int64(RemoteCommits.mostChanges + 1)))
      """)
    if result.rowCount > RemoteCommits.mostChanges { return nil }
    var rows = RecordedRows(self, recording.names)
    for row in 0..<result.rowCount { rows.add(result, row, from: 0) }
    return rows.touched
  }

  /// The moment whose data the store shows.
  public var stamp: StoreStamp {
    StoreStamp(
      dataVersion: foreign.version, changeCount: transactions.writeCount, undoneCount: transactions.undoneCount)
  }

  /// The rows of remote commits since the last call.
  public func changesByOthers() throws -> TouchedRows? {
    if transactions.depth > 0 || pool.pins > 0 && !pool.isReading { return nil }
    // Nothing can be read before its end.
    if pool.main.transactionStatus == .inError { return nil }
    try lookForOthers()
    return foreign.take()
  }

  /// Whether a transaction is open here, by the store or by handwritten SQL. A snapshot does not count, because it only
  /// reads.
  public var showsUncommittedRows: Bool {
    transactions.depth > 0 || !pool.isReading && [.inTransaction, .inError].contains(pool.main.transactionStatus)
  }

  /// The record of the open transaction.
  public func rowsTouchedByOpenTransaction() throws -> TouchedRows? {
    if pool.main.transactionStatus == .inError { return nil }
    guard let recording, recording.isComplete else { return .unknown }
    let result = try pool.run("SELECT pg_current_xact_id_if_assigned()::text")
    return try result.isNull(0, 0) ? TouchedRows() : recorded(result.text(0, 0), recording) ?? .unknown
  }

  /// Notices remote commits by notifications, or by asking the server.
  public var commitWatch: (any CommitWatch)? { pool.isClosed ? nil : watch }

  /// How the store learns of remote commits to some tables.
  public func changeSource(of tables: Set<String>) -> ChangeSource? {
    if nodeRecord?.isComplete == true { return .historyAndPolling(seconds: PostgresWatch.interval) }
    guard let recording, recording.isComplete, tables.isSubset(of: recording.tableNames) else {
      return .polling(seconds: PostgresWatch.interval)
    }
    return watch.isListening ? .historyAndNotifications : .historyAndPolling(seconds: PostgresWatch.interval)
  }
}
