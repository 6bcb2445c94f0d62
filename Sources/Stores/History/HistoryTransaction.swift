public import Modeling
public import StoreErrors

/// One transaction of a store's history: its changes, author and context.
///
/// Other programs' changes are grouped by the millisecond of their statement: each group is a transaction of its own,
/// without author, context and process, because the bounds of their transactions are unknown.
public struct HistoryTransaction: Sendable {
  /// The token of the transaction, which is the position after it.
  public let token: HistoryToken
  /// When it was made.
  public let date: Timestamp
  /// The author, if given.
  public let author: String?
  /// The name of the context that was saved.
  public let contextName: String?
  /// The process identifier; nil for other programs.
  public let processID: Int32?
  /// The identifier of the app that made it, in histories of Core Data.
  public package(set) var bundleID: String?
  /// The name of the process that made it, in histories of Core Data.
  public package(set) var processName: String?
  /// The change of each object, in the order of its first change; empty if the request excludes changes.
  public package(set) var changes: [HistoryChange] = []

  /// The numbers of its first and last requested change.
  package let range: ClosedRange<Int64>

  package init(
    token: HistoryToken, date: Timestamp, author: String?, contextName: String?, processID: Int32?,
    range: ClosedRange<Int64>
  ) {
    self.token = token
    self.date = date
    self.author = author
    self.contextName = contextName
    self.processID = processID
    self.range = range
  }
}

/// A transaction's change of one object.
public struct HistoryChange: Sendable {
  /// A kind of change.
  public enum Kind: String, Sendable {
    case insert, update, delete
  }

  /// The object's exact entity; nil if the model no longer has it.
  public let entity: Entity?
  /// The last name of the entity.
  public let entityName: String
  /// The key of the object's row.
  public let key: Int64
  /// The merged kind of change.
  public let kind: Kind
  /// The changed properties; empty for inserts and deletes.
  public let updatedProperties: [String]
  /// For a deleted object, the values of attributes that the model preserves after deletion.
  public let tombstone: [String: Value]

  package init(
    entity: Entity?, entityName: String, key: Int64, kind: Kind, updatedProperties: [String],
    tombstone: [String: Value]
  ) {
    self.entity = entity
    self.entityName = entityName
    self.key = key
    self.kind = kind
    self.updatedProperties = updatedProperties
    self.tombstone = tombstone
  }

  /// The object's ID; nil if the model no longer has its entity.
  public var objectID: ObjectID? { entity.map { ObjectID(entity: $0, key: key) } }
}
