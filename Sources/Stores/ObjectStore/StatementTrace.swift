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
