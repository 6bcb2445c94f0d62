public import Modeling

/// What one transaction changed, and who it was.
///
/// Statements of other programs are told by the millisecond in which they ran: each is a transaction of its own,
/// without author, context and process, as nobody can know where their transactions began.
public struct HistoryTransaction: Sendable {
  /// Its name, and the place behind it.
  public let token: HistoryToken
  /// When it was made.
  public let date: Timestamp
  /// Who made it, as far as that was said.
  public let author: String?
  /// The name of the context that was saved.
  public let contextName: String?
  /// The process that made it; nil for other programs than this.
  public let processID: Int32?
  /// The identifier of the app that made it, in histories of Core Data.
  public internal(set) var bundleID: String?
  /// The name of the process that made it, in histories of Core Data.
  public internal(set) var processName: String?
  /// What became of each object, in the order of the first change; empty if the request asked for none.
  public internal(set) var changes: [HistoryChange] = []

  /// The numbers of its first and last change that are wanted.
  let range: ClosedRange<Int64>
}

/// What a transaction did to one object.
public struct HistoryChange: Sendable {
  /// A kind of change.
  public enum Kind: String, Sendable {
    case insert, update, delete
  }

  /// The object's own entity; nil where the model no longer has it.
  public let entity: Entity?
  /// The name of the entity, the last it had.
  public let entityName: String
  /// The key of the object's row.
  public let key: Int64
  /// What happened to the object in all.
  public let kind: Kind
  /// The properties whose values are others than before; empty for inserts and deletes.
  public let updatedProperties: [String]
  /// Of a deleted object, the values of the attributes that the model preserves.
  public let tombstone: [String: Value]

  /// The identity of the object; nil where the model no longer has its entity.
  public var objectID: ObjectID? { entity.map { ObjectID(entity: $0, key: key) } }
}
