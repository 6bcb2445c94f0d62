public import Modeling
public import Queries
internal import Stores

extension ObjectContext {
  /// The objects of an entity on which Foundation's evaluation in memory and the store's SQL differ.
  ///
  /// Every object is evaluated in this context's state; the store evaluates its own rows. Needs constant memory;
  /// `checkpoint` is called repeatedly and may throw to stop.
  ///
  /// - Parameter limit: The most objects to return; all are counted.
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
    return comparison.result()
  }
}
