internal import Modeling
public import Queries
internal import Stores

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
}
