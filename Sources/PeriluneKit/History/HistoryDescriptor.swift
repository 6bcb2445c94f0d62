public import Foundation
public import StoreErrors
internal import Stores

/// A question to a store's history.
///
///     var descriptor = HistoryDescriptor(since: lastToken)
///     descriptor.types = [Quake.self]
///     descriptor.predicate = #Predicate { $0.author == "import" }
///     for transaction in try container.history(descriptor) { print(transaction.changes.count) }
public struct HistoryDescriptor {
  /// Only transactions after this position; nil for all.
  public var since: HistoryToken?
  /// Only transactions of this author.
  public var author: String?
  /// Only changes of objects of these classes, and only transactions with some; empty for all.
  public var types: [ManagedObject.Type] = []
  /// Selects transactions of those that the other properties select, in memory; nil for all.
  public var predicate: Predicate<HistoryTransaction>?
  /// The maximum number of transactions; nil for all.
  public var fetchLimit: Int?

  /// Creates a question for the transactions after a position.
  public init(since: HistoryToken? = nil, predicate: Predicate<HistoryTransaction>? = nil) {
    self.since = since
    self.predicate = predicate
  }
}

extension PersistentContainer {
  /// Returns the transactions that a descriptor selects, oldest first, whichever program made them. The store keeps a
  /// history if it was opened with `recordsHistory` once.
  ///
  /// - Throws: StoreError, `.noHistory` for a store without a history, `.historyExpired` for a position that was cut off;
  ///   PeriluneError.unknownEntity, the errors of the predicate.
  public func history(_ descriptor: HistoryDescriptor = HistoryDescriptor()) throws -> [HistoryTransaction] {
    var request = Stores.HistoryRequest()
    request.since = descriptor.since
    request.author = descriptor.author
    let entities = try descriptor.types.map { try opened.entity(of: $0) }
    if entities.count == 1 { request.entity = entities[0] }
    let isSelectedHere = entities.count > 1 || descriptor.predicate != nil
    if !isSelectedHere { request.fetchLimit = descriptor.fetchLimit }
    var transactions = try opened.store.history(request).map { HistoryTransaction($0) }
    if entities.count > 1 {
      transactions = transactions.compactMap { transaction in
        let changes = transaction.changes.filter { change in
          guard let entity = change.changedPersistentIdentifier?.entity else { return false }
          return entities.contains { entity.isKind(of: $0) }
        }
        return changes.isEmpty ? nil : HistoryTransaction(transaction, changes)
      }
    }
    if let predicate = descriptor.predicate { transactions = try transactions.filter { try predicate.evaluate($0) } }
    return descriptor.fetchLimit.map { Array(transactions.prefix(max(0, $0))) } ?? transactions
  }

  /// The position after the last transaction.
  ///
  /// - Throws: StoreError, `.noHistory` for a store without a history.
  public var currentHistoryToken: HistoryToken {
    get throws { try opened.store.currentHistoryToken }
  }

  /// Cuts off the history before a position; without one, all of it. Returns the number of changes.
  ///
  /// - Throws: StoreError.
  @discardableResult
  public func deleteHistory(before token: HistoryToken? = nil) throws -> Int {
    if let token { return try opened.store.deleteHistory(before: token) }
    return try opened.store.deleteHistory()
  }
}
