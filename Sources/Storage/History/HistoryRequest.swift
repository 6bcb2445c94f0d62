public import Modeling

/// Which transactions of a store's history are wanted.
public struct HistoryRequest {
  /// Only what came after this place.
  public var since: HistoryToken?
  /// Only transactions before the one of this token.
  public var before: HistoryToken?
  /// Only transactions of before this time.
  public var beforeDate: Timestamp?
  /// Only transactions of this author.
  public var author: String?
  /// Only transactions of contexts of this name.
  public var contextName: String?
  /// Only changes of this entity's objects, those of its subentities included, and transactions that have some.
  public var entity: Entity?
  /// The most transactions wanted.
  public var fetchLimit: Int?
  /// Whether the transactions come with their changes, or these are asked for later.
  public var includesChanges = true

  /// Wants everything.
  public init() {}
}
