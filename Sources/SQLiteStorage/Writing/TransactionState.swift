import Stores

/// The state of a store's transactions.
///
/// `SQLiteStore.transaction` begins the outermost one with the write lock and counts `depth`; inner ones are savepoints
/// named after it. If the user's SQL has begun a transaction, our outermost one is a savepoint, too
/// (`savepointAtBottom`), and the user's commit commits it. `commitCount` and `undoneCount` only grow: contexts compare
/// them to see whether the rows they have read are still current. Only `SQLiteStore+Transactions`, `+SQL`, `+DryRun`
/// and `+Bulk` write here.
final class TransactionState {
  /// The nesting depth; 0 outside all transactions.
  var depth = 0
  /// The data version that was read last.
  var dataVersion: Int64 = 0
  /// The number of rollbacks of a transaction or of a part of one.
  var undoneCount = 0
  /// The number of commits.
  var commitCount = 0
  /// Whether the outermost transaction is rolled back when it ends.
  var isDryRun = false
  /// What may be written.
  var permission = WritePermission.everything
  /// Whether the outermost transaction is a savepoint within one that the user's SQL began.
  var savepointAtBottom = false
  /// The savepoint with which the user's SQL began the transaction; its release commits.
  var outerSavepoint: String?
  /// Tables whose secondary indexes are built later.
  var bulkTables: Set<String> = []
}
