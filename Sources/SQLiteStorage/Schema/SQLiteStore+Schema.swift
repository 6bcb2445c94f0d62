import Modeling
import RelationalStorage
import SQLite
public import Stores

// The tables of a file, in SQLite's words. The statements run as a script's do, so that the sandbox holds.
extension SQLiteStore {
  /// SQLite's words.
  public var dialect: SQLDialect { .sqlite }

  /// The names of tables and views.
  public func tableNames(like pattern: String?) throws -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        + "AND name NOT LIKE '\\_perilune%' ESCAPE '\\' AND (?1 IS NULL OR name LIKE ?1) ORDER BY 1", pattern
    ).map { $0[0] }
  }

  /// The names of indexes.
  public func indexNames(ofTablesLike pattern: String?) throws -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND (?1 IS NULL OR tbl_name LIKE ?1) ORDER BY 1", pattern
    ).map { $0[0] }
  }

  /// The statements that the file keeps, each table before what belongs to it.
  public func schemaStatements(of table: String?) throws -> [String] {
    try rows(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        + "AND (?1 IS NULL OR tbl_name = ?1) ORDER BY tbl_name, type = 'table' DESC, name", table
    ).map { $0[0] }
  }

  /// Writes the tables and their rows as sqlite3's `.dump` does.
  public func dump(tablesLike pattern: String?, _ line: @escaping (String) throws -> Void) throws {
    try reading { try SQLiteDump(store: self, line: line).write(pattern) }
  }

  /// Whether the format needs no bookkeeping for a row.
  public var takesTableStatements: Bool { !format.writesRowByRow }

  /// The statement as SQLite reads it.
  public func text(of statement: TableStatement) -> String? {
    TableStatementWriter(table: quotedName, quote: quotedName) { value, _, _ in literal(ValueCoding.stored(value)) }
      .text(statement)
  }

  /// The tables, columns, foreign keys and functions of the file.
  public func databaseSchema() -> DatabaseSchema {
    var schema = DatabaseSchema()
    let columns = try? rows(
      """
      SELECT m.name, m.type = 'view', c.name, c.type FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
      WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND m.name NOT LIKE '\\_perilune%' ESCAPE '\\' ORDER BY m.name, c.cid
      """)
    for row in columns ?? [] { schema.addColumn(row[2], row[3], of: row[0], isView: row[1] == "1") }
    let keys = try? rows(
      """
      SELECT m.name, k."from", k."table", coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = 1))
      FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'
      """)
    for row in keys ?? [] { schema.addForeignKey(row[1], of: row[0], to: row[2], row[3]) }
    schema.addRelationships(of: self)
    let functions = try? rows(
      "SELECT DISTINCT name FROM pragma_function_list WHERE name GLOB '[a-z]*' ORDER BY name")
    schema.functions = (functions ?? []).map { $0[0] }
    return schema
  }

  private func rows(_ text: String, _ argument: String?) throws -> [[String]] {
    try rows(text, [argument.map(Value.string) ?? .null])
  }

  /// The rows of a statement as texts; NULL is empty.
  func rows(_ text: String, _ arguments: [Value] = []) throws -> [[String]] {
    let cursor = try sql(text, arguments)
    defer { cursor.close() }
    var rows: [[String]] = []
    while try cursor.step() {
      rows.append(cursor.columns.indices.map { cursor.value($0) == .null ? "" : cursor.value($0).displayText })
    }
    return rows
  }
}

extension SQLDialect {
  /// The words of SQLite.
  fileprivate static let sqlite = SQLDialect(
    statements: statements,
    keywords: [
      "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST(", "COLLATE NOCASE", "CROSS JOIN", "DEFAULT VALUES", "DESC",
      "DISTINCT", "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "FILTER (WHERE", "FROM", "FULL JOIN", "GLOB",
      "GROUP BY", "HAVING", "IN", "INNER JOIN", "INTERSECT", "INTO", "IS NOT NULL", "IS NULL", "JOIN", "LEFT JOIN",
      "LIKE", "LIMIT", "NOT", "NULL", "NULLS LAST", "OFFSET", "ON", "OR", "ORDER BY", "OVER (", "PARTITION BY",
      "REGEXP", "RETURNING", "SELECT", "SET", "THEN", "UNION", "UNION ALL", "USING", "VALUES", "WHEN", "WHERE", "WITH",
    ],
    followers: [
      "EXPLAIN": ["QUERY PLAN"] + statements, "PLAN": statements,
      "INSERT": ["INTO", "OR REPLACE INTO", "OR IGNORE INTO"],
    ],
    likeIgnoresCase: true, quote: quotedName)

  private static let statements = [
    "SELECT", "INSERT INTO", "UPDATE", "DELETE FROM", "WITH", "EXPLAIN QUERY PLAN", "PRAGMA", "CREATE TABLE",
    "CREATE INDEX", "CREATE VIEW", "DROP TABLE", "ALTER TABLE", "ANALYZE", "VALUES",
  ]
}
