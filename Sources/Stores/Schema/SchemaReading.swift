/// How a store's tables are shown to people who know SQL: their names, the statements that make them again, and all that SQL
/// can name. Everything is in the database's own words.
///
/// Members throw StoreError; `.refusedBySandbox` where the SQL of scripts is refused.
public protocol SchemaReading: ObjectStoreBasics {
  /// The words of the database's SQL.
  var dialect: SQLDialect { get }

  /// The sorted names of tables and views, without those that a store keeps for itself; only those like a pattern of SQL,
  /// if there is one.
  func tableNames(like pattern: String?) throws -> [String]

  /// The sorted names of indexes; only those of tables like a pattern of SQL, if there is one.
  func indexNames(ofTablesLike pattern: String?) throws -> [String]

  /// The statements, without semicolons, that make all tables again, or one table of the layouts with what belongs to it.
  func schemaStatements(of table: String?) throws -> [String]

  /// Calls `line` with each line of SQL that makes tables and their rows again; only those like a pattern, if there is one.
  ///
  /// The rows are those of one moment. They are read some at a time.
  func dump(tablesLike pattern: String?, _ line: @escaping (String) throws -> Void) throws

  /// Whether rows may be written by SQL alone; false if each needs bookkeeping of the program that made the file.
  var takesTableStatements: Bool { get }

  /// A statement with its constants, without a semicolon; nil if a column cannot hold a value of it. No round trip.
  func text(of statement: TableStatement) -> String?

  /// The tables, columns and functions that SQL can name; what cannot be read is left out.
  func databaseSchema() -> DatabaseSchema
}
