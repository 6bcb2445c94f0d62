internal import CSQLite
import Modeling

/// The body of an SQL function; its arguments are the result context, the number of arguments, and the arguments.
package typealias SQLFunctionBody =
  @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

/// Compares two texts; its arguments are the context, then the length and bytes of each text. Returns a negative
/// number, zero or a positive number.
package typealias CollationBody =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
  ) -> Int32

extension Connection {
  /// Adds a function to the SQL of this connection. The schema never uses it, so that sqlite3 can still write the file.
  ///
  /// The views and triggers of the file can call it only with `forSchema`. The connection retains `context`, and
  /// `sqlite3_user_data` passes it to the body.
  package func register(
    function name: String, arguments: Int32, deterministic: Bool = true, forSchema: Bool = false,
    context: AnyObject? = nil, _ body: @escaping SQLFunctionBody
  ) {
    let flags =
      SQLITE_UTF8 | (deterministic ? SQLITE_DETERMINISTIC : 0) | (forSchema ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
    sqlite3_create_function_v2(handle, name, arguments, flags, retained(context), body, nil, nil, release)
  }

  /// Adds an aggregate function. Its state is kept in `sqlite3_aggregate_context`.
  package func register(
    aggregate name: String, arguments: Int32, context: AnyObject? = nil, step: @escaping SQLFunctionBody,
    final: @escaping @convention(c) (OpaquePointer?) -> Void
  ) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    sqlite3_create_function_v2(handle, name, arguments, flags, retained(context), nil, step, final, release)
  }

  /// Adds a collation, for ORDER BY and comparisons only.
  package func register(collation name: String, context: AnyObject? = nil, _ body: @escaping CollationBody) {
    sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, retained(context), body, release)
  }

  /// The collation that a table declares for a column; nil for comparison by bytes.
  package func collation(ofColumn column: String, table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(handle, nil, table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    let text = String(cString: name)
    return asciiLowercased(text) == "binary" ? nil : text
  }

  /// The type and the collation that a table of the main database declares for a column; nil for an unknown column.
  package func declaration(ofColumn column: String, table: String) -> (type: String, collation: String)? {
    var (type, collation): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    let code = sqlite3_table_column_metadata(handle, "main", table, column, &type, &collation, nil, nil, nil)
    guard code == SQLITE_OK else { return nil }
    return (type.map { String(cString: $0) } ?? "", collation.map { String(cString: $0) } ?? "binary")
  }

  private func retained(_ context: AnyObject?) -> UnsafeMutableRawPointer? {
    context.map { Unmanaged.passRetained($0).toOpaque() }
  }
}

private let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
  if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
}
