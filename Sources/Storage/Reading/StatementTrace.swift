internal import SQLite

/// Tells of each statement that a store has run, as long as it lives.
public final class StatementTrace {
  private let trace: ConnectionTrace

  /// Tells `told` the text, values in place of parameters, and the seconds it took.
  public init(_ store: SQLiteStore, _ told: @escaping (_ sql: String, _ seconds: Double) -> Void) {
    trace = ConnectionTrace(store.connection, told)
  }

  /// Whether a statement is the engine's own bookkeeping, which is of no interest to users.
  public static func isBookkeeping(_ sql: String) -> Bool {
    sql.hasPrefix("PRAGMA data_version") || sql.hasPrefix("PRAGMA schema_version") || sql.contains("_perilune")
  }
}
