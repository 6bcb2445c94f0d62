public import Modeling
public import StoreErrors

/// A request for transactions of a store's history.
public struct HistoryRequest {
  /// Only transactions after this token.
  public var since: HistoryToken?
  /// Only transactions before the one of this token.
  public var before: HistoryToken?
  /// Only transactions before this time.
  public var beforeDate: Timestamp?
  /// Only transactions of this author.
  public var author: String?
  /// Only transactions of contexts of this name.
  public var contextName: String?
  /// Only changes of this entity and its subentities, and only transactions that have some.
  public var entity: Entity?
  /// The maximum number of transactions.
  public var fetchLimit: Int?
  /// Whether the transactions include their changes, which can also be read later.
  public var includesChanges = true

  /// Creates a request for all transactions.
  public init() {}
}
