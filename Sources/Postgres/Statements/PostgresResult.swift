internal import CPostgres

/// The rows that a statement returned, and the number of rows that it changed.
///
/// Rows and columns are numbered from 0. A place that is not there is null.
public final class PostgresResult {
  /// libpq's `PGresult*`.
  let handle: OpaquePointer
  /// The number of rows.
  public let rowCount: Int
  /// The number of columns.
  public let columnCount: Int
  /// What its columns are.
  let columns: ResultColumns

  /// Takes a result over; the rows of one statement that come one at a time share their columns.
  init(_ handle: OpaquePointer, columns known: ResultColumns? = nil) {
    self.handle = handle
    rowCount = Int(PQntuples(handle))
    columns = known ?? ResultColumns(handle)
    columnCount = columns.types.count
  }

  deinit { PQclear(handle) }

  /// The rows that the statement inserted, updated, deleted or returned; 0 for other statements.
  public var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }
  /// What the server says was done, as `INSERT 0 3`.
  public var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }
}

// MARK: Columns

extension PostgresResult {
  /// The name of a column; empty where there is none.
  public func name(_ column: Int) -> String { columns.name(column) }
  /// The number of a column's type.
  public func typeOID(_ column: Int) -> UInt32 { columns.type(column) }
  /// What the type is limited to, as the length of a `varchar`, in the server's form; -1 without.
  public func typeModifier(_ column: Int) -> Int32 { columns.modifier(column) }
  /// The number of the table that a column comes from, and its number there; nil for one that is computed.
  public func origin(_ column: Int) -> (table: UInt32, column: Int)? { columns.origin(column) }
}

// MARK: Values

extension PostgresResult {
  /// Whether a value is NULL.
  public func isNull(_ row: Int, _ column: Int) -> Bool {
    guard has(row, column) else { return true }
    return PQgetisnull(handle, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) != 0
  }

  /// The bytes of a value, as long as the result lives; empty for NULL.
  public func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    guard has(row, column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
    return UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
  }

  /// A value with its type; nil for NULL.
  public func field(_ row: Int, _ column: Int) -> PostgresField? {
    if isNull(row, column) { return nil }
    return PostgresField(bytes: bytes(row, column), typeOID: columns.types[column], isText: columns.areText)
  }

  /// An integer of two, four or eight bytes, or an `oid`; 0 for anything else.
  public func int(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    // NULL has no bytes.
    if bytes.isEmpty { return 0 }
    return PostgresField(bytes: bytes, typeOID: columns.types[column], isText: columns.areText).int ?? 0
  }

  /// A number; 0 for anything else.
  public func double(_ row: Int, _ column: Int) -> Double {
    let bytes = bytes(row, column)
    if bytes.isEmpty { return 0 }
    return PostgresField(bytes: bytes, typeOID: columns.types[column], isText: columns.areText).double ?? 0
  }

  /// A truth value; false for anything else.
  public func bool(_ row: Int, _ column: Int) -> Bool { field(row, column)?.bool ?? false }
  /// A value as text; empty for NULL.
  public func text(_ row: Int, _ column: Int) -> String { field(row, column)?.text ?? "" }

  private func has(_ row: Int, _ column: Int) -> Bool {
    row >= 0 && row < rowCount && column >= 0 && column < columnCount
  }
}
