internal import CSQLite
internal import Modeling

/// Reports each statement that a connection has run, until it is deallocated.
package final class ConnectionTrace {
  private let connection: Connection
  private let box: Unmanaged<Body>

  private final class Body {
    let told: (String, Double) -> Void
    /// When each statement that runs began. SQLite itself counts whole milliseconds.
    var beginnings: [OpaquePointer: Double] = [:]
    init(_ told: @escaping (String, Double) -> Void) { self.told = told }
  }

  /// Calls `told` with the text, including the values, and the duration in seconds.
  package init(_ connection: Connection, _ told: @escaping (_ sql: String, _ seconds: Double) -> Void) {
    self.connection = connection
    box = .passRetained(Body(told))
    let callback:
      @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
        event, context, statement, _ in
        guard let context, let statement = statement.map({ OpaquePointer($0) }) else { return 0 }
        let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
        let time = monotonicSeconds()
        // The time of triggers' programs is part of the statement that runs them.
        guard event == UInt32(SQLITE_TRACE_PROFILE) else {
          if body.beginnings[statement] == nil { body.beginnings[statement] = time }
          return 0
        }
        let beginning = body.beginnings.removeValue(forKey: statement) ?? time
        let expanded = sqlite3_expanded_sql(statement)
        defer { sqlite3_free(expanded) }
        body.told(expanded.map { String(cString: $0) } ?? "", time - beginning)
        return 0
      }
    let events = UInt32(SQLITE_TRACE_STMT) | UInt32(SQLITE_TRACE_PROFILE)
    sqlite3_trace_v2(connection.handle, events, callback, box.toOpaque())
    connection.traced = told
  }

  deinit {
    connection.traced = nil
    if let handle = connection.handle { sqlite3_trace_v2(handle, 0, nil, nil) }
    box.release()
  }
}
