import SQLite

extension SQLiteStore {
  /// Calls `told` with the text of each statement, its values in place of parameters, and the seconds that it took.
  public func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace {
    var trace: ConnectionTrace? = ConnectionTrace(connection, told)
    return StatementTrace { withExtendedLifetime(trace) { trace = nil } }
  }
}
