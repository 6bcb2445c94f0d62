internal import CSQLite

/// Reports each statement that a connection has run, until it is deallocated.
package final class ConnectionTrace {
  private let connection: Connection
  private let box: Unmanaged<Body>

  private final class Body {
    let told: (String, Double) -> Void
    init(_ told: @escaping (String, Double) -> Void) { self.told = told }
  }

  /// Calls `told` with the text, including the values, and the duration in seconds.
  package init(_ connection: Connection, _ told: @escaping (_ sql: String, _ seconds: Double) -> Void) {
    self.connection = connection
    box = .passRetained(Body(told))
    let callback:
      @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
        _, context, statement, nanoseconds in
        guard let context, let statement, let nanoseconds else { return 0 }
        let expanded = sqlite3_expanded_sql(OpaquePointer(statement))
        defer { sqlite3_free(expanded) }
        let text = expanded.map { String(cString: $0) } ?? ""
        let seconds = Double(nanoseconds.load(as: Int64.self)) / 1e9
        Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().told(text, seconds)
        return 0
      }
    sqlite3_trace_v2(connection.handle, UInt32(SQLITE_TRACE_PROFILE), callback, box.toOpaque())
  }

  deinit {
    if let handle = connection.handle { sqlite3_trace_v2(handle, 0, nil, nil) }
    box.release()
  }
}
