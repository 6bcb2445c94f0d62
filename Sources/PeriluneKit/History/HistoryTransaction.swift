public import Foundation
public import Modeling
public import StoreErrors
internal import Stores

/// A transaction in a store's history, in the terms of SwiftData.
public struct HistoryTransaction {
  /// The position after the transaction.
  public let token: HistoryToken
  /// When it was made.
  public let timestamp: Date
  /// Its author, if the context had one: `transactionAuthor`.
  public let author: String?
  /// The process that made it; nil for other programs.
  public let processIdentifier: Int?
  /// The changes, in their order.
  public let changes: [HistoryChange]

  init(_ transaction: Stores.HistoryTransaction) {
    token = transaction.token
    timestamp = Date(timeIntervalSince1970: transaction.date.seconds)
    author = transaction.author
    processIdentifier = transaction.processID.map(Int.init)
    changes = transaction.changes.map(HistoryChange.init)
  }

  /// Creates a copy with other changes.
  package init(_ transaction: HistoryTransaction, _ changes: [HistoryChange]) {
    token = transaction.token
    timestamp = transaction.timestamp
    author = transaction.author
    processIdentifier = transaction.processIdentifier
    self.changes = changes
  }
}

/// The change of one object in a transaction.
public struct HistoryChange {
  /// The kinds of changes.
  public enum Kind: String, Sendable {
    case insert, update, delete
  }

  /// The kind.
  public let kind: Kind
  /// The name of the object's entity.
  public let entityName: String
  /// The object; nil if the model no longer has its entity.
  public let changedPersistentIdentifier: ObjectID?
  /// The properties whose values changed; empty for inserts and deletes.
  public let updatedProperties: [String]
  /// The values of a deleted object that the model preserves after deletion.
  public let tombstone: [String: AnyValue]

  init(_ change: Stores.HistoryChange) {
    kind =
      switch change.kind {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
    entityName = change.entityName
    changedPersistentIdentifier = change.objectID
    updatedProperties = change.updatedProperties
    tombstone = change.tombstone
  }
}
