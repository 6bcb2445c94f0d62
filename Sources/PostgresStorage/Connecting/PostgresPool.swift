import Postgres
import StoreErrors

/// The connections of one store: the main one, on which everything is written, and others for rows that are read one by one.
///
/// While a transaction or a snapshot is open, also one that handwritten SQL began, everything runs on the main connection,
/// so that reads see its writes. The rows of a stream are then read to the end at once. Otherwise a stream has a connection
/// of its own, which is kept for the next.
final class PostgresPool {
  /// The most connections for streams that are open at the same time; further streams are read to the end at once.
  private static let mostReaders = 6

  let address: PostgresAddress
  private(set) var main: PostgresConnection
  /// The server, and the capabilities that it lacks.
  let profile: ServerProfile
  /// The transaction that was under way when the connection broke is gone; nothing may be written as if it were there.
  private var hasLostTransaction = false
  /// Whether the server could not put the present transaction in order with those of others. Writers of single rows may
  /// have reported that as the refusal of a row.
  private(set) var hasUnserializedTransaction = false
  /// Connections that no stream uses.
  private var idle: [PostgresConnection] = []
  private var readerCount = 0
  /// The numbers that the server has for the connections.
  var processIDs: [Int32] { ([main] + idle).map(\.processID) }
  /// The number of open transactions and snapshots, one within the other.
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

  /// The observers of statements.
  var traces: [ObjectIdentifier: (String, Double) -> Void] = [:] {
    didSet { for connection in [main] + idle { trace(connection) } }
  }

  /// Whether sessions refuse writes by default.
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

  /// Connects, and sets the parameters on which texts of dates depend.
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

  /// The error of a statement that was sent behind another, as if it had been sent alone.
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

  /// Notes that the pinned transaction was ended from outside, so that no statement runs as if it were open.
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
    // A transaction that handwritten SQL began is lost with the connection, too, and no statement may run as if it were
    // open.
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
    guard profile.distributesTables else { return }
    // Citus uses several connections to a node for several shards, and none sees the writes of the others. It then refuses
    // to define tables that refer to one another, and to delete rows that others refer to.
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

  /// Whether the server lost its connection to a node, which was perhaps started again; the connection to us is open.
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
      // The server may have ended an idle connection; the main one shows whether it still runs.
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
    // If the server grants no further connection, the main one does everything.
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
