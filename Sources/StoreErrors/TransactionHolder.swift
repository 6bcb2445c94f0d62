/// What holds a transaction in which SQL by hand runs, so that no statement may end it.
public enum TransactionHolder: Hashable, Sendable {
  /// The store is only read: each text of SQL is a transaction of its own, which is taken back.
  case readOnly
  /// Everything is taken back at the end of a dry run.
  case dryRun
  /// A migration, of which all is kept or nothing.
  case migration
  /// A transaction of the store's, or the moment that a reader sees.
  case store
}
