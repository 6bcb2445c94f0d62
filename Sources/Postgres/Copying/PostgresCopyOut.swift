internal import CPostgres
public import StoreErrors

/// The rows of `COPY … TO STDOUT (FORMAT binary)`, one at a time and field by field, as the server sent them.
///
///     let rows = try connection.copyOut("COPY (SELECT id, place FROM quake) TO STDOUT (FORMAT binary)")
///     while try rows.step() { print(rows.int(0), rows.text(1)) }
///
/// The fastest way to read many rows. The types of the fields are those of the statement: they do not come with the rows,
/// and may be given with `types`, for `text` of other types. The connection is busy until the end or `close`.
public final class PostgresCopyOut {
  private let connection: PostgresConnection
  private let sql: String
  private let types: [UInt32]
  private let reader = CopyReader()
  private var isOpen = true
  private var count = 0

  /// Takes the answer to a COPY that was sent.
  init(_ connection: PostgresConnection, _ sql: String, types: [UInt32]) throws(StoreError) {
    (self.connection, self.sql, self.types) = (connection, sql, types)
    connection.isBusy = true
    do throws(StoreError) {
      try connection.beginCopy(PERILUNE_PQ_COPY_OUT, sql)
    } catch {
      connection.isBusy = false
      throw error
    }
  }

  deinit { close() }

  /// Moves to the next row; false at the end, after which the connection is free.
  ///
  /// - Throws: `StoreError`; the rows are closed then.
  public func step() throws(StoreError) -> Bool {
    guard isOpen else { return false }
    do throws(StoreError) {
      count += 1
      if count.isMultiple(of: 1024), connection.isInterrupted() { throw connection.failure(.interrupted) }
      while true {
        switch reader.next() {
        case .row: return true
        case .malformed: throw connection.failure(.unexpectedAnswer("COPY"))
        case .incomplete, .end: break
        }
        // The end of the rows is followed by that of the answer.
        guard try connection.takeCopied({ reader.take($0, count: $1) }) else { return try finish() }
      }
    } catch {
      if isOpen { close() }
      throw error
    }
  }

  /// Ends the COPY: what has not been sent yet is cancelled on the server.
  ///
  /// Within a transaction that ends the transaction: only rolling back is possible then.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    connection.discardCopy()
    connection.isBusy = false
  }

  private func finish() throws(StoreError) -> Bool {
    let error = try connection.results { PQclear($0) }
    isOpen = false
    connection.isBusy = false
    if let error { throw error.of(sql) }
    if !reader.isAtEnd { throw connection.failure(.unexpectedAnswer("COPY")) }
    return false
  }
}

// MARK: Values

extension PostgresCopyOut {
  /// The number of fields of the current row.
  public var columnCount: Int { reader.fieldCount }
  /// Whether a field is NULL, or not there.
  public func isNull(_ column: Int) -> Bool { rawField(column) == nil }
  /// The bytes of a field, until the next step; empty for NULL.
  public func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    rawField(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
  /// The bytes of a field, until the next step; nil for NULL.
  public func rawField(_ column: Int) -> UnsafeRawBufferPointer? { isOpen ? reader.field(column) : nil }
  /// A field with its type, which is 0 where none was given; nil for NULL.
  public func field(_ column: Int) -> PostgresField? {
    rawField(column).map {
      PostgresField(bytes: $0, typeOID: types.indices.contains(column) ? types[column] : 0, isText: false)
    }
  }
  /// An integer of two, four or eight bytes; 0 for anything else.
  public func int(_ column: Int) -> Int64 { rawField(column).flatMap(PostgresField.int) ?? 0 }
  /// A number of four or eight bytes; 0 for anything else.
  public func double(_ column: Int) -> Double { rawField(column).flatMap(PostgresField.float) ?? 0 }
  /// A truth value; false for anything else.
  public func bool(_ column: Int) -> Bool { rawField(column)?.first == 1 }
  /// A field as text, as its type was given; the bytes as they are where it was not.
  public func text(_ column: Int) -> String { field(column)?.text ?? "" }
}
