public import Modeling
import Postgres
import RelationalStorage
import StoreErrors
public import Stores

/// Handwritten SQL, and dry runs.
extension PostgresStore: OpenedStore {
  /// Runs SQL of the user and returns the rows of its last statement; `?` or `$1`, `$2`, … stand for the arguments of that.
  ///
  /// `approve` gets the numbers of rows that statements have changed and deleted, and of those in tables that they empty or drop,
  /// before they are kept. If it throws, the statements are rolled back, and the error is passed on.
  ///
  /// - Throws: StoreError; `.refusedBySandbox` for every text in a store that is confined; what `approve` throws.
  public func sql(_ text: String, _ arguments: [Value], approve: (([StatementEffect]) throws -> Void)?) throws
    -> ValueCursor
  {
    // Functions, operators and rules of the database decide what a statement reaches, and no list here knows them.
    if isConfined { throw StoreError(.refusedBySandbox(.server), path: path) }
    let values = arguments.map { value -> PostgresArgument in
      switch value {
      case .null: return .null
      case .bool(let flag): return .bool(flag)
      case .int(let number): return .int(number)
      case .double(let number): return .double(number)
      case .date(let date): return ColumnForm.instant(date) ?? .null
      case .data(let bytes): return .bytes(bytes)
      case .object(let id): return .int(id.key)
      default: return .untyped(value.displayText)
      }
    }
    let gone = approve == nil || isReadOnly ? [] : try rowsThatGo(text)
    let before = try rowsWrittenInDryRun()
    // Also if it fails: an earlier statement may have written.
    var written = 0
    defer { transactions.noteStatement(writing: written) }
    let result = try run(
      HandwrittenSQL(text, hasArguments: !arguments.isEmpty), values, approve.map { ask in { try ask(gone + $0) } })
    written = result.writtenCount
    if let before, let now = try rowsWrittenInDryRun() { written = max(0, now - before) }
    return ValueCursor(rows: result.rows, columns: result.columns)
  }

  /// The rows of tables that a text would empty and drop, which the server's replies do not count.
  private func rowsThatGo(_ text: String) throws -> [StatementEffect] {
    var gone: [StatementEffect] = []
    for change in SQLChange.changes(of: text) where [.drops, .empties].contains(change.verb) {
      for table in change.tables {
        // An error would end the transaction that may be open.
        let there = try pool.run("SELECT to_regclass(\(.text(table))) IS NOT NULL")
        guard there.bool(0, 0) else { continue }
        let rows = try pool.run("SELECT count(*) FROM \(raw: table)").int(0, 0)
        gone.append(
          StatementEffect(change.verb == .drops ? .drop : .deletion, rows: Int(clamping: rows), of: table))
      }
    }
    return gone
  }

  /// The number of rows that the transaction of a dry run has written to the database's own tables, by any statement or
  /// function. Nil outside of dry runs, and if the server does not count them.
  private func rowsWrittenInDryRun() throws -> Int? {
    guard isDryRun, profile.engine == .postgres, pool.main.transactionStatus == .inTransaction else { return nil }
    let result = try pool.run(
      """
      SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int8 FROM pg_stat_xact_user_tables \
      WHERE relname NOT LIKE '\\_perilune%'
      """)
    return Int(clamping: result.int(0, 0))
  }

  /// The holder of the transaction in which handwritten SQL runs; nil if the SQL may begin and end its own.
  private var transactionHolder: TransactionHolder? {
    isMigrating ? .migration : isDryRun ? .dryRun : transactions.depth > 0 || pool.pins > 0 ? .store : nil
  }

  /// Runs the statements. The record reports what they write; without a record, everything is read again.
  private func run(_ script: HandwrittenSQL, _ values: [PostgresArgument], _ approve: PostgresPool.Approve?) throws
    -> HandwrittenRows
  {
    if isReadOnly { return try reading(script, values) }
    let holder = transactionHolder
    if recording?.isComplete == true, holder == nil, script.writesRows, pool.main.transactionStatus == .idle {
      return try transaction {
        transactions.tellsRecord = true
        return try pool.runByHand(script, values, heldBy: .store, approve: approve)
      }
    }
    transactions.tellsRecord = true
    if holder == .dryRun { try nameWriterOfDryRun() }
    guard holder == nil else { return try pool.runByHand(script, values, heldBy: holder, approve: approve) }
    // The writes of an open transaction are not reported before its end.
    defer { if !isInTransactionByHand { try? lookForOthersBeforeWriting(writer: nil) } }
    return try pool.runByHand(script, values, heldBy: nil, approve: approve, around: following)
  }

  /// Runs statements of a read-only store.
  private func reading(_ script: HandwrittenSQL, _ values: [PostgresArgument]) throws -> HandwrittenRows {
    do {
      return try pool.readByHand(script, values)
    } catch let error as StoreError {
      guard case .server(let refusal) = error.fact, refusal.sqlState == "25006" else { throw error }
      throw readOnlyError
    }
  }

  /// Runs a handwritten statement. A transaction that it begins is one of ours; it is reported when a statement commits it.
  private func following(_ statement: HandwrittenSQL.Statement, _ run: () throws -> Void) throws {
    let controls = statement.controlsTransaction
    if controls { transactions.undoneCount += 1 }
    guard controls, !isReadOnly, let recording, recording.isComplete else { return try run() }
    let commits = ["commit", "end"].contains(statement.firstWord) && isInTransactionByHand
    let number = commits ? try prepareRecord() : nil
    try run()
    if isInTransactionByHand { try nameWriter(in: recording) }
    if let number { tellRecorded(number) }
  }

  /// Calls `told` with the text of each statement and the seconds it took, until the returned object is released.
  public func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace {
    final class Key {}
    let key = Key()
    pool.traces[ObjectIdentifier(key)] = told
    return StatementTrace { [weak pool] in pool?.traces[ObjectIdentifier(key)] = nil }
  }

  /// The number of rows changed since the store was opened.
  public var changeCount: Int64 { transactions.changeCount }

  /// Whether all writes are rolled back at the end.
  public var isDryRun: Bool { transactions.isDryRun }

  /// Begins a transaction around all writes.
  public func beginDryRun() throws {
    if isReadOnly || isDryRun { return }
    // Its ROLLBACK would also revert earlier writes.
    if isInTransactionByHand { throw StoreError(.openTransaction, path: path) }
    try pool.begin()
    pool.pin()
    transactions.isDryRun = true
  }

  /// Begins the transaction at opening, or continues that of a migration.
  func continueRehearsal() throws {
    if pool.pins > 0 { transactions.isDryRun = true } else { try beginDryRun() }
  }

  /// Ends the transaction; commits it if `keeping`.
  public func endDryRun(keeping: Bool) throws {
    guard isDryRun else { return }
    // If a statement or the connection has failed, a COMMIT would keep nothing and report no error.
    if keeping { _ = try pool.run("SELECT 1") }
    let number = keeping ? try completeDryRun() : nil
    transactions.isDryRun = false
    transactions.undoneCount += 1
    pool.unpin()
    _ = try pool.run(keeping ? "COMMIT" : "ROLLBACK")
    if let number { tellRecorded(number) }
  }

  /// Computes what is derived from handwritten SQL, before a dry run is kept; returns the number of its transaction if that is
  /// recorded.
  private func completeDryRun() throws -> String? {
    transactions.begin()
    transactions.tellsRecord = true
    try logRecorded()
    try derived?.refresh(transactions.log, self)
    try flush()
    return try prepareRecord()
  }
}
