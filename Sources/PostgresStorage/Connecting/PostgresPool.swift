import Postgres
import StoreErrors

/// The connections of one store: the main one, on which everything is written, and others for rows that are read one by one.
///
/// While a transaction or a snapshot is open, also one that was begun by hand, everything runs on the main connection, so that
/// what was written is seen; the rows of a stream are then read to the end at once. Otherwise a stream has a connection of
/// its own, which is kept for the next.
final class PostgresPool {
  /// The most connections for streams that are open at the same time; further streams are read to the end at once.
  private static let mostReaders = 6

  let address: PostgresAddress
  private(set) var main: PostgresConnection
  /// Which server it is, and what it lacks.
  let profile: ServerProfile
  /// The transaction that was under way when the connection broke is gone; nothing may be written as if it were there.
  private var hasLostTransaction = false
  /// Whether the server could not put the present transaction in order with those of others. Writers of single rows may
  /// have reported that as the refusal of a row.
  private(set) var hasUnserializedTransaction = false
  /// Connections that no stream uses.
  private var idle: [PostgresConnection] = []
  private var readerCount = 0
  /// How many transactions and snapshots are open, one within the other.
  private(set) var pins = 0
  private(set) var isClosed = false
  /// Called before a statement is sent.
  var willRun: () throws -> Void = {}
  var isInterrupted: () -> Bool {
    didSet {
      main.isInterrupted = isInterrupted
      for connection in idle { connection.isInterrupted = isInterrupted }
    }
  }

  /// Those who are told of each statement that was run.
  var traces: [ObjectIdentifier: (String, Double) -> Void] = [:] {
    didSet { for connection in [main] + idle { trace(connection) } }
  }

  /// Whether the server is told to refuse what writes, where it is not told otherwise.
  private let isReadOnly: Bool

  init(
    _ address: PostgresAddress, _ known: ServerProfile? = nil, isReadOnly: Bool = false,
    isInterrupted: @escaping () -> Bool
  ) throws {
    (self.address, self.isReadOnly) = (address, isReadOnly)
    self.isInterrupted = isInterrupted
    main = try PostgresConnection(address, isInterrupted: isInterrupted)
    profile = try known ?? ServerProfile(main)
    try prepare(main)
  }

