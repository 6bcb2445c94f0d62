/// What a save does about rows that others changed since they were read, and about unique values that others have.
public enum MergePolicy: String, CaseIterable, Sendable {
  /// Nothing is written; every conflict is reported.
  case error
  /// What both changed keeps the store's value, property by property.
  case storeTrump
  /// What both changed takes the object's value, property by property; an insert of a unique value that is there is an
  /// upsert.
  case objectTrump
  /// The object is written as it is in memory, whatever others changed.
  case overwrite
  /// The changes of objects in conflict are dropped.
  case rollback
}
