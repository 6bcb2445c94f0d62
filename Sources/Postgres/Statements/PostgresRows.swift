internal import CPostgres
public import StoreErrors

/// The rows of a statement, one at a time: only the current one is in memory.
///
///     let rows = try connection.stream("SELECT id, place FROM quake")
///     while try rows.step() { print(rows.int(0), rows.text(1)) }
///
/// The connection is busy until the last row was read or `close` was called.
public final class PostgresRows {
  private let connection: PostgresConnection
  private let sql: String
  /// The current row; before the first one and after the last one a result without rows, which has the columns.
  private var current: PostgresResult
  /// The first row, which is read at once, for the columns and what may be wrong with the statement.
  private var first: PostgresResult?
  private var isOpen = true
  private var count = 0
  private let beginning: Double?

  /// The number of columns of each row.
  public var columnCount: Int { current.columnCount }

  /// Takes the answer to a statement that was sent in single-row mode.
  init(_ connection: PostgresConnection, _ sql: String, since beginning: Double?) throws(StoreError) {
    (self.connection, self.sql, self.beginning) = (connection, sql, beginning)
    connection.isBusy = true
    var isFirst = true
    do throws(StoreError) {
      guard let result = try connection.nextResult() else { throw connection.failure(.unexpectedAnswer("")) }
      isFirst = try Self.isRow(result, connection, sql)
      current = PostgresResult(result)
    } catch {
      connection.isBusy = false
      throw error
    }
    if isFirst { first = current } else { try finish() }
  }

  deinit { close() }

  /// Moves to the next row; false at the end, after which the connection is free.
  ///
  /// - Throws: `StoreError`; the rows are closed then.
  public func step() throws(StoreError) -> Bool {
    if let first {
      (current, self.first) = (first, nil)
      return true
    }
    guard isOpen else { return false }
    count += 1
    if count.isMultiple(of: 1024), connection.isInterrupted() {
      close()
      throw connection.failure(.interrupted)
    }
    do throws(StoreError) {
      guard let result = try connection.nextResult() else {
        end()
        return false
      }
      let isRow = try Self.isRow(result, connection, sql)
      current = PostgresResult(result, columns: current.columns)
      if isRow { return true }
      try finish()
      return false
    } catch {
      end()
      throw error
    }
  }

  /// Ends the statement: what has not been sent yet is cancelled on the server.
  ///
  /// Within a transaction a statement that is cancelled ends the transaction: only rolling back is possible then.
  public func close() {
    guard isOpen else { return }
    first = nil
    connection.discardRows()
    end()
  }

  /// The number of affected rows, once the last row was read.
  public var affectedRows: Int { isOpen ? 0 : current.affectedRows }

  /// What the server says was done, as `DELETE 3`, once the last row was read.
  public var command: String { isOpen ? "" : current.command }

  private func end() {
    isOpen = false
    connection.isBusy = false
    connection.tell(sql, since: beginning)
  }

  /// Reads what stands behind the last row.
  private func finish() throws(StoreError) {
    let error = try connection.results { PQclear($0) }
    end()
    if let error { throw error.of(sql) }
  }

  /// Whether a result is a row, and not the end; throws what the server refused.
  private static func isRow(_ result: OpaquePointer, _ connection: PostgresConnection, _ sql: String) throws(StoreError)
    -> Bool
  {
    switch Int(PQresultStatus(result)) {
    case Int(PERILUNE_PQ_SINGLE_TUPLE): return true
    case Int(PERILUNE_PQ_TUPLES_OK), Int(PERILUNE_PQ_COMMAND_OK), Int(PERILUNE_PQ_EMPTY_QUERY):
      connection.noteCommand(result)
      return false
    case Int(PERILUNE_PQ_COPY_IN), Int(PERILUNE_PQ_COPY_OUT), Int(PERILUNE_PQ_COPY_BOTH):
      throw try connection.refuseCopy(result)
    default:
      let error = connection.failure(of: result)
      PQclear(result)
      throw (try connection.results(after: error) { PQclear($0) } ?? error).of(sql)
    }
  }
}

// MARK: Columns and values

extension PostgresRows {
  /// The name of a column.
  public func name(_ column: Int) -> String { current.name(column) }
  /// The number of a column's type.
  public func typeOID(_ column: Int) -> UInt32 { current.typeOID(column) }
  /// What the type is limited to; -1 without.
  public func typeModifier(_ column: Int) -> Int32 { current.typeModifier(column) }
  /// Whether a value of the current row is NULL.
  public func isNull(_ column: Int) -> Bool { current.isNull(0, column) }
  /// The bytes of a value, until the next step.
  public func bytes(_ column: Int) -> UnsafeRawBufferPointer { current.bytes(0, column) }
  /// A value with its type; nil for NULL.
  public func field(_ column: Int) -> PostgresField? { current.field(0, column) }
  /// An integer of two, four or eight bytes; 0 for anything else.
  public func int(_ column: Int) -> Int64 { current.int(0, column) }
  /// A number; 0 for anything else.
  public func double(_ column: Int) -> Double { current.double(0, column) }
  /// A truth value; false for anything else.
  public func bool(_ column: Int) -> Bool { current.bool(0, column) }
  /// A value as text; empty for NULL.
  public func text(_ column: Int) -> String { current.text(0, column) }
}

extension PostgresConnection {
  /// Runs one statement and returns its rows one at a time.
  ///
  /// - Throws: `StoreError`, where the statement fails before its first row.
  public func stream(_ sql: String, _ arguments: [PostgresArgument] = [], format: Format = .binary) throws(StoreError)
    -> PostgresRows
  {
    let bound = try bind(arguments, sql)
    do throws(StoreError) {
      return try streamOnce(sql, bound, format)
    } catch  where isOutdated(error) {
      forget(sql, error)
      guard transactionStatus == .idle else { throw error }
      return try streamOnce(sql, bound, format)
    }
  }

  private func streamOnce(_ sql: String, _ bound: BoundArguments, _ format: Format) throws(StoreError) -> PostgresRows {
    try deallocateOutdated()
    let beginning = beginningOfStatement
    try send(sql, bound, format)
    guard PQsetSingleRowMode(try openHandle()) != 0 else {
      let error = try results { PQclear($0) }
      throw error?.of(sql) ?? failure(.unexpectedAnswer(""))
    }
    return try PostgresRows(self, sql, since: beginning)
  }

  /// Ends a COPY that was not asked for as one; returns the failure.
  func refuseCopy(_ result: OpaquePointer) throws(StoreError) -> StoreError {
    let error = failure(.unexpectedAnswer(PQcmdStatus(result).map { String(cString: $0) } ?? ""))
    try endCopy(result)
    _ = try results { PQclear($0) }
    return error
  }

  /// Throws away the rest of an answer. What has come already is read, what has not is cancelled.
  func discardRows() {
    guard let handle else { return }
    var count = 0
    while PQisBusy(handle) == 0, count < Self.mostDiscarded {
      guard let result = PQgetResult(handle) else { return }
      PQclear(result)
      count += 1
    }
    cancel(handle)
    // An error now is not about the rows that were wanted, and the next statement meets it again.
    _ = try? results { PQclear($0) }
  }

  /// As many rows are read, rather than that the server is asked to stop.
  private static var mostDiscarded: Int { 4096 }
}
