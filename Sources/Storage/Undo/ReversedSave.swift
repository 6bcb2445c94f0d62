public import Modeling

/// What undoing or redoing a save did.
public struct ReversedSave: Hashable, Sendable {
  /// How many rows came back.
  public var inserted = 0
  /// How many rows have the values again that they had.
  public var updated = 0
  /// How many rows went.
  public var deleted = 0
  /// How many rows of tables without an entity, such as pairs of objects, came, went or changed.
  public var links = 0
  /// When it had been saved.
  public var time: Timestamp
}