  /// Connects, with what texts of dates depend on as it is everywhere here.
  private func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(address, isInterrupted: isInterrupted)
    try prepare(connection)
    trace(connection)
    return connection
  }

  private func trace(_ connection: PostgresConnection) {
    connection.told =
      traces.isEmpty
      ? nil
      : { [weak self] sql, seconds in
        for told in (self?.traces ?? [:]).values { told(sql, seconds) }
      }
  }

  private func prepare(_ connection: PostgresConnection) throws {
    // A pool may give each transaction another session, which keeps nothing.
    connection.preparesStatements = profile.has(.preparedStatements)
    guard profile.has(.sessionState) else { return }
    _ = try connection.run(
      "SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false), "
        + "set_config('IntervalStyle', 'iso_8601', false)"
        + (isReadOnly ? ", set_config('default_transaction_read_only', 'on', false)" : ""))
  }

  /// Whether a snapshot is open in which nothing is written.
  private(set) var isReading = false
  /// Whether the server has not heard of the snapshot yet.
  private var owesSnapshot = false

  /// Opens a snapshot, in which everything is read on the main connection. The server hears of it with the first statement, so that
  /// it costs no round trip; without a statement there is none.
  func beginSnapshot() {
    pin()
    (isReading, owesSnapshot) = (true, true)
  }

  /// Ends the snapshot.
  func endSnapshot() {
    let isBegun = !owesSnapshot
    (isReading, owesSnapshot) = (false, false)
    unpin()
    if isBegun, !main.isBroken { _ = try? run("COMMIT") }
  }

  /// Runs the first statement of a snapshot. A connection that broke before it took nothing with it.
  private func begin(with text: String, _ arguments: [PostgresArgument]) throws -> PostgresResult {
    func both() throws -> PostgresResult {
      if main.isBroken { try renew() }
      let answers = try main.pipeline([("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []), (text, arguments)])
      return answers[answers.count - 1]
    }
    owesSnapshot = false
    do {
      return try both()
    } catch {
      guard main.isBroken else { throw alone(error) }
    }
    do {
      return try both()
    } catch {
      if main.isBroken { hasLostTransaction = true }
      throw alone(error)
    }
  }

  /// The error of a statement that was sent behind another, as if it was sent alone.
  private func alone(_ error: any Error) -> any Error {
    guard let error = error as? StoreError, case .server(var refusal) = error.fact else { return error }
    refusal.index = nil
    return StoreError(.server(refusal), path: error.path)
  }

  /// A statement as the server takes it: one that has no collations besides that of bytes takes none by name. Values are arguments,
  /// so that nothing else of the text looks like it.
  private func spelled(_ sql: PostgresSQL) -> String {
    profile.has(.collations) ? sql.text : sql.text.replacing(" COLLATE \"C\"", with: "")
  }

  /// Has everything run on the main connection until `unpin`.
  func pin() { pins += 1 }

  /// Takes note that the transaction that is pinned has been ended by somebody else, so that nothing is done as if it were there.
  func loseTransaction() { hasLostTransaction = pins > 0 }

  func unpin() {
    pins -= 1
    if pins == 0 { (hasLostTransaction, hasUnserializedTransaction) = (false, false) }
  }

  /// Runs one statement to its end.
  ///
  /// Outside of a transaction a connection that broke is made anew: a statement that only reads or begins a transaction is run
  /// again, one that may have written fails, and the next one finds the new connection.
  func run(_ sql: PostgresSQL) throws -> PostgresResult {
    try reconnectIfLost()
    try willRun()
    let text = spelled(sql)
    if owesSnapshot { return try begin(with: text, sql.arguments) }
    // One that was begun by hand goes with the connection, too, and nothing may follow as if it were there.
    let isPart = main.transactionStatus == .inTransaction
    do {
      return try main.run(text, sql.arguments)
    } catch {
      note(error)
      guard main.isBroken || isOfNode(error) else { throw error }
      if pins > 0, main.isBroken { hasLostTransaction = true }
      guard pins == 0, !isPart, text.hasPrefix("SELECT") || text.hasPrefix("BEGIN") else { throw error }
      try reconnectIfLost()
      return try main.run(text, sql.arguments)
    }
  }

  /// Begins a transaction that may write.
  func begin(_ level: String = "") throws {
    _ = try run("BEGIN\(raw: level)")
    guard profile.engine == .citus else { return }
    // What a transaction does to several shards at once is done by several connections to a node, none of which sees what the others
    // have done. Citus then refuses what concerns tables that refer to one another: to define them, and to delete what is referred to.
    do {
      _ = try run("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Runs statements in one round trip, within a transaction.
  func pipeline(_ statements: [PostgresSQL]) throws -> [PostgresResult] {
    try reconnectIfLost()
    do {
      return try main.pipeline(statements.map { (spelled($0), $0.arguments) })
    } catch {
      note(error)
      if main.isBroken { hasLostTransaction = true }
      throw error
    }
  }

  /// Writes rows by a COPY, within a transaction.
  func copy(_ sql: String, _ rows: (inout PostgresCopyWriter) throws -> Void) throws {
    try reconnectIfLost()
    do {
      _ = try main.copyIn(sql, rows)
    } catch {
      note(error)
      if main.isBroken { hasLostTransaction = true }
      throw error
    }
  }

  /// Whether the server lost a connection of its own, to a node that was perhaps started again: that to us is there.
  func isOfNode(_ error: any Error) -> Bool {
    if case .connectionLost? = (error as? StoreError)?.fact { !main.isBroken && !hasLostTransaction } else { false }
  }

  private func note(_ error: any Error) {
    if pins > 0, (error as? StoreError)?.isUnserialized == true { hasUnserializedTransaction = true }
  }

  /// Makes the main connection anew where it broke.
  ///
  /// - Throws: `.connectionLost` within a transaction, which went with the connection.
  func reconnectIfLost() throws {
    if isClosed { throw StoreError(.closed) }
    if hasLostTransaction { throw StoreError(.connectionLost(""), path: address.shown) }
    guard main.isBroken, !owesSnapshot else { return }
    if pins > 0 {
      hasLostTransaction = true
      throw StoreError(.connectionLost(""), path: address.shown)
    }
    try renew()
  }

  private func renew() throws {
    main.close()
    for connection in idle { connection.close() }
    readerCount -= idle.count
    idle = []
    main = try connect()
  }

  /// The rows of a statement, one by one.
  func stream(_ sql: PostgresSQL) throws -> PostgresRowSource {
    try reconnectIfLost()
    try willRun()
    guard pins == 0, main.transactionStatus == .idle, !main.isBusy, let reader = try reader() else {
      return PostgresRowSource(result: try run(sql))
    }
    do {
      return PostgresRowSource(rows: try reader.stream(spelled(sql), sql.arguments)) { [weak self] in
        self?.giveBack(reader)
      }
    } catch {
      let isLost = reader.isBroken
      giveBack(reader)
      // The server may have ended an idle connection; the main one says whether it is there at all.
      if isLost || isOfNode(error) { return PostgresRowSource(result: try run(sql)) }
      throw error
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    main.close()
    for connection in idle { connection.close() }
    idle = []
  }

  private func reader() throws -> PostgresConnection? {
    if let connection = idle.popLast() {
      connection.isInterrupted = isInterrupted
      trace(connection)
      return connection
    }
    guard readerCount < Self.mostReaders else { return nil }
    // Where the server grants no further connection, the main one does all.
    guard let connection = try? connect() else { return nil }
    readerCount += 1
    return connection
  }

  private func giveBack(_ connection: PostgresConnection) {
    if isClosed || connection.isBroken || connection.isBusy {
      connection.close()
      readerCount -= 1
    } else {
      idle.append(connection)
    }
  }
}

/// The rows of a statement one by one: as the server sends them, or read already.
final class PostgresRowSource {
  private var rows: PostgresRows?
  private var result: PostgresResult?
  private var position = -1
  private var end: (() -> Void)?

  init(rows: PostgresRows, end: @escaping () -> Void) {
    self.rows = rows
    self.end = end
  }

  init(result: PostgresResult) { self.result = result }

  deinit { close() }

  /// Moves to the next row; false after the last.
  func step() throws -> Bool {
    if let rows {
      do {
        if try rows.step() { return true }
      } catch {
        close()
        throw error
      }
      close()
      return false
    }
    guard let result else { return false }
    position += 1
    if position < result.rowCount { return true }
    close()
    return false
  }

  /// A column's bytes, valid until the next step; nil for null.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    if let rows { return rows.isNull(column) ? nil : rows.bytes(column) }
    guard let result, position >= 0, !result.isNull(position, column) else { return nil }
    return result.bytes(position, column)
  }

  func integer(_ column: Int) -> Int64 { bytes(column).flatMap(ColumnReader.integer) ?? 0 }

  func close() {
    rows?.close()
    rows = nil
    result = nil
    end?()
    end = nil
  }
}
