internal import CSQLite
package import Modeling
package import StoreErrors

/// A compiled statement. Values are bound by position from 1, columns are read by position from 0.
///
/// Text and blobs of a row are valid until the next step. After the connection was closed, columns are null and `step`
/// throws.
package final class Statement {
  package let sql: String
  /// SQLite's `sqlite3_stmt*`, valid as long as this object; nil if the text contained no statement.
  package let handle: OpaquePointer?
  package let connection: Connection
  /// Whether a person or a script wrote it, so that the sandbox checks it.
  @usableFromInline package let isForeign: Bool
  /// Whether its deletions may cascade to other tables.
  @usableFromInline package private(set) var mayCascade = false
  /// Its place among the connection's idle statements, once it was there.
  var place: StatementCache.Place?
  // Its neighbors among the statements of the connection, which unlinks it before it goes.
  unowned(unsafe) var older: Statement?
  unowned(unsafe) var newer: Statement?

  /// Compiles the first statement of `sql`, which is our own SQL.
  package init(_ connection: Connection, _ sql: String) throws(StoreError) {
    self.connection = connection
    isForeign = false
    guard connection.handle != nil else { throw StoreError(.closed, path: connection.path) }
    connection.wait.begin()
    var (text, compiled) = (sql, nil as OpaquePointer?)
    let isLong = sql.utf8.count > Self.longText
    if isLong { perilune_factor_constants(connection.handle, 0) }
    defer { if isLong { perilune_factor_constants(connection.handle, 1) } }
    func compile() -> Int32 {
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { start in
          sqlite3_prepare_v3(
            connection.handle, start.baseAddress, Int32(clamping: start.count), UInt32(SQLITE_PREPARE_PERSISTENT),
            &compiled, nil)
        }
      }
    }
    var code = compile()
    // It may lack one of our functions or collations.
    if code & 0xFF == SQLITE_ERROR, connection.installFunctions() { code = compile() }
    self.sql = sql
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
    handle = compiled
    mayCascade = deletes
    connection.register(self)
  }

  /// Compiles the next statement of `script` and moves past it; `isForeign` marks SQL that a person or a script wrote.
  package init(_ connection: Connection, _ script: inout SQLScript, isForeign: Bool) throws(StoreError) {
    self.connection = connection
    self.isForeign = isForeign
    guard connection.handle != nil else { throw StoreError(.closed, path: connection.path) }
    connection.wait.begin()
    let confinement = isForeign ? connection.confinement : nil
    confinement?.begin()
    defer { confinement?.end() }
    var compiled: OpaquePointer?
    let isLong = script.count > Self.longText
    if isLong { perilune_factor_constants(connection.handle, 0) }
    defer { if isLong { perilune_factor_constants(connection.handle, 1) } }
    func compile() -> Int32 {
      script.withRest { start, count, tail in
        sqlite3_prepare_v3(connection.handle, start, count, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
      }
    }
    var code = compile()
    if code & 0xFF == SQLITE_ERROR, connection.installFunctions() { code = compile() }
    sql = code == SQLITE_OK ? script.lastStatement : script.rest
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
    handle = compiled
    mayCascade = deletes
    connection.register(self)
  }

  deinit {
    guard let handle else { return }
    connection.unregister(self)
    sqlite3_finalize(handle)
  }

  /// Whether it may delete rows, and returns none.
  private var deletes: Bool {
    (isForeign || sql.hasPrefix("DELETE ")) && columnCount == 0 && handle != nil && !isReadOnly
  }

  /// Whether the text contained no statement: only blanks and comments.
  package var isEmpty: Bool { handle == nil }
  /// Whether it writes nothing to the file.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The text with the bound values in place of parameters.
  package var expandedSQL: String {
    let expanded = sqlite3_expanded_sql(handle)
    defer { sqlite3_free(expanded) }
    return expanded.map { String(cString: $0) } ?? sql
  }

  /// The length in bytes from which a text may contain thousands of constants.
  private static let longText = 1 << 14

  // MARK: Running

  /// Moves to the next row; returns false at the end, when the statement was reset and its locks were released.
  @inlinable
  package func step() throws(StoreError) -> Bool { try mayCascade ? DeepCascade.step(self) : stepOnce() }

  /// Moves to the next row, as far as SQLite does so itself.
  @inlinable
  package func stepOnce() throws(StoreError) -> Bool {
    guard connection.handle != nil else { throw StoreError(.closed, path: connection.path) }
    // SQLite recompiles a statement after a schema change.
    let confinement = isForeign ? connection.confinement : nil
    confinement?.begin()
    let code = sqlite3_step(handle)
    confinement?.end()
    if code == SQLITE_ROW { return true }
    return try finish(code)
  }

  /// Runs to the end and returns the integers of the first column; fast enough for a million rows.
  package func integers() throws(StoreError) -> [Int64] {
    var integers: [Int64] = []
    while try step() { integers.append(sqlite3_column_int64(handle, 0)) }
    return integers
  }

  @usableFromInline package func finish(_ code: Int32) throws(StoreError) -> Bool {
    if code == SQLITE_DONE || handle == nil {
      if handle != nil, !isReadOnly { connection.noteDirectChanges() }
      sqlite3_reset(handle)
      return false
    }
    let error = connection.error(code, sql: sql)
    sqlite3_reset(handle)
    throw error
  }

  /// Resets the statement; bound values stay.
  package func reset() {
    sqlite3_reset(handle)
    connection.wait.begin()
  }

  package func clearBindings() { sqlite3_clear_bindings(handle) }
}

