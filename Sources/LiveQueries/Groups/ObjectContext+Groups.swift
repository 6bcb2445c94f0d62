public import Modeling
public import ObjectGraph
public import Queries

extension ObjectContext {
  /// The rows of a request of groups, aggregates or distinct values with the unsaved changes of the request's objects, here and in
  /// the contexts above; nil where there are none, so that the store's answer is the same, and where groups cannot be computed in
  /// memory: those with a median are of stored rows.
  ///
  /// Takes time and memory for each row that the request selects.
  ///
  /// - Throws: PredicateError, StoreError.
  public func groupsWithUnsavedChanges(of request: FetchRequest) throws -> [[Value]]? {
    guard request.resultType == .dictionaries, hasUnsavedObjects(of: request),
      request.isAggregated || request.havingPredicate != nil || request.returnsDistinctResults
    else { return nil }
    do {
      let groups = try MaintainedGroups(GroupPlan(request, store), in: self, isLive: false)
      return try groups.values(0..<groups.count)
    } catch is GroupPlan.Obstacle {
      return nil
    }
  }

  /// Whether objects of a request, here or in the contexts above, have unsaved changes that count.
  func hasUnsavedObjects(of request: FetchRequest) -> Bool {
    guard let lowest = request.includesPendingChanges ? self : parent else { return false }
    return sequence(first: lowest, next: \.parent).contains {
      !$0.pendingObjects(of: request.entity, includesSubentities: request.includesSubentities).isEmpty
    }
  }

  /// The root of the context's parents, or the context itself.
  var outermost: ObjectContext {
    var context = self
    while let parent = context.parent { context = parent }
    return context
  }
}

extension GraphError {
  /// More groups than a result may have.
  init(tooMany most: Int, groupsOf request: FetchRequest) {
    self.init(.tooManyValues(request.propertiesToGroupBy.map(\.description).joined(separator: ", "), most: most))
  }
}
