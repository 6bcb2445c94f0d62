import Modeling
import Postgres
import StoreErrors
public import Stores

/// Looking for remote commits.
extension PostgresStore {
  /// The server's present snapshot, or those of all its nodes; empty if it has none that shows all commits.
  func snapshot() throws -> String {
    if profile.has(.transactionNumbers) { return try pool.run("SELECT pg_current_snapshot()::text").text(0, 0) }
    // A failure within an open transaction would end it.
    guard profile.distributesTables, pool.pins == 0, !isInTransactionByHand else { return "" }
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
    if pool.isReading, profile.distributesTables { return }
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
    var rows = RecordedRows(recordedTables, recording.names)
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
    var rows = RecordedRows(recordedTables, recording.names)
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
