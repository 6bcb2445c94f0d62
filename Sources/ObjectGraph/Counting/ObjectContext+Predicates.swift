public import Modeling
public import Queries
internal import Stores

// Predicates that are asked of every object.
extension ObjectContext {
  /// Counts for how many objects a request's predicate and each of its clauses are true, false or unknown, in one pass.
  ///
  /// Offset and limit are ignored. Unsaved changes count as in `fetch`.
  ///
  /// - Throws: PredicateError, StoreError.
  public func counts(_ request: FetchRequest) throws -> PredicateCounts {
    prepareToRead()
    let predicate = request.predicate ?? .constant(true)
    try predicate.check(in: request.entity, for: .fetch)
    var counter = PredicateCounter(predicate, of: request.entity)
    var changed = try changedObjects(of: request)
    let compiled =
      try changed.isEmpty
      ? [] : counter.questions.map { try CompiledPredicate($0, entity: request.entity, semantics: .store) }
    let cursor = try store.answers(request, to: counter.questions)
    while try cursor.step() {
      let id = ObjectID(entity: request.entity, key: cursor.key)
      guard !changed.isEmpty, let object = changed.removeValue(forKey: id.key) else {
        counter.add(id) { cursor.answer($0) }
        continue
      }
      if !object.isDeleted { try counter.add(object.objectID) { try compiled[$0].evaluate(object) } }
    }
    // Inserted objects, which the store does not have yet.
    for object in changed.values.sorted(by: { $0.objectID.key > $1.objectID.key }) where !object.isDeleted {
      try counter.add(object.objectID) { try compiled[$0].evaluate(object) }
    }
    return counter.counts
  }

  /// Returns the objects with unsaved changes, here or in a parent, by key.
  private func changedObjects(of request: FetchRequest) throws -> [Int64: ManagedObject] {
    var found: [Int64: ManagedObject] = [:]
    for object in try pendingObjects(of: request) { found[object.objectID.key] = object }
    var above = request
    above.includesPendingChanges = true
    var next = parent
    while let ancestor = next {
      for object in try ancestor.pendingObjects(of: above) where found[object.objectID.key] == nil {
        found[object.objectID.key] = object.isDeleted ? object : self.object(object.objectID)
      }
      next = ancestor.parent
    }
    return found
  }

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
