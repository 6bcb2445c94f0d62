import Modeling
import SQLite

/// An in-memory copy of a store's tables and indexes without their rows. SQLite makes the same plans for it as for the
/// store.
///
/// Indexes cost nothing here, so the advisor can create them to see whether SQLite would use them.
final class SchemaCopy {
  private let connection: Connection

  /// Copies the schema of `original`, with the statistics of ANALYZE.
  ///
  /// Tables that depend on other parts of the store, such as virtual tables, are left out.
  init(of original: Connection) throws(StoreError) {
    connection = try Connection(":memory:", Connection.Options(isInterrupted: original.isInterrupted))
    connection.addFunctions = SQLFunctions().install
    let sql =
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type IN ('table', 'index', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    for row in try original.all(sql) {
      guard case .string(let statement) = row[0] else { continue }
      try? connection.execute(statement)
    }
    try copyStatistics(from: original)
  }

  deinit { connection.close() }

  private func copyStatistics(from original: Connection) throws(StoreError) {
    guard let rows = try? original.all("SELECT tbl, idx, stat FROM sqlite_stat1"), !rows.isEmpty else { return }
    try connection.execute("ANALYZE sqlite_schema")
    for row in rows { try connection.run("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row) }
    try connection.execute("ANALYZE sqlite_schema")
  }

  /// Returns the plan of a statement with additional indexes; nil if one of them cannot be created.
  func plan(of sql: SQLFragment, with indexes: [String] = []) throws(StoreError) -> [PlanLine]? {
    try connection.execute("SAVEPOINT trial")
    defer { try? connection.execute("ROLLBACK TO trial; RELEASE trial") }
    for index in indexes {
      do throws(StoreError) { try connection.execute(index) } catch {
        if case .interrupted = error.fact { throw error }
        return nil
      }
    }
    return try connection.plan(of: sql)
  }
}

extension Connection {
  /// Returns SQLite's plan of a statement, which is not run.
  func plan(of sql: SQLFragment) throws(StoreError) -> [PlanLine] {
    // Compiled anew, because a cached statement may be older than the indexes.
    let statement = try prepare("EXPLAIN QUERY PLAN " + sql.text)
    for (index, value) in sql.arguments.enumerated() { try statement.bind(ValueCoding.stored(value), at: index + 1) }
    var rows: [(id: Int64, parent: Int64, detail: String)] = []
    while try statement.step() { rows.append((statement.integer(0), statement.integer(1), statement.text(3))) }
    return [PlanLine](rows: rows)
  }
}
