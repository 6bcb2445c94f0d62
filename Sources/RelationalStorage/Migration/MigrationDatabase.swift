package import Layouts
package import Modeling
package import StoreErrors
package import Stores

/// The database whose tables a migration changes: it runs SQL that every store understands, and knows the rest of its dialect.
///
/// There are two, SQLite's connection and PostgreSQL's. The plan, the order of steps, the checks and their words are the same.
package protocol MigrationDatabase: AnyObject {
  /// Where it is, in errors.
  var path: String { get }

  /// Runs a statement that changes tables.
  func execute(_ sql: String) throws(StoreError)

  /// Runs a statement with values for its `?`; returns the number of rows that it changed.
  @discardableResult
  func run(_ sql: String, _ values: [Value]) throws(StoreError) -> Int

  /// All rows of a query, with stored values as SQLite has them.
  func all(_ sql: String, _ values: [Value]) throws(StoreError) -> [[Value]]

  /// Makes a table of a layout under another name.
  func make(_ table: TableSchema, as name: String, of layout: ModelLayout) throws(StoreError)

  /// Adds a column to a table of a layout.
  func add(_ column: ColumnSchema, to table: String, of layout: ModelLayout) throws(StoreError)

  /// Makes a table for pairs: owner, member, and their places.
  func makeLinks(_ table: String) throws(StoreError)

  /// The text before and after an INSERT that leaves out existing rows.
  var insertion: (start: String, end: String) { get }

  /// The SQL of a column's values as those of another type, in a SELECT from its table as `source`; null for those that do not
  /// fit.
  func converted(_ column: String, of table: String, from old: AttributeType, to new: AttributeType) -> String

  /// Its work for a plan besides the plan's steps.
  func steps(besides plan: MigrationPlan) -> [MigrationStep]

  /// Called before anything changes: drops the indexes, triggers and references of changing tables, and returns those that
  /// other programs added.
  func begin(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign]

  /// Called when the rows are right: computes derived columns, makes what hangs on tables, and continues the history.
  func end(_ migrator: Migrator, _ others: [Migrator.Foreign]) throws

  /// The store before, which is only read, and the store after.
  func stores(of migrator: Migrator) throws -> (old: any OpenedStore, new: any OpenedStore)

  /// Runs `body`, which may do anything but end the transaction; returns whether it is still open.
  func refusingCommits(_ body: () throws -> Void) throws -> Bool
}

extension MigrationDatabase {
  /// Nothing.
  package func steps(besides plan: MigrationPlan) -> [MigrationStep] { [] }

  @discardableResult
  package func run(_ sql: String) throws(StoreError) -> Int { try run(sql, []) }

  package func all(_ sql: String) throws(StoreError) -> [[Value]] { try all(sql, []) }

  /// The first column of the first row of a query; nil if there are no rows.
  package func first(_ sql: String) throws(StoreError) -> Value? { try all(sql).first?.first }
}