// MARK: Costs

extension Statement {
  /// A counter of SQLite for the runs of a statement.
  package enum Cost: Sendable, CaseIterable {
    /// Rows visited in full table scans.
    case scannedRows
    /// Steps of the virtual machine.
    case steps
    /// Sorts.
    case sorts
    /// Rows inserted into automatic indexes.
    case automaticIndexRows
    /// Recompilations due to schema changes.
    case recompilations

    fileprivate var counter: Int32 {
      switch self {
      case .scannedRows: SQLITE_STMTSTATUS_FULLSCAN_STEP
      case .steps: SQLITE_STMTSTATUS_VM_STEP
      case .sorts: SQLITE_STMTSTATUS_SORT
      case .automaticIndexRows: SQLITE_STMTSTATUS_AUTOINDEX
      case .recompilations: SQLITE_STMTSTATUS_REPREPARE
      }
    }
  }

  /// Returns a counter and sets it to zero.
  @discardableResult
  package func take(_ cost: Cost) -> Int { Int(sqlite3_stmt_status(handle, cost.counter, 1)) }
}

// MARK: Values

extension Statement {
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The position of a named parameter such as `:name`.
  package func parameter(named name: String) -> Int? {
    let index = sqlite3_bind_parameter_index(handle, name)
    return index == 0 ? nil : Int(index)
  }

  @inlinable
  package func bindNull(at index: Int) throws(StoreError) { try check(sqlite3_bind_null(handle, Int32(index))) }

  @inlinable
  package func bind(_ value: Int64, at index: Int) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, Int32(index), value))
  }

  /// Binds a number; NaN, which SQLite cannot store, becomes null.
  @inlinable
  package func bind(_ value: Double, at index: Int) throws(StoreError) {
    try check(sqlite3_bind_double(handle, Int32(index), value))
  }

  package func bind(_ text: String, at index: Int) throws(StoreError) {
    var text = text
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { start in
        // An empty buffer has no address, and a null pointer would bind null.
        start.isEmpty
          ? perilune_bind_text(handle, Int32(index), "", 0)
          : perilune_bind_text(handle, Int32(index), start.baseAddress, Int32(clamping: start.count))
      }
    }
    try check(code)
  }

  /// Binds UTF-8, which SQLite copies.
  package func bind(text bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return try bind("", at: index) }
    try check(
      perilune_bind_text(handle, Int32(index), base.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count)))
  }

  /// Binds UTF-8 that must stay valid until the statement has run.
  @inlinable @inline(__always)
  package func bind(unowned bytes: UnsafeRawBufferPointer, at index: Int) throws(StoreError) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return try bind("", at: index) }
    try check(
      sqlite3_bind_text(
        handle, Int32(index), base.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), nil))
  }

  /// Binds bytes, which SQLite copies.
  package func bind(_ bytes: [UInt8], at index: Int) throws(StoreError) {
    let code = bytes.withUnsafeBytes { buffer in
      // An empty buffer may have no address, and a null pointer would bind null.
      buffer.isEmpty
        ? sqlite3_bind_zeroblob(handle, Int32(index), 0)
        : perilune_bind_blob(handle, Int32(index), buffer.baseAddress, Int32(clamping: buffer.count))
    }
    try check(code)
  }

  @inlinable package func check(_ code: Int32) throws(StoreError) {
    if code != SQLITE_OK {
      throw connection.handle == nil ? StoreError(.closed, path: connection.path) : connection.error(code, sql: sql)
    }
  }
}

// MARK: Columns

extension Statement {
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The table and column of a result column; nil for a computed one.
  package func origin(ofColumn column: Int) -> (table: String, column: String)? {
    guard let table = sqlite3_column_table_name(handle, Int32(column)),
      let origin = sqlite3_column_origin_name(handle, Int32(column))
    else { return nil }
    return (String(cString: table), String(cString: origin))
  }

  package func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  @inlinable
  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  @inlinable
  package func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The bytes of a text or blob column.
  @inlinable
  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_blob(handle, Int32(column))
    // If memory is exhausted, there is a length without bytes; the next step fails.
    return UnsafeRawBufferPointer(
      start: base, count: base == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// SQLite's `sqlite3_value*` of a column, valid until the next step; for loops over all columns of many rows.
  @inlinable
  package func rawValue(_ column: Int) -> OpaquePointer? { sqlite3_column_value(handle, Int32(column)) }

  /// The text of a column, with invalid UTF-8 replaced; empty for null.
  @inlinable
  package func text(_ column: Int) -> String {
    guard let base = sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// The stored value of a column: null, an integer, a number, text or bytes.
  package func value(_ column: Int) -> Value {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .int(integer(column))
    case SQLITE_FLOAT: .double(real(column))
    case SQLITE_TEXT: .string(text(column))
    case SQLITE_BLOB: .data([UInt8](bytes(column)))
    default: .null
    }
  }
}
