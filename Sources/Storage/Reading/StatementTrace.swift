internal import SQLite

/// Reports each statement that a store runs, until it is deallocated.
public final class StatementTrace {
  private let trace: ConnectionTrace

  /// Calls `told` with each statement's text, its values in place of parameters, and the seconds it took.
  public init(_ store: SQLiteStore, _ told: @escaping (_ sql: String, _ seconds: Double) -> Void) {
    trace = ConnectionTrace(store.connection, told)
  }

  /// Whether a statement is internal bookkeeping, which does not interest users.
  public static func isBookkeeping(_ sql: String) -> Bool {
    sql.hasPrefix("PRAGMA data_version") || sql.hasPrefix("PRAGMA schema_version") || sql.contains("_perilune")
  }
}
