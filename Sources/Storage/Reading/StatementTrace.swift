internal import SQLite

/// Tells of each statement that a store has run, as long as it lives.
public final class StatementTrace {
  private let trace: ConnectionTrace

  /// Tells `told` the text, values in place of parameters, and the seconds it took.
  public init(_ store: SQLiteStore, _ told: @escaping (_ sql: String, _ seconds: Double) -> Void) {
    trace = ConnectionTrace(store.connection, told)
  }
}
