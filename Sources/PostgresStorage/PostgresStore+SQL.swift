public import Modeling
import Postgres
public import Storage
import StoreErrors

/// SQL by hand, and trying things out.
extension PostgresStore: OpenedStore {
  /// Runs SQL of the user's, `?` or `$1`, `$2`, … for the arguments of the last statement, and answers its rows.
  public func sql(_ text: String, _ arguments: [Value]) throws -> ValueCursor {
    transactions.writeCount += 1
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
    let script = HandwrittenSQL(text, hasArguments: !arguments.isEmpty)
    guard let result = try run(script, values) else { return ValueCursor(rows: [], columns: []) }
    let names = (0..<result.columnCount).map(result.name)
    let rows = (0..<result.rowCount).map { row in
      (0..<result.columnCount).map { column -> Value in result.field(row, column).map(Value.init(field:)) ?? .null }
    }
    return ValueCursor(rows: rows, columns: names)
  }

  /// Runs the statements; what they write is told by the record, or else everything is read again.
  private func run(_ script: HandwrittenSQL, _ values: [PostgresArgument]) throws -> PostgresResult? {
    let isAlone = transactions.depth == 0 && pool.pins == 0
    if recording?.isComplete == true, isAlone, !isReadOnly, script.writesRows, pool.main.transactionStatus == .idle {
      return try transaction {
        transactions.tellsRecord = true
        return try pool.runByHand(script, values, isReadOnly: false)
      }
    }
    transactions.tellsRecord = true
    guard isAlone else { return try pool.runByHand(script, values, isReadOnly: isReadOnly) }
    // What a transaction that goes on has written is not told before its end.
    defer { if !isInTransactionByHand { try? lookForOthersBeforeWriting(writer: nil) } }
    return try pool.runByHand(script, values, isReadOnly: isReadOnly, around: following)
  }

  /// Runs a statement by hand. A transaction that it begins is one of ours; it is told when a statement commits it.
  private func following(_ statement: String, _ run: () throws -> PostgresResult) throws -> PostgresResult {
    let word = HandwrittenSQL.firstWord(of: statement)
    let controls = HandwrittenSQL.controls(word)
    if controls { transactions.undoneCount += 1 }
    guard controls, !isReadOnly, let recording, recording.isComplete else { return try run() }
    let commits = ["commit", "end"].contains(word) && isInTransactionByHand
    let number = commits ? try prepareRecord() : nil
    let result = try run()
    if isInTransactionByHand {
      let writer = recording.writer(transactions.info, reversing: nil)
      _ = try pool.run("SELECT set_config(\(.text(RecordingBooks.writerSetting)), \(writer), true)")
    }
    if let number { tellRecorded(number) }
    return result
  }

  /// How many rows were changed since the store was opened.
  public var changeCount: Int64 { transactions.writeCount }

  /// Whether what is written is taken back at the end.
  public var isDryRun: Bool { transactions.isDryRun }

  /// Begins a transaction around everything that is written.
  public func beginDryRun() throws {
    if isReadOnly || isDryRun { return }
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
    transactions.isDryRun = false
    transactions.undoneCount += 1
    pool.unpin()
    _ = try pool.run(keeping ? "COMMIT" : "ROLLBACK")
  }
}

extension PostgresPool {
  /// Whether a statement that creates something creates a database, which no transaction may.
  private func isOfDatabase(_ statement: String) -> Bool {
    statement.lowercased().split(separator: /\s+/).prefix(2).last == "database"
  }

  /// Runs the statements of a text, each by `around`; the result is that of the last. Several are one transaction, unless they
  /// begin their own.
  func runByHand(
    _ script: HandwrittenSQL, _ arguments: [PostgresArgument], isReadOnly: Bool,
    around: (String, () throws -> PostgresResult) throws -> PostgresResult = { try $1() }
  ) throws -> PostgresResult? {
    try reconnectIfLost()
    try willRun()
    guard let last = script.statements.last else { return nil }
    let controls = script.statements.contains { statement in
      let word = HandwrittenSQL.firstWord(of: statement)
      return HandwrittenSQL.controls(word) || word == "vacuum" || word == "create" && isOfDatabase(statement)
    }
    let isOne = script.statements.count == 1
    let owns = pins == 0 && main.transactionStatus == .idle && !controls && (isReadOnly || !isOne)
    if owns { _ = try main.run(isReadOnly ? "BEGIN READ ONLY" : "BEGIN") }
    do {
      for statement in script.statements.dropLast() { _ = try around(statement) { try main.run(statement) } }
      let result = try around(last) { try main.run(last, arguments) }
      if owns { _ = try main.run("COMMIT") }
      return result
    } catch {
      if owns { _ = try? main.run("ROLLBACK") }
      throw error
    }
  }
}

extension Value {
  /// What a column of any type holds.
  fileprivate init(field: PostgresField) {
    switch field.typeOID {
    case PostgresType.bool: self = field.bool.map(Value.bool) ?? .null
    case PostgresType.int2, PostgresType.int4, PostgresType.int8: self = field.int.map(Value.int) ?? .null
    case PostgresType.float4, PostgresType.float8: self = field.double.map(Value.double) ?? .null
    case PostgresType.bytea: self = .data([UInt8](field.bytes))
    default: self = .string(field.text)
    }
  }
}
