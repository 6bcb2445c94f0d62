public import Modeling
public import Queries
internal import Stores

// The number of changed objects by entity, for questions before a change and reports after it.
extension ObjectContext {
  /// What the unsaved changes would write.
  public var unsavedCounts: [Entity: WorkCounts] {
    changedReferences().reduce(into: [:]) { counts, reference in
      counts[reference.table.entity(reference.slot), default: WorkCounts()].add(reference)
    }.filter { !$0.value.isEmpty }
  }

  /// The objects that a batch request would delete, with those that its delete rules delete.
  ///
  /// If there are such rules, the request runs in a transaction that is rolled back, which takes as long as the request.
  ///
  /// - Throws: PredicateError, StoreError, and the errors of the request itself.
  public func counts(ofDeleting request: FetchRequest) throws -> [Entity: WorkCounts] {
    try checkNoPendingChanges(request)
    let entities = Self.reached(by: request.entity)
    let mayBeDenied = entities.contains { $0.properties.contains { $0.relationship?.deleteRule == .deny } }
    let isInTransaction = transactionDepth > 0 || !openStates.isEmpty
    let count = try store.count(request)
    guard count > 0, entities.count > 1 || mayBeDenied, !isInTransaction else {
      return count > 0 ? [request.entity: WorkCounts(deleted: count)] : [:]
    }
    var counts: [Entity: WorkCounts] = [:]
    func rows(_ entity: Entity) throws -> Int {
      var all = FetchRequest(entity)
      all.includesSubentities = false
      all.includesPendingChanges = false
      return try store.count(all)
    }
    do {
      try store.transaction {
        let before = try entities.map(rows)
        _ = try store.batchDelete(request)
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
  public func counts(
    ofUpdating request: FetchRequest, _ changes: [(property: Int, value: Value)]
  ) throws -> [Entity: WorkCounts] {
    _ = try checked(changes, for: request)
    let count = try store.count(request)
    return count > 0 ? [request.entity: WorkCounts(updated: count)] : [:]
  }

  /// Runs a batch update in a transaction that is rolled back, for a question beforehand. It takes as long as the request.
  ///
  /// - Throws: the errors of the request itself.
  public func rehearse(updating request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws {
    guard transactionDepth == 0, openStates.isEmpty else { return }
    let values = try checked(changes, for: request)
    do {
      try store.transaction {
        _ = try store.batchUpdate(request, values)
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
