/// The state of a store's transactions.
///
/// `SQLiteStore.transaction` begins the outermost one with the write lock and counts `depth`; inner ones are savepoints named
/// after it. Where the user's SQL has begun a transaction, the outermost one of ours is a savepoint, too
/// (`savepointAtBottom`), and commits with it. `commitCount` and `undoneCount` only grow: contexts compare them to see whether
/// what they have read still holds. Only `SQLiteStore+Transactions`, `+SQL`, `+DryRun` and `+Bulk` write here.
final class TransactionState {
  /// 0 outside of all transactions.
  var depth = 0
  /// The data version that was read last.
  var dataVersion: Int64 = 0
  /// How often a transaction, or a part of one, was undone.
  var undoneCount = 0
  /// How often a transaction was committed.
  var commitCount = 0
  /// Whether the outermost transaction is undone when it ends.
  var isDryRun = false
  /// Whether the outermost transaction is a savepoint within one that the user's SQL began.
  var savepointAtBottom = false
  /// The name of the savepoint by which the user's SQL began the transaction: its release commits.
  var outerSavepoint: String?
  /// Tables whose secondary indexes are being built later.
  var bulkTables: Set<String> = []
}
