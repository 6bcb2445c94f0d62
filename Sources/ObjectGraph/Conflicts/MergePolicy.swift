/// How a save resolves conflicts with rows that others changed and with unique values that are already in use.
public enum MergePolicy: String, CaseIterable, Sendable {
  /// The save fails and reports every conflict.
  case error
  /// For each property that both changed, the store's value wins.
  case storeTrump
  /// For each property that both changed, the object's value wins. Inserting a unique value that exists is an
  /// upsert.
  case objectTrump
  /// The object's state in memory overwrites the row.
  case overwrite
  /// The changes of objects in conflict are discarded.
  case rollback
}
