import Modeling
import SQLite
import Storage

/// The tables and indexes of a store without their rows, in memory: what SQLite plans there it would plan in the store.
///
/// Indexes can be made here at no cost, to see whether they would be used.
final class SchemaCopy {
  private let connection: Connection

  /// Copies the schema of `original`, with what ANALYZE found out about it.
  ///
  /// What cannot be made without the rest of the store, virtual tables say, is left out.
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

  /// The plan of a statement if the store had these indexes, too; nil where one of them cannot be made.
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
  /// SQLite's plan of a statement, which is not run.
  func plan(of sql: SQLFragment) throws(StoreError) -> [PlanLine] {
    // Compiled anew: a kept one may be of a time when there were other indexes.
    let statement = try prepare("EXPLAIN QUERY PLAN " + sql.text)
    for (index, value) in sql.arguments.enumerated() { try statement.bind(ValueCoding.stored(value), at: index + 1) }
    var rows: [(id: Int64, parent: Int64, detail: String)] = []
    while try statement.step() { rows.append((statement.integer(0), statement.integer(1), statement.text(3))) }
    return [PlanLine](rows: rows)
  }
}
