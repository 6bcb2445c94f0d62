import Modeling
import Postgres
import Records
public import Storage
import StoreErrors

/// What is known of the commits of others.
///
/// Where the database records what is written, the record says which rows they touched. Two snapshots say which transactions
/// ended between them; the order in which these began does not matter. Elsewhere every change of the snapshot counts as a commit
/// of others to any row, also one of another database of the server; a commit of ours takes one number, and is told from that.
/// Citus has a snapshot for each node, which are compared together. Another server whose transactions have no numbers says nothing:
/// others are taken to have written a quarter of a second later. On both they are before every transaction of ours.
///
/// Invariant: what a committed transaction has recorded is in just one look. A look has seen it if the snapshot did, that is if
/// the number is below `seen.next` and not one of those that ran, or is one of `told`. The statement of a look reads both the
/// snapshot and the record at one moment, and asks for what the last one has not seen. The looks of all callers
/// count; what a look has found is kept until a caller takes it.
final class ForeignCommits {
  /// How many recorded changes are read one by one; more are read again.
  static let mostChanges = 100_000
  /// How long a record is sure to be kept, in seconds.
  private static let patience = Double(RecordingBooks.minutesKept) * 30

  /// The snapshot that was seen last, and when.
  private(set) var seen = ServerSnapshot()
  private var seenTime = 0.0
  /// The transactions of the record that were seen although the snapshot leaves open whether they had ended: one of a server that
  /// follows another does not say which of those since `seen.first` still run.
  private(set) var told: [UInt64]?
  /// When the server that was seen last was started.
  private var start: String?

  /// The number from which on transactions were not seen, but for those that were told.
  var next: UInt64 { told == nil ? seen.next : seen.first }
  /// What was not told yet.
  private var untold: TouchedRows?
  /// Changes whenever others have, or may have, committed.
  private(set) var version: Int64 = 0

  var isUntold: Bool { untold != nil }

  /// Begins behind a snapshot, of a server that follows another or not.
  func begin(_ snapshot: String, isReplica: Bool) {
    see(ServerSnapshot(snapshot))
    told = isReplica ? [] : nil
  }

  private func see(_ snapshot: ServerSnapshot) { (seen, seenTime) = (snapshot, monotonicSeconds()) }

  /// Assumes that others have written, on a server that does not say.
  func assume() {
    seenTime = monotonicSeconds()
    add(nil)
  }

  /// Whether it is time to look again, or to assume, where each look costs much or finds nothing.
  var isDue: Bool { monotonicSeconds() - seenTime >= PostgresWatch.interval }

  /// Takes note of a snapshot where nothing says what was written.
  func look(_ snapshot: String) {
    guard snapshot != seen.text else {
      seenTime = monotonicSeconds()
      return
    }
    see(ServerSnapshot(snapshot))
    add(nil)
  }

  /// What one look has found.
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

  /// Takes note of a snapshot, and of the rows that others have touched since the last one.
  func look(_ look: Look) {
    // Where nothing was committed nothing of the record can be gone.
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

  /// Takes note of the snapshot behind a commit of ours, which changes nothing else where the numbers follow on.
  func committed(_ snapshot: String) {
    let isAlone = snapshot == seen.text || snapshot == seen.following
    see(ServerSnapshot(snapshot))
    if !isAlone { add(nil) }
  }

  /// Skips what a commit of ours recorded, if no one else has written meanwhile.
  func skip(_ snapshot: String) {
    if snapshot == seen.following { see(ServerSnapshot(snapshot)) }
  }

  /// What was not told yet; it counts as told from now on.
  func take() -> TouchedRows? {
    defer { untold = nil }
    return untold
  }
}

extension PostgresStore {
  /// The server's snapshot of now, or those of all its nodes; empty where it has none that tells of all commits.
  func snapshot() throws -> String {
    if profile.has(.transactionNumbers) { return try pool.run("SELECT pg_current_snapshot()::text").text(0, 0) }
    // What fails in an open transaction would end that.
    guard profile.engine == .citus, pool.pins == 0, !isInTransactionByHand else { return "" }
    let result = try? pool.run(
      """
      SELECT string_agg(nodeid::text || ' ' || result, ',' ORDER BY nodeid) \
      FROM run_command_on_all_nodes('SELECT pg_current_snapshot()') \
      HAVING bool_and(success) AND EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0)
      """)
    return result.flatMap { $0.rowCount > 0 && !$0.isNull(0, 0) ? $0.text(0, 0) : nil } ?? ""
  }

