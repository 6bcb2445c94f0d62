/// The tables in which a store of our own keeps books beside the rows of its model, by name.
///
/// No entity's table is called like one of them.
package enum BookTables {
  /// What the store knows about itself: keys and values.
  package static let metadata = "_perilune"
  /// The saves that can be undone.
  package static let journal = "_perilune_undo"
  /// The history's changes.
  package static let change = "_perilune_change"
  /// The history's transactions of our own.
  package static let transaction = "_perilune_transaction"
  /// The history's values of deleted objects.
  package static let tombstone = "_perilune_tombstone"
  /// In PostgreSQL, the rows before and after what a transaction did.
  package static let image = "_perilune_image"
  /// In PostgreSQL, the metadata of the history: keys and values.
  package static let history = "_perilune_history"

  /// On a node of Citus, the changes of its rows.
  package static let nodeChange = "_perilune_node_change"
  /// On a node of Citus, its transactions.
  package static let nodeTransaction = "_perilune_node_transaction"

  package static let all = [
    metadata, journal, change, transaction, tombstone, image, history, nodeChange, nodeTransaction,
  ]
}
