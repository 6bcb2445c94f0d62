public import Modeling

/// The result of undoing or redoing a save.
public struct ReversedSave: Hashable, Sendable {
  /// The number of rows inserted again.
  public var inserted = 0
  /// The number of rows with restored values.
  public var updated = 0
  /// The number of deleted rows.
  public var deleted = 0
  /// The number of changed rows of tables without an entity, such as join tables.
  public var links = 0
  /// The time of the save.
  public var time: Timestamp

  /// Describes a save of a time of which nothing is reversed yet.
  package init(time: Timestamp) { self.time = time }
}
