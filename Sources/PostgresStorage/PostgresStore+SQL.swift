public import Modeling
import Postgres
public import Storage
import StoreErrors

/// SQL by hand, and trying things out.
extension PostgresStore: OpenedStore {
  /// Runs SQL of the user's, `?` or `$1`, `$2`, … for the arguments of the last statement, and answers its rows.
  ///
  /// - Throws: StoreError; `.refusedBySandbox` for every text in a store that is confined.
  public func sql(_ text: String, _ arguments: [Value]) throws -> ValueCursor {
    try sql(text, arguments, approve: nil)
  }

  /// Runs SQL of the user's as `sql(_:_:)` does. `approve` is asked about the rows that statements have changed and deleted, before
  /// that is kept: what it throws takes that back, and is thrown.
  ///
  /// - Throws: StoreError; what `approve` throws.
  public func sql(_ text: String, _ arguments: [Value], approve: (([StatementEffect]) throws -> Void)?) throws
    -> ValueCursor
  {
    // Whom a statement reaches is up to functions, operators and rules of the database, which no list here knows.
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
    let before = try rowsWrittenInDryRun()
    // Also where it fails: a statement before it may have written.
    var written = 0
    defer { transactions.noteStatement(writing: written) }
    let result = try run(HandwrittenSQL(text, hasArguments: !arguments.isEmpty), values, approve)
    written = result.writtenCount
    if let before, let now = try rowsWrittenInDryRun() { written = max(0, now - before) }
    return ValueCursor(rows: result.rows, columns: result.columns)
  }

  /// How many rows of the database's own tables the transaction of a dry run has written, whichever statement or function did;
  /// nil where the server does not say, and outside of dry runs.
  private func rowsWrittenInDryRun() throws -> Int? {
    guard isDryRun, profile.engine == .postgres, pool.main.transactionStatus == .inTransaction else { return nil }
    let result = try pool.run(
      """
      SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int8 FROM pg_stat_xact_user_tables \
      WHERE relname NOT LIKE '\\_perilune%'
      """)
    return Int(clamping: result.int(0, 0))
  }

  /// What holds the transaction in which SQL by hand runs; nil where it may begin and end its own.
  private var transactionHolder: TransactionHolder? {
    isMigrating ? .migration : isDryRun ? .dryRun : transactions.depth > 0 || pool.pins > 0 ? .store : nil
  }

  /// Runs the statements; what they write is told by the record, or else everything is read again.
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
    guard holder == nil else { return try pool.runByHand(script, values, heldBy: holder, approve: approve) }
    // What a transaction that goes on has written is not told before its end.
    defer { if !isInTransactionByHand { try? lookForOthersBeforeWriting(writer: nil) } }
    return try pool.runByHand(script, values, heldBy: nil, approve: approve, around: following)
  }

  /// Runs statements of a store that is only read.
  private func reading(_ script: HandwrittenSQL, _ values: [PostgresArgument]) throws -> HandwrittenRows {
    do {
      return try pool.readByHand(script, values)
    } catch let error as StoreError {
      guard case .server(let refusal) = error.fact, refusal.sqlState == "25006" else { throw error }
      throw readOnlyError
    }
  }

  /// Runs a statement by hand. A transaction that it begins is one of ours; it is told when a statement commits it.
  private func following(_ statement: HandwrittenSQL.Statement, _ run: () throws -> Void) throws {
    let controls = statement.controlsTransaction
    if controls { transactions.undoneCount += 1 }
    guard controls, !isReadOnly, let recording, recording.isComplete else { return try run() }
    let commits = ["commit", "end"].contains(statement.firstWord) && isInTransactionByHand
    let number = commits ? try prepareRecord() : nil
    try run()
    if isInTransactionByHand {
      let writer = recording.writer(transactions.info, reversing: nil, isMaking: isBeingMade)
      _ = try pool.run("SELECT set_config(\(.text(RecordingBooks.writerSetting)), \(writer), true)")
    }
    if let number { tellRecorded(number) }
  }

  /// Calls `told` with the text of each statement and the seconds it took, as long as what is returned lives.
  public func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace {
    final class Key {}
    let key = Key()
    pool.traces[ObjectIdentifier(key)] = told
    return StatementTrace { [weak pool] in pool?.traces[ObjectIdentifier(key)] = nil }
  }

  /// How many rows were changed since the store was opened.
  public var changeCount: Int64 { transactions.changeCount }

  /// Whether what is written is taken back at the end.
  public var isDryRun: Bool { transactions.isDryRun }

  /// Begins a transaction around everything that is written.
  public func beginDryRun() throws {
    if isReadOnly || isDryRun { return }
    // Its ROLLBACK would take back what was written before.
    if isInTransactionByHand { throw StoreError(.openTransaction, path: path) }
    try pool.begin()
    pool.pin()
    transactions.isDryRun = true
  }

  /// Begins one at opening, or goes on in that of a migration.
  func continueRehearsal() throws {
    if pool.pins > 0 { transactions.isDryRun = true } else { try beginDryRun() }
  }

  /// Ends it; commits what was written if `keeping`.
  public func endDryRun(keeping: Bool) throws {
    guard isDryRun else { return }
    // Where a statement has failed, or the connection, a COMMIT would keep nothing without a word.
    if keeping { _ = try pool.run("SELECT 1") }
    transactions.isDryRun = false
    transactions.undoneCount += 1
    pool.unpin()
    _ = try pool.run(keeping ? "COMMIT" : "ROLLBACK")
  }
}
