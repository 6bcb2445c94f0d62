import SQLite

/// Reports each statement that a store runs, until it is deallocated.
public final class StatementTrace {
  private let end: () -> Void

  /// Makes a trace that ends by `end`.
  package init(end: @escaping () -> Void) { self.end = end }

  deinit { end() }

  /// Whether a statement is internal bookkeeping, which does not interest users.
  public static func isBookkeeping(_ sql: String) -> Bool {
    sql.hasPrefix("PRAGMA data_version") || sql.hasPrefix("PRAGMA schema_version") || sql.contains("_perilune")
  }
}

extension SQLiteStore {
  /// Calls `told` with the text of each statement, its values in place of parameters, and the seconds that it took.
  public func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace {
    var trace: ConnectionTrace? = ConnectionTrace(connection, told)
    return StatementTrace { withExtendedLifetime(trace) { trace = nil } }
  }
}
