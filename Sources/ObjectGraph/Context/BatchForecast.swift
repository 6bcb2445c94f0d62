public import Modeling
public import Queries
internal import Stores

/// What a batch request would change, for questions beforehand.
public struct BatchForecast {
  let context: ObjectContext

  /// Asks about batch requests of `context`.
  public init(_ context: ObjectContext) { self.context = context }

  /// The objects that a batch request would delete, with those that its delete rules delete.
  ///
  /// If there are such rules, the request runs in a transaction that is rolled back, which takes as long as the request.
  ///
  /// - Throws: PredicateError, StoreError, and the errors of the request itself.
  public func deleted(by request: FetchRequest) throws -> [Entity: WorkCounts] {
    try context.checkNoPendingChanges(request)
    let entities = Self.reached(by: request.entity)
    let mayBeDenied = entities.contains { $0.properties.contains { $0.relationship?.deleteRule == .deny } }
    let isInTransaction = context.transactionDepth > 0 || !context.openStates.isEmpty
    let count = try context.store.count(request)
    guard count > 0, entities.count > 1 || mayBeDenied, !isInTransaction else {
      return count > 0 ? [request.entity: WorkCounts(deleted: count)] : [:]
    }
    var counts: [Entity: WorkCounts] = [:]
    func rows(_ entity: Entity) throws -> Int {
      var all = FetchRequest(entity)
      all.includesSubentities = false
      all.includesPendingChanges = false
      return try context.store.count(all)
    }
    do {
      try context.store.transaction {
        let before = try entities.map(rows)
        _ = try context.store.batchDelete(request)
        for (entity, number) in zip(entities, before) {
          let gone = try number - rows(entity)
          if gone > 0 { counts[entity] = WorkCounts(deleted: gone) }
        }
        throw Rehearsed()
      }
    } catch is Rehearsed {}
    return counts
  }

  /// What a batch request would update with some values.
  ///
  /// - Throws: PredicateError, StoreError, and the errors of the request itself.
  public func updated(
    by request: FetchRequest, _ changes: [(property: Int, value: Value)]
  ) throws -> [Entity: WorkCounts] {
    _ = try context.checked(changes, for: request)
    let count = try context.store.count(request)
    return count > 0 ? [request.entity: WorkCounts(updated: count)] : [:]
  }

  /// Runs a batch update in a transaction that is rolled back, for a question beforehand. It takes as long as the request.
  ///
  /// - Throws: the errors of the request itself.
  public func rehearse(updating request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws {
    guard context.transactionDepth == 0, context.openStates.isEmpty else { return }
    let values = try context.checked(changes, for: request)
    do {
      try context.store.transaction {
        _ = try context.store.batchUpdate(request, values)
        throw Rehearsed()
      }
    } catch is Rehearsed {}
  }

  /// Thrown to roll a transaction back when it was counted.
  private struct Rehearsed: Error {}

  /// The entities whose objects go where an object of `entity` does, itself and its subentities among them.
  private static func reached(by entity: Entity) -> [Entity] {
    var (found, waiting): ([Entity], [Entity]) = ([], [entity])
    while let next = waiting.popLast() {
      guard !found.contains(where: { $0 === next }) else { continue }
      found.append(next)
      waiting += next.subentities
      for (index, property) in next.properties.enumerated() where property.relationship?.deleteRule == .cascade {
        waiting.append(next.destination(at: index))
      }
    }
    return found
  }
}
