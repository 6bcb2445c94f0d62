import Modeling
import Postgres
import RelationalStorage
import StoreErrors
public import Stores

// The tables of a database, in PostgreSQL's words.
extension PostgresStore {
  /// PostgreSQL's words.
  public var dialect: SQLDialect { .postgres }

  /// The names of tables and views of all schemas but the server's own.
  public func tableNames(like pattern: String?) throws -> [String] {
    try names(
      """
      SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND \(SchemaQuery.isOfUsers) \
      AND c.relname !~ '^_perilune' AND \(Self.isLike("c.relname", pattern)) ORDER BY 1
      """)
  }

  /// The names of indexes.
  public func indexNames(ofTablesLike pattern: String?) throws -> [String] {
    try names(
      """
      SELECT x.relname::text FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid \
      JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE \(SchemaQuery.isOfUsers) AND \(Self.isLike("c.relname", pattern)) ORDER BY 1
      """)
  }

  /// The statements that make the tables again, as the server's functions write them.
  public func schemaStatements(of table: String?) throws -> [String] {
    try readingSchema {
      try SchemaQuery.allCases.flatMap { query in try statements(query, of: table.map { tables[$0].sqlName }) }
    }
  }

  /// Writes the tables and their rows: definitions, rows by INSERT, and then what would slow rows down or refuse them.
  public func dump(tablesLike pattern: String?, _ line: @escaping (String) throws -> Void) throws {
    try readingSchema { try PostgresDump(store: self, line: line).write(pattern) }
  }

  /// A database takes rows from everyone.
  public var takesTableStatements: Bool { true }

  /// The statement as PostgreSQL reads it.
  public func text(of statement: TableStatement) -> String? {
    TableStatementWriter(table: { self.tables[$0].sqlName }, quote: dialect.quote) { value, column, table in
      self.tables.form(table, column).constant(value)
    }.text(statement)
  }

  /// The tables, columns, foreign keys and functions of the database.
  public func databaseSchema() -> DatabaseSchema {
    var schema = DatabaseSchema()
    try? readingSchema {
      let columns = try pool.run(SchemaQuery.columnNames)
      for row in 0..<columns.rowCount {
        schema.addColumn(
          columns.text(row, 1), columns.text(row, 2), of: columns.text(row, 0), isView: columns.bool(row, 3))
      }
      let keys = try pool.run(SchemaQuery.foreignKeyColumns)
      for row in 0..<keys.rowCount {
        schema.addForeignKey(keys.text(row, 1), of: keys.text(row, 0), to: keys.text(row, 2), keys.text(row, 3))
      }
      schema.functions = try names(SchemaQuery.functionNames)
    }
    schema.addRelationships(of: self)
    return schema
  }

  /// The statements of one kind: all, or those about a table, given by its name in SQL.
  func statements(_ query: SchemaQuery, of table: String?) throws -> [String] {
    let result = try pool.run(query.sql(of: table))
    return (0..<result.rowCount).map { row in
      // The server's functions end some with a semicolon or a new line.
      var text = Substring(result.text(row, 0))
      while let last = text.last, last.isNewline || last == ";" { text.removeLast() }
      return String(text)
    }
  }

  /// Runs `body` on one snapshot; refuses in a sandbox, as all SQL of a server is.
  private func readingSchema<Result>(_ body: () throws -> Result) throws -> Result {
    if isConfined { throw StoreError(.refusedBySandbox(.server), path: path) }
    return try reading(body)
  }

  private func names(_ sql: PostgresSQL) throws -> [String] {
    if isConfined { throw StoreError(.refusedBySandbox(.server), path: path) }
    let result = try pool.run(sql)
    return (0..<result.rowCount).map { result.text($0, 0) }
  }

  private static func isLike(_ name: String, _ pattern: String?) -> PostgresSQL {
    pattern.map { "\(raw: name) LIKE \(.text($0))" } ?? "true"
  }
}
