/// The holder of a transaction in which handwritten SQL runs, so that no statement may end it.
public enum TransactionHolder: Hashable, Sendable {
  /// The store is only read: each text of SQL is a transaction of its own, which is rolled back.
  case readOnly
  /// Everything is rolled back at the end of a dry run.
  case dryRun
  /// A migration, of which all is kept or nothing.
  case migration
  /// A transaction of the store's, or the moment that a reader sees.
  case store
}