  /// Looks at what others have committed before a transaction of ours begins to write; `writer` tells the triggers who does.
  func lookForOthersBeforeWriting(writer: PostgresArgument?) throws {
    // Such a server does not say whether others have written: a save reads the rows again that it compares.
    if profile.has(.transactionNumbers) { try lookForOthers(writer: writer) } else { foreign.assume() }
  }

  /// Looks at what others have committed since the last look, in one round trip.
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
      AND t.store IS DISTINCT FROM \(.text(recording.store)) ORDER BY c.id LIMIT \(.int(Int64(ForeignCommits.mostChanges + 1))) \
      ) AS c ON true
      """)
    let snapshot = ServerSnapshot(result.text(0, 0))
    let cut: String? = result.isNull(0, 1) ? nil : result.text(0, 1)
    let isKnown = recording.cut == cut && result.rowCount <= ForeignCommits.mostChanges
    recording.cut = cut
    guard recording.isComplete else {
      // Any transaction that ended may have written what is not recorded.
      return foreign.look(snapshot.text)
    }
    var look = ForeignCommits.Look(snapshot: snapshot, start: result.text(0, 3))
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

  /// What a transaction of ours has recorded.
  func recorded(_ transaction: String, _ recording: PostgresRecording) throws -> TouchedRows? {
    let result = try pool.run(
      """
      SELECT \(raw: RecordedRows.columns) FROM \(raw: recording.books.change) AS c \
      WHERE c.tx = \(.untyped(transaction))::xid8 ORDER BY c.id LIMIT \(.int(Int64(ForeignCommits.mostChanges + 1)))
      """)
    if result.rowCount > ForeignCommits.mostChanges { return nil }
    var rows = RecordedRows(self, recording.names)
    for row in 0..<result.rowCount { rows.add(result, row, from: 0) }
    return rows.touched
  }

  /// The moment that the store is in, as far as it was told.
  public var stamp: StoreStamp {
    StoreStamp(
      dataVersion: foreign.version, changeCount: transactions.writeCount, undoneCount: transactions.undoneCount)
  }

  /// What others committed since the last call.
  public func changesByOthers() throws -> TouchedRows? {
    if transactions.depth > 0 || pool.pins > 0 && !pool.isReading { return nil }
    // Nothing can be read before its end.
    if pool.main.transactionStatus == .inError { return nil }
    try lookForOthers()
    return foreign.take()
  }

  /// Whether a transaction is open here, of the store's own or of SQL by hand; a snapshot only reads.
  public var showsUncommittedRows: Bool {
    transactions.depth > 0 || !pool.isReading && [.inTransaction, .inError].contains(pool.main.transactionStatus)
  }

  /// What the record says of the open transaction.
  public func rowsTouchedByOpenTransaction() throws -> TouchedRows? {
    if pool.main.transactionStatus == .inError { return nil }
    guard let recording, recording.isComplete else { return .unknown }
    let result = try pool.run("SELECT pg_current_xact_id_if_assigned()::text")
    return try result.isNull(0, 0) ? TouchedRows() : recorded(result.text(0, 0), recording) ?? .unknown
  }

  /// Notices commits of others by notifications, or by asking the server.
  public var commitWatch: (any CommitWatch)? { pool.isClosed ? nil : watch }

  /// What tells of others' commits to some tables.
  public func changeSource(of tables: Set<String>) -> ChangeSource? {
    guard let recording, recording.isComplete, tables.isSubset(of: recording.tableNames) else {
      return .polling(seconds: PostgresWatch.interval)
    }
    return watch.isListening ? .historyAndNotifications : .historyAndPolling(seconds: PostgresWatch.interval)
  }
}
