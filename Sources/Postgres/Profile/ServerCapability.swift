/// Something that PostgreSQL does and not every server that speaks its protocol.
public enum ServerCapability: String, CaseIterable, Hashable, Sendable {
  /// LISTEN and NOTIFY.
  case notifications
  /// Triggers for each row.
  case rowTriggers
  /// Triggers for each statement.
  case statementTriggers
  /// Tables of old and new rows within triggers.
  case transitionTables
  /// Changes read from the log by a slot (pgoutput).
  case logicalDecoding
  /// A snapshot that is the same moment as a place in the log, for the whole database.
  case exportedSnapshots
  /// Numbers of transactions, and snapshots that say which of them have ended, for the whole database: `xid8`.
  case transactionNumbers
  /// `xmin` and `ctid`, which identify a row's version.
  case rowVersions
  /// Locks of an application's own.
  case advisoryLocks
  /// Foreign keys between any two tables.
  case foreignKeys
  /// Foreign keys that wait for the end of the transaction.
  case deferrableForeignKeys
  /// Unique constraints that wait for the end of the transaction.
  case deferrableUniqueness
  /// Unique constraints over any columns.
  case uniquenessOfAnyColumns
  /// UPDATE of every column.
  case updatesOfAnyColumn
  /// SELECT … FOR UPDATE of any rows.
  case rowLocks
  /// Subqueries that use columns from outside, and outer joins, over any columns.
  case correlatedSubqueries
  /// Sequences and SERIAL.
  case sequences
  /// Temporary tables.
  case temporaryTables
  /// SAVEPOINT.
  case savepoints
  /// Statements that define tables, several of them and others in one transaction.
  case transactionalDefinitions
  /// CREATE INDEX that ends when the index is there.
  case synchronousIndexes
  /// Collations besides that of bytes.
  case collations
  /// Generated columns that are stored.
  case generatedColumns
  /// Division of integers that gives an integer: 1 / 2 is 0.
  case integerDivision
  /// COPY … TO STDOUT (FORMAT binary).
  case binaryCopyOut
  /// COPY … FROM STDIN (FORMAT binary).
  case binaryCopyIn
  /// UPDATE … FROM, and other statements that join rows by any columns.
  case joinsOfAnyColumns
  /// Several statements whose rows are read in turn.
  case severalPortals
  /// Statements that are prepared and stay so until the session ends.
  case preparedStatements
  /// SET and other state that lasts until the session ends.
  case sessionState
}
