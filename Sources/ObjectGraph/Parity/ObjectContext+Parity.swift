public import Modeling
public import Queries
internal import Storage

extension ObjectContext {
  /// The objects of an entity on which Foundation's evaluation in memory and the store's SQL differ.
  ///
  /// Every object is evaluated as this context sees it; the store is asked about what is saved. Goes through all objects
  /// in constant memory; `checkpoint` is called now and then and may throw to end it.
  ///
  /// - Parameter limit: How many objects are kept; all are counted.
  /// - Throws: PredicateError for names and types that are wrong, StoreError.
  public func parity(
    _ predicate: Predicate, of entity: Entity, limit: Int = 100, checkpoint: () throws -> Void = {}
  ) throws -> Parity {
    var comparison = try ParityComparison(predicate.inlined, entity, self, limit: limit)
    let cursor = try cursor(FetchRequest(entity))
    defer { cursor.close() }
    while let slot = try cursor.next() {
      try comparison.add(ManagedObject(table: cursor.objects, slot: slot))
      if comparison.isBatchFull {
        try comparison.askStore()
        try checkpoint()
      }
    }
    try comparison.askStore()
    try comparison.addDeleted()
    return comparison.parity
  }
}
